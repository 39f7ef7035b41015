func.func @loops(%m: memref<16xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %x: f32) -> (f32, tensor<4xf32>, tensor<4xf32>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = tensor.from_elements %x : tensor<1xf32>
  %0 = scf.for %i = %c3 to %c4 step %c3 iter_args(%s = %x) -> f32 {
    %1 = memref.load %m[%i] : memref<16xf32>
    %2 = arith.addf %s, %1 : f32
    scf.yield %2 : f32
  }
  %r:2 = scf.forall (%i, %j) = (1, 2) to (%c4, 3) step (3, %c4) shared_outs(%o = %a, %p = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.extract_slice %p[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %one into %p[%j] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  scf.for %i = %c3 to %c3 step %c3 {
    memref.store %x, %m[%i] : memref<16xf32>
  }
  affine.for %i = 3 to 4 {
    memref.store %x, %m[%i] : memref<16xf32>
  }
  return %0, %r#0, %r#1 : f32, tensor<4xf32>, tensor<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for", "scf.forall", "affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %loops : !transform.any_op
    transform.yield
  }
}
