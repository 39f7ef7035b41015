// differs: untiled dimensions begin at the number 0, upstream creates a constant
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<5x?xf32>, %b: memref<5x?xf32>) {
    linalg.softmax dimension(0) ins(%a : memref<5x?xf32>) outs(%b : memref<5x?xf32>)
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %0 tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
