#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 3 + d3 * 2, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4xf32>, memref<4x8xf32>, f32, tensor<8x4xf32>, tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>, tensor<2x10x10x5xf32>, tensor<6x6x2x2x2x5xf32>, tensor<6x6x2x2x2x2xf32>, tensor<2x8x8x2xf32>, memref<1x6x2xf32>, memref<2x2x3xf32>, memref<1x2x3xf32>) -> (), sym_name = "linalg"}> ({
  ^bb0(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>, %arg2: memref<4x8xf32>, %arg3: f32, %arg4: tensor<8x4xf32>, %arg5: tensor<2x3x3x5xf32>, %arg6: tensor<6x6x5x2xf32>, %arg7: tensor<2x10x10x5xf32>, %arg8: tensor<6x6x2x2x2x5xf32>, %arg9: tensor<6x6x2x2x2x2xf32>, %arg10: tensor<2x8x8x2xf32>, %arg11: memref<1x6x2xf32>, %arg12: memref<2x2x3xf32>, %arg13: memref<1x2x3xf32>):
    %0 = "linalg.generic"(%arg0, %arg1) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg35: f32, %arg36: f32):
      %20 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      "linalg.yield"(%arg35) : (f32) -> ()
    }) {tag} : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
    "linalg.generic"(%arg2) <{doc = "text", indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], library_call = "call", operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg34: f32):
      "linalg.yield"(%arg3) : (f32) -> ()
    }) : (memref<4x8xf32>) -> ()
    %1:2 = "linalg.generic"(%arg0, %arg0) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 2>}> ({
    ^bb0(%arg32: f32, %arg33: f32):
      "linalg.yield"(%arg33, %arg32) : (f32, f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %2 = "linalg.map"(%arg0, %arg0, %arg0) ({
    ^bb0(%arg30: f32, %arg31: f32):
      %19 = "arith.addf"(%arg30, %arg31) <{fastmath = #arith.fastmath<fast>}> : (f32, f32) -> f32
      "linalg.yield"(%19) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = "linalg.map"(%arg0, %arg0) ({
    ^bb0(%arg29: f32):
      %17 = "math.exp"(%arg29) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %18 = "math.exp"(%17) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%18) : (f32) -> ()
    }) {x.tag} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "linalg.map"(%arg2) ({
      "linalg.yield"(%arg3) : (f32) -> ()
    }) : (memref<4x8xf32>) -> ()
    %4 = "linalg.reduce"(%arg0, %arg1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg27: f32, %arg28: f32):
      %16 = "arith.addf"(%arg28, %arg27) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%16) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
    %5:2 = "linalg.reduce"(%arg0, %arg0, %arg1, %arg1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg23: f32, %arg24: f32, %arg25: f32, %arg26: f32):
      "linalg.yield"(%arg25, %arg24) : (f32, f32) -> ()
    }) {x.tag} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %6 = "linalg.transpose"(%arg0, %arg4) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg21: f32, %arg22: f32):
      "linalg.yield"(%arg21) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %7 = "linalg.broadcast"(%arg1, %arg0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg19: f32, %arg20: f32):
      "linalg.yield"(%arg19) : (f32) -> ()
    }) {x.tag} : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %8 = "linalg.softmax"(%arg0, %arg0) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "linalg.softmax"(%arg2, %arg2) <{dimension = 0 : i64}> : (memref<4x8xf32>, memref<4x8xf32>) -> ()
    %9 = "linalg.winograd_filter_transform"(%arg5, %arg6) <{m = 4 : i64, r = 3 : i64}> : (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
    %10 = "linalg.winograd_input_transform"(%arg7, %arg8) <{m = 4 : i64, r = 3 : i64}> : (tensor<2x10x10x5xf32>, tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
    %11 = "linalg.winograd_output_transform"(%arg9, %arg10) <{m = 4 : i64, r = 3 : i64}> : (tensor<6x6x2x2x2x2xf32>, tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
    %12 = "linalg.elemwise_unary"(%arg0, %arg0) <{cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.unary_fn<negf>, operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32):
      %15 = "arith.negf"(%arg17) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%15) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "linalg.conv_1d_nwc_wcf"(%arg11, %arg12, %arg13) <{dilations = dense<2> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<3> : tensor<1xi64>}> ({
    ^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
      %13 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %14 = "arith.addf"(%arg16, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%14) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map2, #map3, #map4]} : (memref<1x6x2xf32>, memref<2x2x3xf32>, memref<1x2x3xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
