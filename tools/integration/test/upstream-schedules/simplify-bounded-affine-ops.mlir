func.func @sizes(%n: index) -> (index, index, index) {
  %c16 = arith.constant 16 : index
  %0 = arith.remui %n, %c16 : index
  %1 = affine.min affine_map<()[s0] -> (30, 50 - s0)>()[%0]
  %2 = affine.max affine_map<()[s0] -> (s0 * 2, 40)>()[%0]
  %3 = affine.min affine_map<()[s0] -> (8, s0 + 1)>()[%0]
  return %1, %2, %3 : index, index, index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %extremes = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
    %bounded = transform.structured.match ops{["arith.remui"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.affine.simplify_bounded_affine_ops %extremes with [%bounded : !transform.any_op] within [0] and [16] : !transform.any_op
    transform.yield
  }
}
