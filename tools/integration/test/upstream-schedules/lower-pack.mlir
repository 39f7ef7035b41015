module attributes {transform.with_named_sequence} {
  func.func @padded(%a: tensor<5x10xf32>, %b: tensor<4x3x3x2xf32>, %v: f32) -> tensor<4x3x3x2xf32> {
    %0 = tensor.pack %a padding_value(%v : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2] into %b : tensor<5x10xf32> -> tensor<4x3x3x2xf32>
    return %0 : tensor<4x3x3x2xf32>
  }
  func.func @one_tile(%a: tensor<5x7xf32>, %b: tensor<1x1x6x7xf32>, %v: f32) -> tensor<1x1x6x7xf32> {
    %0 = tensor.pack %a padding_value(%v : f32) inner_dims_pos = [0, 1] inner_tiles = [6, 7] into %b : tensor<5x7xf32> -> tensor<1x1x6x7xf32>
    return %0 : tensor<1x1x6x7xf32>
  }
  func.func @dynamic(%a: tensor<?x6xi32>, %b: tensor<?x3x2x2xi32>, %v: i32) -> tensor<?x3x2x2xi32> {
    %0 = tensor.pack %a padding_value(%v : i32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<?x6xi32> -> tensor<?x3x2x2xi32>
    return %0 : tensor<?x3x2x2xi32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.pack">
    %1:3 = transform.structured.lower_pack %0 : (!transform.op<"tensor.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    transform.yield
  }
}
