module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<7x6xf32>, %b: memref<7xf32>) {
    linalg.reduce { arith.addf } ins(%a : memref<7x6xf32>) outs(%b : memref<7xf32>) dimensions = [1]
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %0 tile_sizes [3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
