module attributes {transform.with_named_sequence} {
  func.func @whole(%a: tensor<6x12xf32>, %b: tensor<3x2x4x3xf32>) -> tensor<3x2x4x3xf32> {
    %0 = tensor.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 3] into %b : tensor<6x12xf32> -> tensor<3x2x4x3xf32>
    return %0 : tensor<3x2x4x3xf32>
  }
  func.func @padded(%a: tensor<7x10xf32>, %b: tensor<3x4x3x3xf32>, %v: f32) -> tensor<3x4x3x3xf32> {
    %0 = tensor.pack %a padding_value(%v : f32) inner_dims_pos = [0, 1] inner_tiles = [3, 3] into %b : tensor<7x10xf32> -> tensor<3x4x3x3xf32>
    return %0 : tensor<3x4x3x3xf32>
  }
  func.func @some_dimensions(%a: tensor<5x3x4xf32>, %b: tensor<3x3x4x2xf32>, %v: f32) -> tensor<3x3x4x2xf32> {
    %0 = tensor.pack %a padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [2] into %b {tag = "keep"} : tensor<5x3x4xf32> -> tensor<3x3x4x2xf32>
    return %0 : tensor<3x3x4x2xf32>
  }
  func.func @dynamic(%a: tensor<?x?xi32>, %v: i32) -> tensor<?x?x3x2xi32> {
    %c2 = arith.constant 2 : index
    %b = tensor.empty(%c2, %c2) : tensor<?x?x3x2xi32>
    %0 = tensor.pack %a padding_value(%v : i32) inner_dims_pos = [0, 1] inner_tiles = [3, 2] into %b : tensor<?x?xi32> -> tensor<?x?x3x2xi32>
    return %0 : tensor<?x?x3x2xi32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [2, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
