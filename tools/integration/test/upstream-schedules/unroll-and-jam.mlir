func.func @f(%m: memref<8x4xf32>, %s: memref<4xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = memref.load %s[%i] : memref<4xf32>
    %1 = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %0) -> f32 {
      %2 = memref.load %m[%k, %i] : memref<8x4xf32>
      %3 = arith.addf %sum, %2 : f32
      scf.yield %3 : f32
    }
    memref.store %1, %s[%i] : memref<4xf32>
  } {outer}
  return
}

func.func @short(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c2 {
    %0 = memref.load %m[%i] : memref<4xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %m[%i] : memref<4xf32>
  } {outer}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %loops {factor = 4 : i64} : !transform.any_op
    transform.yield
  }
}
