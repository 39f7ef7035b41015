func.func @sums(%x: memref<4xf32>, %d: tensor<4x6xf32>, %e: tensor<4xf32>) -> (f32, f32, tensor<4x6xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> f32 {
    %0 = memref.load %x[%i] : memref<4xf32>
    %1 = arith.addf %a, %0 : f32
    scf.yield %1 : f32
  } {first}
  %p = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %o) -> f32 {
    %0 = memref.load %x[%i] : memref<4xf32>
    %1 = arith.mulf %a, %0 : f32
    scf.yield %1 : f32
  } {second}
  %u = scf.forall (%i) in (4) shared_outs(%t = %d) -> (tensor<4x6xf32>) {
    %0 = tensor.extract_slice %t[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
    %1 = linalg.exp ins(%0 : tensor<6xf32>) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %t[%i, 0] [1, 6] [1, 1] : tensor<6xf32> into tensor<4x6xf32>
    }
  } {third}
  %v = scf.forall (%i) in (4) shared_outs(%t = %e) -> (tensor<4xf32>) {
    %0 = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %0 into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {fourth}
  return %s, %p, %u, %v : f32, f32, tensor<4x6xf32>, tensor<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %1 = transform.structured.match attributes {first} in %root : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match attributes {second} in %root : (!transform.any_op) -> !transform.any_op
    %3 = transform.structured.match attributes {third} in %root : (!transform.any_op) -> !transform.any_op
    %4 = transform.structured.match attributes {fourth} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.fuse_sibling %1 into %2 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.loop.fuse_sibling %4 into %3 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
