// What every op of the tensor dialect becomes.

func.func @padded(%t: tensor<?x10xf32>, %low: index, %high: index, %x: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %t low[5, %low] high[%high, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x10xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @created(%x: f32, %n: index) -> (tensor<2x3xf32>, tensor<f32>, tensor<?x2xf32>, tensor<?xindex>) {
  %0 = tensor.from_elements %x, %x, %x, %x, %x, %x : tensor<2x3xf32>
  %1 = tensor.from_elements %x : tensor<f32>
  %2 = tensor.splat %x[%n] : tensor<?x2xf32>
  %3 = tensor.generate %n {
  ^bb0(%i: index):
    %j = arith.addi %i, %n : index
    tensor.yield %j : index
  } : tensor<?xindex>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<f32>, tensor<?x2xf32>, tensor<?xindex>
}

func.func @reshaped(%t: tensor<?x8x4xf32>, %i: index, %n: index) -> (tensor<?x32xf32>, tensor<?x2x4x4xf32>, tensor<f32>, tensor<1x1xf32>) {
  %part = tensor.extract_slice %t[%i, 0, 0] [%n, 8, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x8x4xf32>
  %0 = tensor.collapse_shape %part [[0], [1, 2]] : tensor<?x8x4xf32> into tensor<?x32xf32>
  %1 = tensor.expand_shape %t [[0], [1, 2], [3]] output_shape [%n, 2, 4, 4] : tensor<?x8x4xf32> into tensor<?x2x4x4xf32>
  %one = tensor.extract_slice %t[%i, 0, 0] [1, 1, 1] [1, 1, 1] : tensor<?x8x4xf32> to tensor<1x1xf32>
  %2 = tensor.collapse_shape %one [] : tensor<1x1xf32> into tensor<f32>
  return %0, %1, %2, %one : tensor<?x32xf32>, tensor<?x2x4x4xf32>, tensor<f32>, tensor<1x1xf32>
}

func.func @sizes(%t: tensor<?x4xf32>, %u: tensor<*xf32>, %i: index) -> (index, index, index, tensor<4x4xf32>) {
  %0 = tensor.dim %t, %i : tensor<?x4xf32>
  %1 = tensor.rank %u : tensor<*xf32>
  %2 = tensor.dim %u, %i : tensor<*xf32>
  %3 = tensor.cast %t : tensor<?x4xf32> to tensor<4x4xf32>
  return %0, %1, %2, %3 : index, index, index, tensor<4x4xf32>
}

func.func @slices(%t: tensor<8x8xf32>, %s: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = tensor.insert_slice %s into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
  %row = tensor.extract_slice %0[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
  %cleared = linalg.fill ins(%x : f32) outs(%row : tensor<1x8xf32>) -> tensor<1x8xf32>
  %1 = tensor.insert_slice %cleared into %0[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
  return %1, %t : tensor<8x8xf32>, tensor<8x8xf32>
}
