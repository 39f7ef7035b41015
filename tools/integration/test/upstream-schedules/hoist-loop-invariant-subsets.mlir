func.func @halves(%t: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %t) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %s[1, 0] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
    %b = tensor.extract_slice %s[1, 4] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
    %c = linalg.add ins(%a, %b : tensor<2x4xf32>, tensor<2x4xf32>) outs(%a : tensor<2x4xf32>) -> tensor<2x4xf32>
    %d = tensor.insert_slice %c into %s[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
    %e = tensor.insert_slice %a into %d[1, 4] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
    scf.yield %e : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

func.func @overlap(%t: tensor<8xf32>, %k: index, %v: vector<4xf32>, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %t, %u = %t) -> (tensor<8xf32>, tensor<8xf32>) {
    %a = tensor.extract_slice %s[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %b = tensor.extract_slice %s[3] [2] [2] : tensor<8xf32> to tensor<2xf32>
    %c = tensor.insert_slice %a into %s[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %d = tensor.insert_slice %b into %c[3] [2] [2] : tensor<2xf32> into tensor<8xf32>
    %e = vector.transfer_read %u[%c4], %x {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %f = arith.addf %e, %v : vector<4xf32>
    %g = vector.transfer_write %f, %u[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    scf.yield %d, %g : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %loops : !transform.any_op
    transform.annotate %loops "carries" : !transform.any_op
    transform.yield
  }
}
