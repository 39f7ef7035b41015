module attributes {transform.with_named_sequence} {
  func.func @aligned(%a: tensor<3x2x4x3xf32>, %b: tensor<6x12xf32>) -> tensor<6x12xf32> {
    %0 = tensor.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 3] into %b : tensor<3x2x4x3xf32> -> tensor<6x12xf32>
    return %0 : tensor<6x12xf32>
  }
  func.func @unaligned(%a: tensor<4x3x2x5xf32>, %b: tensor<7x14xf32>) -> tensor<7x14xf32> {
    %0 = tensor.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 5] into %b : tensor<4x3x2x5xf32> -> tensor<7x14xf32>
    return %0 : tensor<7x14xf32>
  }
  func.func @some_dimensions(%a: tensor<3x3x2xf32>, %b: tensor<5x3xf32>) -> tensor<5x3xf32> {
    %0 = tensor.unpack %a inner_dims_pos = [0] inner_tiles = [2] into %b {tag = "keep"} : tensor<3x3x2xf32> -> tensor<5x3xf32>
    return %0 : tensor<5x3xf32>
  }
  func.func @dynamic(%a: tensor<2x?x3x2xi32>) -> tensor<?x?xi32> {
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %b = tensor.empty(%c5, %c8) : tensor<?x?xi32>
    %0 = tensor.unpack %a inner_dims_pos = [0, 1] inner_tiles = [3, 2] into %b : tensor<2x?x3x2xi32> -> tensor<?x?xi32>
    return %0 : tensor<?x?xi32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
