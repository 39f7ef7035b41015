func.func @elements(%a: f32, %b: f32) -> tensor<2x3xf32> {
  %0 = tensor.from_elements %a, %b, %b, %a, %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @one(%a: i32) -> tensor<i32> {
  %0 = tensor.from_elements %a : tensor<i32>
  return %0 : tensor<i32>
}

func.func @sums(%n: index) -> tensor<?x3xindex> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %1 = arith.addi %i, %j : index
    tensor.yield %1 : index
  } : tensor<?x3xindex>
  return %0 : tensor<?x3xindex>
}

func.func @constant(%t: tensor<?x4xf32>, %n: index) -> tensor<?x?xf32> {
  %x = arith.constant 2.0 : f32
  %0 = tensor.pad %t low[1, %n] high[%n, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @computed(%t: tensor<2x4xindex>) -> tensor<4x5xindex> {
  %0 = tensor.pad %t low[1, 0] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %1 = arith.muli %i, %j : index
    tensor.yield %1 : index
  } : tensor<2x4xindex> to tensor<4x5xindex>
  return %0 : tensor<4x5xindex>
}

func.func @copied(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t nofold low[%c0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %t = transform.structured.match ops{["tensor.from_elements", "tensor.generate", "tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.rewrite_in_destination_passing_style %t : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
