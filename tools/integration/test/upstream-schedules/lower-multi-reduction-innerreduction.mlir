func.func @mixed(%a: vector<2x3x4x5xf32>, %c: vector<3x5xf32>) -> vector<3x5xf32> {
  %0 = vector.multi_reduction <add>, %a, %c [0, 2] : vector<2x3x4x5xf32> to vector<3x5xf32>
  return %0 : vector<3x5xf32>
}

func.func @all(%a: vector<2x3xi32>, %c: i32) -> i32 {
  %0 = vector.multi_reduction <maxsi>, %a, %c [0, 1] : vector<2x3xi32> to i32
  return %0 : i32
}

func.func @rows(%a: vector<2x3xi32>, %c: vector<2xi32>) -> vector<2xi32> {
  %0 = vector.multi_reduction <mul>, %a, %c [1] : vector<2x3xi32> to vector<2xi32>
  return %0 : vector<2xi32>
}

func.func @columns(%a: vector<2x3xf32>, %c: vector<3xf32>) -> vector<3xf32> {
  %0 = vector.multi_reduction <minimumf>, %a, %c [0] : vector<2x3xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}

func.func @masked(%a: vector<2x3xf32>, %c: vector<2xf32>, %m: vector<2x3xi1>) -> vector<2xf32> {
  %0 = vector.mask %m { vector.multi_reduction <add>, %a, %c [1] : vector<2x3xf32> to vector<2xf32> } : vector<2x3xi1> -> vector<2xf32>
  return %0 : vector<2xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerreduction
    } : !transform.any_op
    transform.yield
  }
}
