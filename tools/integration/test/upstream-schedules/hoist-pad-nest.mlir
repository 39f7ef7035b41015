// differs: bounds that only a count of tiles would use are not made into constants
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<13x11xf32>, %b: tensor<11x9xf32>, %c: tensor<13x9xf32>) -> tensor<13x9xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<13x11xf32>, tensor<11x9xf32>) outs(%c : tensor<13x9xf32>) -> tensor<13x9xf32>
    return %0 : tensor<13x9xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %0 tile_sizes [5, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %lhs = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %n = transform.structured.hoist_pad.build_packing_loop_nest %lhs above %l#0, transpose by [1, 0] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.annotate %n "packing" : !transform.any_op
    transform.yield
  }
}
