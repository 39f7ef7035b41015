module attributes {transform.with_named_sequence} {
  func.func @one(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @several(%a: tensor<2x3x4xi8>, %b: tensor<2x4x?xi8>, %c: tensor<2x3x?xi32>) -> tensor<2x3x?xi32> {
    %0 = linalg.batch_matmul ins(%a, %b : tensor<2x3x4xi8>, tensor<2x4x?xi8>) outs(%c : tensor<2x3x?xi32>) -> tensor<2x3x?xi32>
    return %0 : tensor<2x3x?xi32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.transpose_matmul %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %3 = transform.structured.transpose_matmul %2 <rhs> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
