"builtin.module"() ({
  "func.func"() <{function_type = (index, f32, tensor<4x8xf32>, tensor<?x8xf32>, tensor<*xf32>, tensor<2xindex>, tensor<8x4x4x8xf32>) -> (), sym_name = "tensors"}> ({
  ^bb0(%arg0: index, %arg1: f32, %arg2: tensor<4x8xf32>, %arg3: tensor<?x8xf32>, %arg4: tensor<*xf32>, %arg5: tensor<2xindex>, %arg6: tensor<8x4x4x8xf32>):
    %0 = "tensor.empty"() : () -> tensor<4x8xf32>
    %1 = "tensor.empty"(%arg0) : (index) -> tensor<4x?xf32>
    %2 = "tensor.dim"(%arg3, %arg0) : (tensor<?x8xf32>, index) -> index
    %3 = "tensor.rank"(%arg4) : (tensor<*xf32>) -> index
    %4 = "tensor.cast"(%arg2) : (tensor<4x8xf32>) -> tensor<?x8xf32>
    %5 = "tensor.bitcast"(%arg2) : (tensor<4x8xf32>) -> tensor<4x8xi32>
    %6 = "tensor.extract"(%arg2, %arg0, %arg0) : (tensor<4x8xf32>, index, index) -> f32
    %7 = "tensor.insert"(%arg1, %arg2, %arg0, %arg0) : (f32, tensor<4x8xf32>, index, index) -> tensor<4x8xf32>
    %8 = "tensor.from_elements"(%arg1, %arg1) : (f32, f32) -> tensor<2xf32>
    %9 = "tensor.splat"(%arg1) : (f32) -> tensor<4xf32>
    %10 = "tensor.splat"(%arg1, %arg0) : (f32, index) -> tensor<4x?xf32>
    %11 = "tensor.generate"(%arg0) ({
    ^bb0(%arg11: index, %arg12: index):
      "tensor.yield"(%arg1) : (f32) -> ()
    }) : (index) -> tensor<?x3xf32>
    %12 = "tensor.collapse_shape"(%arg2) <{reassociation = [[0, 1]]}> : (tensor<4x8xf32>) -> tensor<32xf32>
    %13 = "tensor.expand_shape"(%arg3, %arg0) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 2, 8>}> : (tensor<?x8xf32>, index) -> tensor<?x2x8xf32>
    %14 = "tensor.reshape"(%arg2, %arg5) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<8x4xf32>
    %15 = "tensor.concat"(%arg2, %arg2) <{dim = 0 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %16 = "tensor.gather"(%arg2, %arg5) <{gather_dims = array<i64: 0, 1>, unique}> : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<1x1xf32>
    %17 = "tensor.scatter"(%16, %arg2, %arg5) <{scatter_dims = array<i64: 0, 1>, unique}> : (tensor<1x1xf32>, tensor<4x8xf32>, tensor<2xindex>) -> tensor<4x8xf32>
    %18 = "tensor.empty"() : () -> tensor<2x4x2x2xf32>
    %19 = "tensor.pack"(%arg2, %18) <{inner_dims_pos = array<i64: 0, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_inner_tiles = array<i64: 2, 2>}> : (tensor<4x8xf32>, tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
    %20 = "tensor.unpack"(%19, %arg2) <{inner_dims_pos = array<i64: 0, 1>, outer_dims_perm = array<i64: 0, 1>, static_inner_tiles = array<i64: 2, 2>}> : (tensor<2x4x2x2xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %21 = "tensor.empty"(%arg0, %arg0) : (index, index) -> tensor<4x?x?xf32>
    %22 = "tensor.pack"(%arg2, %21, %arg1, %arg0) <{inner_dims_pos = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, outer_dims_perm = array<i64: 0, 1>, static_inner_tiles = array<i64: -9223372036854775808>}> : (tensor<4x8xf32>, tensor<4x?x?xf32>, f32, index) -> tensor<4x?x?xf32>
    %23 = "tensor.extract_slice"(%arg2, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, 2>}> : (tensor<4x8xf32>, index) -> tensor<2x3xf32>
    %24 = "tensor.extract_slice"(%arg2, %arg0) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (tensor<4x8xf32>, index) -> tensor<?xf32>
    %25 = "tensor.insert_slice"(%23, %arg2, %arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808, 1>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, -9223372036854775808>}> : (tensor<2x3xf32>, tensor<4x8xf32>, index, index) -> tensor<4x8xf32>
    %26 = "tensor.pad"(%arg2, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_high = array<i64: 1, 2>, static_low = array<i64: 0, -9223372036854775808>}> ({
    ^bb0(%arg9: index, %arg10: index):
      "tensor.yield"(%arg1) : (f32) -> ()
    }) : (tensor<4x8xf32>, index) -> tensor<5x?xf32>
    %27 = "tensor.pad"(%arg2) <{nofold, operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 0, 1>, static_low = array<i64: 0, 1>}> ({
    ^bb0(%arg7: index, %arg8: index):
      "tensor.yield"(%arg1) : (f32) -> ()
    }) {x.tag} : (tensor<4x8xf32>) -> tensor<4x10xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
