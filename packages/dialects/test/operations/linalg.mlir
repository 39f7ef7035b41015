#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @linalg(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>, %arg2: memref<4x8xf32>, %arg3: f32, %arg4: tensor<8x4xf32>, %arg5: tensor<2x3x3x5xf32>, %arg6: tensor<6x6x5x2xf32>, %arg7: tensor<2x10x10x5xf32>, %arg8: tensor<6x6x2x2x2x5xf32>, %arg9: tensor<6x6x2x2x2x2xf32>, %arg10: tensor<2x8x8x2xf32>, %arg11: memref<1x6x2xf32>, %arg12: memref<2x2x3xf32>, %arg13: memref<1x2x3xf32>) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4xf32>) attrs =  {tag} {
    ^bb0(%in: f32, %out: f32):
      %7 = linalg.index 1 : index
      linalg.yield %in : f32
    } -> tensor<4xf32>
    linalg.generic {doc = "text", indexing_maps = [#map], iterator_types = ["parallel", "parallel"], library_call = "call"} outs(%arg2 : memref<4x8xf32>) {
    ^bb0(%out: f32):
      linalg.yield %arg3 : f32
    }
    %1:2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} outs(%arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>) {
    ^bb0(%out: f32, %out_2: f32):
      linalg.yield %out_2, %out : f32, f32
    } -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %mapped = linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>)
    %mapped_0 = linalg.map ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) {x.tag}
      (%in: f32) {
        %7 = math.exp %in : f32
        %8 = math.exp %7 : f32
        linalg.yield %8 : f32
      }
    linalg.map outs(%arg2 : memref<4x8xf32>)
      () {
        linalg.yield %arg3 : f32
      }
    %reduced = linalg.reduce { arith.addf } ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4xf32>) dimensions = [1] 
    %reduced_1:2 = linalg.reduce ins(%arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1, %arg1 : tensor<4xf32>, tensor<4xf32>) dimensions = [1]  {x.tag}
      (%in: f32, %in_2: f32, %init: f32, %init_3: f32) {
        linalg.yield %init, %in_2 : f32, f32
      }
    %transposed = linalg.transpose ins(%arg0 : tensor<4x8xf32>) outs(%arg4 : tensor<8x4xf32>) permutation = [1, 0] 
    %broadcasted = linalg.broadcast ins(%arg1 : tensor<4xf32>) outs(%arg0 : tensor<4x8xf32>) dimensions = [1]  {x.tag}
    %2 = linalg.softmax dimension(1) ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    linalg.softmax dimension(0) ins(%arg2 : memref<4x8xf32>) outs(%arg2 : memref<4x8xf32>)
    %3 = linalg.winograd_filter_transform m(4) r(3) ins(%arg5 : tensor<2x3x3x5xf32>) outs(%arg6 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
    %4 = linalg.winograd_input_transform m(4) r(3) ins(%arg7 : tensor<2x10x10x5xf32>) outs(%arg8 : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
    %5 = linalg.winograd_output_transform m(4) r(3) ins(%arg9 : tensor<6x6x2x2x2x2xf32>) outs(%arg10 : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
    %6 = linalg.elemwise_unary {cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.unary_fn<negf>} ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<3> : tensor<1xi64>} ins(%arg11, %arg12 : memref<1x6x2xf32>, memref<2x2x3xf32>) outs(%arg13 : memref<1x2x3xf32>)
    return
  }
}
