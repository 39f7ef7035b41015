func.func @matrix(%a: vector<2x3xf32>) -> vector<3x2xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %0 : vector<3x2xf32>
}

func.func @column(%a: vector<1x3xf32>) -> vector<3x1xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<1x3xf32> to vector<3x1xf32>
  return %0 : vector<3x1xf32>
}

func.func @rows(%a: vector<2x3x4xi32>) -> vector<3x2x4xi32> {
  %0 = vector.transpose %a, [1, 0, 2] : vector<2x3x4xi32> to vector<3x2x4xi32>
  return %0 : vector<3x2x4xi32>
}

func.func @slice(%a: vector<1x3x2xf32>) -> vector<2x1x3xf32> {
  %0 = vector.transpose %a, [2, 0, 1] : vector<1x3x2xf32> to vector<2x1x3xf32>
  return %0 : vector<2x1x3xf32>
}

func.func @large(%a: vector<16x16xf32>) -> vector<16x16xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  return %0 : vector<16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_transpose lowering_strategy = eltwise
    } : !transform.any_op
    transform.yield
  }
}
