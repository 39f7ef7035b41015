func.func @empty(%k: index, %a: tensor<3x2xf32>, %b: tensor<3x3xf32>) -> (index, index, tensor<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %n = arith.remui %k, %c9 : index
  %0 = tensor.empty(%n) : tensor<?x6xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
  %2 = tensor.dim %1, %c0 : tensor<?xf32>
  %3 = tensor.empty(%n) : tensor<?x6xf32>
  %4 = tensor.extract_slice %3[0, 1] [%n, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>
  %5 = tensor.dim %4, %c0 : tensor<?x3xf32>
  %6 = tensor.empty() : tensor<3x5xf32>
  %7 = tensor.insert_slice %a into %6[0, 0] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<3x5xf32>
  %8 = tensor.insert_slice %b into %7[0, 2] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<3x5xf32>
  return %2, %5, %8 : index, index, tensor<3x5xf32>
}
func.func @packed(%v: f32) -> (tensor<2x3x4x2xf32>, tensor<7x6xf32>, tensor<9x6xf32>) {
  %0 = tensor.empty() : tensor<8x6xf32>
  %d = tensor.empty() : tensor<2x3x4x2xf32>
  %1 = tensor.pack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %d : tensor<8x6xf32> -> tensor<2x3x4x2xf32>
  %filled = linalg.fill ins(%v : f32) outs(%1 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  %tiles = tensor.empty() : tensor<2x3x4x2xf32>
  %whole = tensor.empty() : tensor<7x6xf32>
  %2 = tensor.unpack %tiles inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %whole : tensor<2x3x4x2xf32> -> tensor<7x6xf32>
  %set = linalg.fill ins(%v : f32) outs(%2 : tensor<7x6xf32>) -> tensor<7x6xf32>
  %x = tensor.empty() : tensor<4x6xf32>
  %y = tensor.empty() : tensor<5x6xf32>
  %z = tensor.concat dim(0) %x, %y : (tensor<4x6xf32>, tensor<5x6xf32>) -> tensor<9x6xf32>
  %all = linalg.fill ins(%v : f32) outs(%z : tensor<9x6xf32>) -> tensor<9x6xf32>
  return %filled, %set, %all : tensor<2x3x4x2xf32>, tensor<7x6xf32>, tensor<9x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_tensor_empty
    } : !transform.any_op
    transform.yield
  }
}
