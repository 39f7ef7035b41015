module attributes {transform.with_named_sequence} {
  func.func @padded(%a: tensor<4x3x3x2xf32>, %b: tensor<5x10xf32>) -> tensor<5x10xf32> {
    %0 = tensor.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2] into %b : tensor<4x3x3x2xf32> -> tensor<5x10xf32>
    return %0 : tensor<5x10xf32>
  }
  func.func @one_tile(%a: tensor<1x1x6x7xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
    %0 = tensor.unpack %a inner_dims_pos = [0, 1] inner_tiles = [6, 7] into %b : tensor<1x1x6x7xf32> -> tensor<5x7xf32>
    return %0 : tensor<5x7xf32>
  }
  func.func @dynamic(%a: tensor<?x3x2x2xi32>, %b: tensor<?x6xi32>) -> tensor<?x6xi32> {
    %0 = tensor.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<?x3x2x2xi32> -> tensor<?x6xi32>
    return %0 : tensor<?x6xi32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.unpack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.unpack">
    %1:4 = transform.structured.lower_unpack %0 : (!transform.op<"tensor.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.yield
  }
}
