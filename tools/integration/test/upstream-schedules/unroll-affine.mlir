func.func @known(%m: memref<16xf32>, %x: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %sum = affine.for %i = %c2 to 13 iter_args(%s = %x) -> f32 {
    %0 = memref.load %m[%i] : memref<16xf32>
    %1 = arith.mulf %s, %0 : f32
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %m[%i] : memref<16xf32>
    affine.yield %2 : f32
  }
  return %sum : f32
}

func.func @steps(%m: memref<16xf32>) {
  affine.for %i = 0 to 16 step 2 {
    %0 = memref.load %m[%i] : memref<16xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %m[%i] : memref<16xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loops {factor = 4 : i64} : !transform.any_op
    transform.yield
  }
}
