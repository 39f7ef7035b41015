// differs: untiled dimensions begin at the number 0, upstream creates a constant
module attributes {transform.with_named_sequence} {
  func.func @static(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
    %0 = linalg.softmax dimension(1) ins(%a : tensor<5x7xf32>) outs(%b : tensor<5x7xf32>) -> tensor<5x7xf32>
    return %0 : tensor<5x7xf32>
  }
  func.func @dynamic(%a: tensor<?x3xf64>, %b: tensor<?x3xf64>) -> tensor<?x3xf64> {
    %0 = linalg.softmax dimension(1) ins(%a : tensor<?x3xf64>) outs(%b : tensor<?x3xf64>) -> tensor<?x3xf64>
    return %0 : tensor<?x3xf64>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %u, %m = transform.structured.tile_using_forall %t num_threads [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d = transform.structured.decompose_interface %u : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
