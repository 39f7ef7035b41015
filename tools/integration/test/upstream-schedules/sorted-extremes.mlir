module attributes {transform.with_named_sequence} {
  func.func @f(%a: index, %b: index) -> (index, index, index, index) {
    %0 = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%a)[%b]
    %1 = affine.max affine_map<(d0)[s0] -> (s0, d0, 7)>(%a)[%b]
    %2 = affine.min affine_map<(d0)[s0] -> (s0 floordiv 3, d0)>(%a)[%b]
    %3 = affine.min affine_map<(d0, d1) -> (d0 + 3, d1, d0 - d1, 9, d0)>(%a, %b)
    return %0, %1, %2, %3 : index, index, index, index
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %0 {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
