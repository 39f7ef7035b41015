module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<7x10xf32>, %b: tensor<10x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<7x10xf32>, tensor<10x9xf32>) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
    return %0 : tensor<7x9xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %l, %h = transform.structured.split %0 after 4 {dimension = 1} : !transform.any_op
    %ll, %lh = transform.structured.split %l after 3 {dimension = 2} : !transform.any_op
    %hl, %hh = transform.structured.split %h after 12 {dimension = 0} : !transform.any_op
    transform.yield
  }
}
