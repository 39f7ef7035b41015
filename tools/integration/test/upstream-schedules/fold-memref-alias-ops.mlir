func.func @part(%m: memref<8x12xf32>, %i: index) -> f32 {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %0 = arith.remui %i, %c4 : index
  %part = memref.subview %m[2, 3] [4, 4] [1, 2] : memref<8x12xf32> to memref<4x4xf32, strided<[12, 2], offset: 27>>
  %1 = memref.load %part[%0, %c2] : memref<4x4xf32, strided<[12, 2], offset: 27>>
  memref.store %1, %part[%c2, %0] : memref<4x4xf32, strided<[12, 2], offset: 27>>
  return %1 : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
}
