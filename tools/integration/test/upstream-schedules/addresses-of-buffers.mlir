// differs: one affine.apply stands behind another operation that it does not depend on
func.func @elements(%m: memref<8x12xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %0 = arith.remui %i, %c4 : index
  %1 = memref.load %m[%0, %c2] : memref<8x12xf32>
  %2 = memref.load %m[%c0, %c0] : memref<8x12xf32>
  %3 = arith.addf %1, %2 : f32
  %part = memref.subview %m[2, 3] [4, 4] [1, 2] : memref<8x12xf32> to memref<4x4xf32, strided<[12, 2], offset: 27>>
  memref.store %3, %part[%c2, %0] {nontemporal = true} : memref<4x4xf32, strided<[12, 2], offset: 27>>
  return %1 : f32
}

func.func @vectors(%m: memref<8x16xf32>, %i: index, %n: index) -> vector<4xf32> {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.remui %i, %c3 : index
  %read = vector.transfer_read %m[%row, %c3], %zero {in_bounds = [true]} : memref<8x16xf32>, vector<4xf32>
  %rows = memref.subview %m[%row, 0] [%c3, 16] [1, 1] : memref<8x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
  vector.transfer_write %read, %rows[%c0, %row] {in_bounds = [true]} : vector<4xf32>, memref<?x16xf32, strided<[16, 1], offset: ?>>
  return %read : vector<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.extract_address_computations
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
}
