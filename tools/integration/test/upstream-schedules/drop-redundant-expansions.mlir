func.func @expansions(%x: tensor<5x6xf32>, %d: tensor<1x5x6xf32>, %y: tensor<2x8xf32>, %e: tensor<1x1x8xf32>, %i: index)
    -> (tensor<2x3xf32>, tensor<1x1x8xf32>, tensor<5x6xf32>) {
  %0 = tensor.insert_slice %x into %d[0, 0, 0] [1, 5, 6] [1, 1, 1] : tensor<5x6xf32> into tensor<1x5x6xf32>
  %1 = tensor.extract_slice %0[0, 1, 2] [1, 2, 3] [1, 1, 1] : tensor<1x5x6xf32> to tensor<2x3xf32>
  %c2 = arith.constant 2 : index
  %2 = arith.remui %i, %c2 : index
  %3 = tensor.extract_slice %y[%2, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
  %4 = tensor.insert_slice %3 into %e[0, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<8xf32> into tensor<1x1x8xf32>
  %5 = tensor.insert_slice %x into %d[0, 0, 0] [1, 5, 6] [1, 1, 1] : tensor<5x6xf32> into tensor<1x5x6xf32>
  %6 = tensor.extract_slice %5[0, 0, 0] [1, 5, 6] [1, 1, 1] : tensor<1x5x6xf32> to tensor<5x6xf32>
  return %1, %4, %6 : tensor<2x3xf32>, tensor<1x1x8xf32>, tensor<5x6xf32>
}
func.func @slices(%y: tensor<2x3x8xf32>, %e: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = tensor.extract_slice %y[1, 2, 0] [1, 1, 8] [1, 1, 1] : tensor<2x3x8xf32> to tensor<8xf32>
  %1 = tensor.insert_slice %0 into %e[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
    } : !transform.any_op
    transform.yield
  }
}
