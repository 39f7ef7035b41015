func.func @pad(%t: tensor<2x3xf32>, %x: f32) -> tensor<2x5xf32> {
  %0 = tensor.pad %t low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<2x3xf32> to tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

func.func @pad_unknown(%t: tensor<?x?xi32>, %d: tensor<2x3xi32>) -> tensor<?x?xi32> {
  %x = arith.constant 7 : i32
  %c1 = arith.constant 1 : index
  %0 = tensor.pad %t low[0, 0] high[%c1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : i32
  } : tensor<?x?xi32> to tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

func.func @pack(%t: tensor<5x7xf32>, %d: tensor<4x2x2x4xf32>) -> tensor<4x2x2x4xf32> {
  %x = arith.constant 9.000000e+00 : f32
  %0 = tensor.pack %t padding_value(%x : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %d : tensor<5x7xf32> -> tensor<4x2x2x4xf32>
  return %0 : tensor<4x2x2x4xf32>
}

func.func @unpack(%t: tensor<2x3x4x2xf32>, %d: tensor<7x6xf32>) -> tensor<7x6xf32> {
  %0 = tensor.unpack %t inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %d : tensor<2x3x4x2xf32> -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

func.func @unpack_turned(%t: tensor<3x2x4xi32>, %d: tensor<2x12xi32>) -> tensor<2x12xi32> {
  %0 = tensor.unpack %t outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %d : tensor<3x2x4xi32> -> tensor<2x12xi32>
  return %0 : tensor<2x12xi32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pads = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %pads vector_sizes [8, 8] : !transform.any_op
    %packs = transform.structured.match ops{["tensor.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %packs vector_sizes [4, 2] : !transform.any_op
    %unpacks = transform.structured.match ops{["tensor.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %unpacks : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %first vector_sizes [8, 6] : !transform.any_op
    transform.structured.vectorize %second : !transform.any_op
    transform.yield
  }
}
