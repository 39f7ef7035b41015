module {
  func.func @tensors(%arg0: index, %arg1: f32, %arg2: tensor<4x8xf32>, %arg3: tensor<?x8xf32>, %arg4: tensor<*xf32>, %arg5: tensor<2xindex>, %arg6: tensor<8x4x4x8xf32>) {
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = tensor.empty(%arg0) : tensor<4x?xf32>
    %dim = tensor.dim %arg3, %arg0 : tensor<?x8xf32>
    %rank = tensor.rank %arg4 : tensor<*xf32>
    %cast = tensor.cast %arg2 : tensor<4x8xf32> to tensor<?x8xf32>
    %2 = tensor.bitcast %arg2 : tensor<4x8xf32> to tensor<4x8xi32>
    %extracted = tensor.extract %arg2[%arg0, %arg0] : tensor<4x8xf32>
    %inserted = tensor.insert %arg1 into %arg2[%arg0, %arg0] : tensor<4x8xf32>
    %from_elements = tensor.from_elements %arg1, %arg1 : tensor<2xf32>
    %splat = tensor.splat %arg1 : tensor<4xf32>
    %splat_0 = tensor.splat %arg1[%arg0] : tensor<4x?xf32>
    %generated = tensor.generate %arg0 {
    ^bb0(%arg7: index, %arg8: index):
      tensor.yield %arg1 : f32
    } : tensor<?x3xf32>
    %collapsed = tensor.collapse_shape %arg2 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %expanded = tensor.expand_shape %arg3 [[0, 1], [2]] output_shape [%arg0, 2, 8] : tensor<?x8xf32> into tensor<?x2x8xf32>
    %reshape = tensor.reshape %arg2(%arg5) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<8x4xf32>
    %concat = tensor.concat dim(0) %arg2, %arg2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %gather = tensor.gather %arg2[%arg5] gather_dims([0, 1]) unique : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<1x1xf32>
    %scatter = tensor.scatter %gather into %arg2[%arg5] scatter_dims([0, 1]) unique : (tensor<1x1xf32>, tensor<4x8xf32>, tensor<2xindex>) -> tensor<4x8xf32>
    %3 = tensor.empty() : tensor<2x4x2x2xf32>
    %pack = tensor.pack %arg2 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %3 : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
    %unpack = tensor.unpack %pack outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg2 : tensor<2x4x2x2xf32> -> tensor<4x8xf32>
    %4 = tensor.empty(%arg0, %arg0) : tensor<4x?x?xf32>
    %pack_1 = tensor.pack %arg2 padding_value(%arg1 : f32) outer_dims_perm = [0, 1] inner_dims_pos = [1] inner_tiles = [%arg0] into %4 : tensor<4x8xf32> -> tensor<4x?x?xf32>
    %extracted_slice = tensor.extract_slice %arg2[0, %arg0] [2, 3] [1, 2] : tensor<4x8xf32> to tensor<2x3xf32>
    %extracted_slice_2 = tensor.extract_slice %arg2[0, 0] [1, %arg0] [1, 1] : tensor<4x8xf32> to tensor<?xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %arg2[%arg0, 1] [2, 3] [1, %arg0] : tensor<2x3xf32> into tensor<4x8xf32>
    %padded = tensor.pad %arg2 low[0, %arg0] high[1, 2] {
    ^bb0(%arg7: index, %arg8: index):
      tensor.yield %arg1 : f32
    } : tensor<4x8xf32> to tensor<5x?xf32>
    %padded_3 = tensor.pad %arg2 nofold low[0, 1] high[0, 1] {
    ^bb0(%arg7: index, %arg8: index):
      tensor.yield %arg1 : f32
    } {x.tag} : tensor<4x8xf32> to tensor<4x10xf32>
    return
  }
}
