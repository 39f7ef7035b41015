func.func @known(%t: tensor<2x3x4xf32>, %x: f32) -> tensor<2x6x9xf32> {
  %0 = tensor.pad %t low[0, 1, 2] high[0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %x : f32
  } : tensor<2x3x4xf32> to tensor<2x6x9xf32>
  return %0 : tensor<2x6x9xf32>
}

func.func @unknown(%t: tensor<?x3xi32>, %h: index) -> tensor<?x5xi32> {
  %x = arith.constant 7 : i32
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c2, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : i32
  } : tensor<?x3xi32> to tensor<?x5xi32>
  return %0 : tensor<?x5xi32>
}

func.func @read(%t: tensor<5x6xf32>) -> vector<7x9xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 5.000000e+00 : f32
  %y = arith.constant 6.000000e+00 : f32
  %0 = tensor.pad %t low[0, 0] high[5, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<5x6xf32> to tensor<10x13xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %y : tensor<10x13xf32>, vector<7x9xf32>
  return %1 : vector<7x9xf32>
}

func.func @written(%t: tensor<5x6xf32>, %v: vector<7x9xf32>) -> tensor<5x6xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 5.000000e+00 : f32
  %0 = tensor.pad %t low[0, 0] high[5, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<5x6xf32> to tensor<10x13xf32>
  %1 = vector.transfer_write %v, %0[%c0, %c0] : vector<7x9xf32>, tensor<10x13xf32>
  %2 = tensor.extract_slice %1[0, 0] [5, 6] [1, 1] : tensor<10x13xf32> to tensor<5x6xf32>
  return %2 : tensor<5x6xf32>
}

func.func @inserted(%t: tensor<5x6xf32>, %d: tensor<2x12x13xf32>, %i: index) -> tensor<2x12x13xf32> {
  %x = arith.constant 5.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t low[0, 0] high[2, 4] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<5x6xf32> to tensor<7x10xf32>
  %1 = tensor.insert_slice %0 into %d[%c0, 1, 2] [1, 7, 10] [1, 1, 1] : tensor<7x10xf32> into tensor<2x12x13xf32>
  return %1 : tensor<2x12x13xf32>
}

func.func @computed(%t: tensor<3x4xindex>) -> tensor<6x9xindex> {
  %0 = tensor.pad %t low[1, 2] high[2, 3] {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<3x4xindex> to tensor<6x9xindex>
  return %0 : tensor<6x9xindex>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %functions {vectorize_padding} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
