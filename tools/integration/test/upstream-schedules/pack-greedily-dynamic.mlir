func.func @product(%a: tensor<?x5xf32>, %b: tensor<5x6xf32>, %c: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x5xf32>, tensor<5x6xf32>) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %t = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.pack_greedily %t matmul_packed_sizes = [2, 0, 0] matmul_padded_sizes_next_multiple_of = [0, 4, 2] matmul_inner_dims_order = [2, 0, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
