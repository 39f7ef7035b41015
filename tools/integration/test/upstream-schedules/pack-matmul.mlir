module attributes {transform.with_named_sequence} {
  func.func @divided(%a: tensor<6x12xf32>, %b: tensor<12x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<6x12xf32>, tensor<12x8xf32>) outs(%c : tensor<6x8xf32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
  func.func @padded(%a: tensor<5x10xi8>, %b: tensor<10x7xi8>, %c: tensor<5x7xi32>) -> tensor<5x7xi32> {
    %0 = linalg.matmul ins(%a, %b : tensor<5x10xi8>, tensor<10x7xi8>) outs(%c : tensor<5x7xi32>) -> tensor<5x7xi32>
    return %0 : tensor<5x7xi32>
  }
  func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1:3 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %2 = transform.structured.pack %1#0 packed_sizes = [2, 4, 3] : (!transform.any_op) -> !transform.any_op
    %3 = transform.structured.pack %1#1 packed_sizes = [2, 4, 3] : (!transform.any_op) -> !transform.any_op
    %4 = transform.structured.pack %1#2 packed_sizes = [0, 4, 3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
