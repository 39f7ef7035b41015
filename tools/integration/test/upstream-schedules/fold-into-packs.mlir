func.func @pad(%x: tensor<7x5xf32>) -> tensor<2x3x4x2xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 0] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x5xf32> to tensor<8x6xf32>
  %d = tensor.empty() : tensor<2x3x4x2xf32>
  %1 = tensor.pack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %d : tensor<8x6xf32> -> tensor<2x3x4x2xf32>
  return %1 : tensor<2x3x4x2xf32>
}
func.func @slice(%x: tensor<2x3x4x2xf32>) -> tensor<7x5xf32> {
  %d = tensor.empty() : tensor<8x6xf32>
  %0 = tensor.unpack %x inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %d : tensor<2x3x4x2xf32> -> tensor<8x6xf32>
  %1 = tensor.extract_slice %0[0, 0] [7, 5] [1, 1] : tensor<8x6xf32> to tensor<7x5xf32>
  return %1 : tensor<7x5xf32>
}
func.func @pack_then_transpose(%x: tensor<8x6x5xf32>) -> tensor<5x3x2x2x4xf32> {
  %d = tensor.empty() : tensor<2x3x5x4x2xf32>
  %0 = tensor.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %d : tensor<8x6x5xf32> -> tensor<2x3x5x4x2xf32>
  %e = tensor.empty() : tensor<5x3x2x2x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<2x3x5x4x2xf32>) outs(%e : tensor<5x3x2x2x4xf32>) permutation = [2, 1, 0, 4, 3]
  return %1 : tensor<5x3x2x2x4xf32>
}
func.func @transpose_then_pack(%x: tensor<8x6x5xf32>) -> tensor<5x2x3x4x2xf32> {
  %e = tensor.empty() : tensor<6x5x8xf32>
  %0 = linalg.transpose ins(%x : tensor<8x6x5xf32>) outs(%e : tensor<6x5x8xf32>) permutation = [1, 2, 0]
  %d = tensor.empty() : tensor<5x2x3x4x2xf32>
  %1 = tensor.pack %0 outer_dims_perm = [1, 2, 0] inner_dims_pos = [2, 0] inner_tiles = [4, 2] into %d : tensor<6x5x8xf32> -> tensor<5x2x3x4x2xf32>
  return %1 : tensor<5x2x3x4x2xf32>
}
func.func @unpack_then_transpose(%x: tensor<3x2x4x2xf32>) -> tensor<6x8xf32> {
  %d = tensor.empty() : tensor<8x6xf32>
  %0 = tensor.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %d : tensor<3x2x4x2xf32> -> tensor<8x6xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<8x6xf32>) outs(%e : tensor<6x8xf32>) permutation = [1, 0]
  return %1 : tensor<6x8xf32>
}
func.func @transpose_then_unpack(%x: tensor<2x3x4x2xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<3x2x2x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (b, a, d, c)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4x2xf32>) outs(%e : tensor<3x2x2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2x2x4xf32>
  %d = tensor.empty() : tensor<6x8xf32>
  %1 = tensor.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %d : tensor<3x2x2x4xf32> -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_into_pack_and_unpack
    } : !transform.any_op
    transform.yield
  }
}
