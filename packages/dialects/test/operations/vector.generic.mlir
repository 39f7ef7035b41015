#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1, 0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0) -> ()>
"builtin.module"() ({
  "func.func"() <{function_type = (vector<4x8xf32>, vector<8xf32>, index, f32, memref<?x8xf32>, tensor<?x8xf32>, vector<8xi1>, vector<8xindex>, vector<4xf32>, vector<[4]xf32>, vector<16xf32>, vector<f32>, memref<8xf32>, vector<4x8xi1>) -> (), sym_name = "vectors"}> ({
  ^bb0(%arg0: vector<4x8xf32>, %arg1: vector<8xf32>, %arg2: index, %arg3: f32, %arg4: memref<?x8xf32>, %arg5: tensor<?x8xf32>, %arg6: vector<8xi1>, %arg7: vector<8xindex>, %arg8: vector<4xf32>, %arg9: vector<[4]xf32>, %arg10: vector<16xf32>, %arg11: vector<f32>, %arg12: memref<8xf32>, %arg13: vector<4x8xi1>):
    %0 = "vector.transfer_read"(%arg4, %arg2, %arg2, %arg3) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<?x8xf32>, index, index, f32) -> vector<8xf32>
    %1 = "vector.transfer_read"(%arg5, %arg2, %arg2, %arg3) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map1}> : (tensor<?x8xf32>, index, index, f32) -> vector<4x8xf32>
    %2 = "vector.transfer_read"(%arg4, %arg2, %arg2, %arg3, %arg6) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = #map}> : (memref<?x8xf32>, index, index, f32, vector<8xi1>) -> vector<8xf32>
    "vector.transfer_write"(%arg1, %arg4, %arg2, %arg2) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<8xf32>, memref<?x8xf32>, index, index) -> ()
    %3 = "vector.transfer_write"(%arg1, %arg5, %arg2, %arg2, %arg6) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 2, 1>, permutation_map = #map}> : (vector<8xf32>, tensor<?x8xf32>, index, index, vector<8xi1>) -> tensor<?x8xf32>
    %4 = "vector.outerproduct"(%arg8, %arg1) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<8xf32>) -> vector<4x8xf32>
    %5 = "vector.outerproduct"(%arg8, %arg1, %arg0) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %6 = "vector.outerproduct"(%arg9, %arg3) <{kind = #vector.kind<add>}> : (vector<[4]xf32>, f32) -> vector<[4]xf32>
    %7 = "vector.fma"(%arg1, %arg1, %arg1) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
    %8 = "vector.reduction"(%arg1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<8xf32>) -> f32
    %9 = "vector.reduction"(%arg1, %arg3) <{fastmath = #arith.fastmath<nnan>, kind = #vector.kind<maximumf>}> : (vector<8xf32>, f32) -> f32
    %10 = "vector.multi_reduction"(%arg0, %arg1) <{kind = #vector.kind<mul>, reduction_dims = [0]}> : (vector<4x8xf32>, vector<8xf32>) -> vector<8xf32>
    %11 = "vector.multi_reduction"(%arg0, %arg3) <{kind = #vector.kind<add>, reduction_dims = [0, 1]}> : (vector<4x8xf32>, f32) -> f32
    %12:2 = "vector.scan"(%arg0, %arg1) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 0 : i64}> : (vector<4x8xf32>, vector<8xf32>) -> (vector<4x8xf32>, vector<8xf32>)
    %13 = "vector.broadcast"(%arg3) : (f32) -> vector<4x8xf32>
    %14 = "vector.broadcast"(%arg1) : (vector<8xf32>) -> vector<4x8xf32>
    %15 = "vector.splat"(%arg3) : (f32) -> vector<8xf32>
    %16 = "vector.from_elements"(%arg3, %arg3) : (f32, f32) -> vector<2xf32>
    %17 = "vector.extractelement"(%arg1, %arg2) : (vector<8xf32>, index) -> f32
    %18 = "vector.extractelement"(%arg11) : (vector<f32>) -> f32
    %19 = "vector.insertelement"(%arg3, %arg1, %arg2) : (f32, vector<8xf32>, index) -> vector<8xf32>
    %20 = "vector.extract"(%arg0) <{static_position = array<i64: 2>}> : (vector<4x8xf32>) -> vector<8xf32>
    %21 = "vector.extract"(%arg0, %arg2) <{static_position = array<i64: 2, -9223372036854775808>}> : (vector<4x8xf32>, index) -> f32
    %22 = "vector.insert"(%arg1, %arg0, %arg2) <{static_position = array<i64: -9223372036854775808>}> : (vector<8xf32>, vector<4x8xf32>, index) -> vector<4x8xf32>
    %23 = "vector.shuffle"(%arg1, %arg8) <{mask = [0, 9, 3]}> : (vector<8xf32>, vector<4xf32>) -> vector<3xf32>
    %24 = "vector.extract_strided_slice"(%arg0) <{offsets = [1], sizes = [2], strides = [1]}> : (vector<4x8xf32>) -> vector<2x8xf32>
    %25 = "vector.insert_strided_slice"(%arg8, %arg0) <{offsets = [1, 4], strides = [1]}> : (vector<4xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %26 = "vector.shape_cast"(%arg0) : (vector<4x8xf32>) -> vector<32xf32>
    %27 = "vector.bitcast"(%arg0) : (vector<4x8xf32>) -> vector<4x16xi16>
    %28 = "vector.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (vector<4x8xf32>) -> vector<8x4xf32>
    %29 = "vector.flat_transpose"(%arg10) <{columns = 4 : i32, rows = 4 : i32}> : (vector<16xf32>) -> vector<16xf32>
    %30 = "vector.matrix_multiply"(%arg10, %arg10) <{lhs_columns = 4 : i32, lhs_rows = 4 : i32, rhs_columns = 4 : i32}> : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %31 = "vector.interleave"(%arg1, %arg1) : (vector<8xf32>, vector<8xf32>) -> vector<16xf32>
    %32:2 = "vector.deinterleave"(%arg1) : (vector<8xf32>) -> (vector<4xf32>, vector<4xf32>)
    %33 = "vector.scalable.insert"(%arg8, %arg9) <{pos = 4 : i64}> : (vector<4xf32>, vector<[4]xf32>) -> vector<[4]xf32>
    %34 = "vector.scalable.extract"(%arg9) <{pos = 4 : i64}> : (vector<[4]xf32>) -> vector<4xf32>
    %35 = "vector.load"(%arg4, %arg2, %arg2) : (memref<?x8xf32>, index, index) -> vector<8xf32>
    "vector.store"(%arg1, %arg4, %arg2, %arg2) : (vector<8xf32>, memref<?x8xf32>, index, index) -> ()
    %36 = "vector.maskedload"(%arg12, %arg2, %arg6, %arg1) : (memref<8xf32>, index, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    "vector.maskedstore"(%arg12, %arg2, %arg6, %arg1) : (memref<8xf32>, index, vector<8xi1>, vector<8xf32>) -> ()
    %37 = "vector.gather"(%arg12, %arg2, %arg7, %arg6, %arg1) : (memref<8xf32>, index, vector<8xindex>, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    "vector.scatter"(%arg12, %arg2, %arg7, %arg6, %arg1) : (memref<8xf32>, index, vector<8xindex>, vector<8xi1>, vector<8xf32>) -> ()
    %38 = "vector.expandload"(%arg12, %arg2, %arg6, %arg1) : (memref<8xf32>, index, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    "vector.compressstore"(%arg12, %arg2, %arg6, %arg1) : (memref<8xf32>, index, vector<8xi1>, vector<8xf32>) -> ()
    %39 = "vector.type_cast"(%arg12) : (memref<8xf32>) -> memref<vector<8xf32>>
    %40 = "vector.create_mask"(%arg2, %arg2) : (index, index) -> vector<4x8xi1>
    %41 = "vector.constant_mask"() <{mask_dim_sizes = [2, 8]}> : () -> vector<4x8xi1>
    %42 = "vector.mask"(%arg6) ({
      %52 = "vector.reduction"(%arg1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<8xf32>) -> f32
      "vector.yield"(%52) : (f32) -> ()
    }) : (vector<8xi1>) -> f32
    %43 = "vector.mask"(%arg6, %arg1) ({
      %51 = "vector.transfer_read"(%arg4, %arg2, %arg2, %arg3) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<?x8xf32>, index, index, f32) -> vector<8xf32>
      "vector.yield"(%51) : (vector<8xf32>) -> ()
    }) : (vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    "vector.mask"(%arg6) ({
      "vector.transfer_write"(%arg1, %arg4, %arg2, %arg2) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<8xf32>, memref<?x8xf32>, index, index) -> ()
      "vector.yield"() : () -> ()
    }) : (vector<8xi1>) -> ()
    "vector.print"(%arg1) <{punctuation = #vector.punctuation<newline>}> : (vector<8xf32>) -> ()
    "vector.print"(%arg3) <{punctuation = #vector.punctuation<comma>}> : (f32) -> ()
    "vector.print"() <{punctuation = #vector.punctuation<newline>, stringLiteral = "done"}> : () -> ()
    %44 = "vector.vscale"() : () -> index
    %45 = "vector.step"() : () -> vector<4xindex>
    %46 = "vector.warp_execute_on_lane_0"(%arg2, %arg1) <{warp_size = 4 : i64}> ({
    ^bb0(%arg14: vector<32xf32>):
      "vector.yield"(%arg14) : (vector<32xf32>) -> ()
    }) : (index, vector<8xf32>) -> vector<8xf32>
    "vector.warp_execute_on_lane_0"(%arg2) <{warp_size = 32 : i64}> ({
      "vector.yield"() : () -> ()
    }) : (index) -> ()
    %47 = "vector.contract"(%arg0, %arg1, %arg8) <{indexing_maps = [#map1, #map, #map2], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4x8xf32>, vector<8xf32>, vector<4xf32>) -> vector<4xf32>
    %48 = "vector.transfer_read"(%arg4, %arg2, %arg2, %arg3) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map3}> : (memref<?x8xf32>, index, index, f32) -> vector<8x4xf32>
    %49 = "vector.reshape"(%arg0, %arg2, %arg2, %arg2) <{fixed_vector_sizes = [8], operandSegmentSizes = array<i32: 1, 1, 2>}> : (vector<4x8xf32>, index, index, index) -> vector<2x2x8xf32>
    %50 = "vector.contract"(%arg1, %arg1, %arg3) <{indexing_maps = [#map4, #map4, #map5], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<maxnumf>}> : (vector<8xf32>, vector<8xf32>, f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
