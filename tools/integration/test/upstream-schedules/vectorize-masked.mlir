func.func @tile(%f: tensor<4x?xf32>, %w: tensor<?x6xf32>, %s: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%f, %w : tensor<4x?xf32>, tensor<?x6xf32>) outs(%s : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

func.func @buffers(%f: memref<?x?xi32>, %w: memref<?x?xi32>, %s: memref<?x?xi32>) {
  linalg.matmul ins(%f, %w : memref<?x?xi32>, memref<?x?xi32>) outs(%s : memref<?x?xi32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %k = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.structured.vectorize %ops vector_sizes [5, 8, %k] : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
