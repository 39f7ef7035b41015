#map = affine_map<(d0)[s0] -> (d0 + s0)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
"builtin.module"() ({
  "memref.global"() <{constant, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_name = "c", sym_visibility = "private", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{alignment = 64 : i64, initial_value, sym_name = "u", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{sym_name = "d", sym_visibility = "nested", type = memref<2xf32>}> : () -> ()
  "func.func"() <{function_type = (index, f32, i32, memref<4x8xf32>, memref<?x8xf32>, memref<*xf32>, memref<2xindex>, memref<64xi8>, memref<4x8xf32, strided<[16, 1], offset: ?>>, memref<1xi32>, memref<4xf32, 1>) -> (), sym_name = "memrefs"}> ({
  ^bb0(%arg5: index, %arg6: f32, %arg7: i32, %arg8: memref<4x8xf32>, %arg9: memref<?x8xf32>, %arg10: memref<*xf32>, %arg11: memref<2xindex>, %arg12: memref<64xi8>, %arg13: memref<4x8xf32, strided<[16, 1], offset: ?>>, %arg14: memref<1xi32>, %arg15: memref<4xf32, 1>):
    %9 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x8xf32>
    %10 = "memref.alloc"(%arg5) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<4x?xf32>
    %11 = "memref.alloc"(%arg5) <{operandSegmentSizes = array<i32: 0, 1>}> : (index) -> memref<4xf32, #map>
    %12 = "memref.alloca"(%arg5) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
    %13 = "memref.realloc"(%arg14, %arg5) : (memref<1xi32>, index) -> memref<?xi32>
    %14 = "memref.realloc"(%arg14) <{alignment = 8 : i64}> : (memref<1xi32>) -> memref<2xi32>
    %15 = "memref.load"(%arg8, %arg5, %arg5) <{nontemporal = true}> : (memref<4x8xf32>, index, index) -> f32
    "memref.store"(%arg6, %arg8, %arg5, %arg5) : (f32, memref<4x8xf32>, index, index) -> ()
    "memref.copy"(%arg8, %arg9) : (memref<4x8xf32>, memref<?x8xf32>) -> ()
    %16 = "memref.dim"(%arg9, %arg5) : (memref<?x8xf32>, index) -> index
    %17 = "memref.rank"(%arg10) : (memref<*xf32>) -> index
    "memref.assume_alignment"(%arg8) <{alignment = 16 : i32}> : (memref<4x8xf32>) -> ()
    %18 = "memref.atomic_rmw"(%arg6, %arg8, %arg5, %arg5) <{kind = 3 : i64}> : (f32, memref<4x8xf32>, index, index) -> f32
    %19 = "memref.generic_atomic_rmw"(%arg8, %arg5, %arg5) ({
    ^bb0(%arg16: f32):
      "memref.atomic_yield"(%arg16) : (f32) -> ()
    }) : (memref<4x8xf32>, index, index) -> f32
    "memref.prefetch"(%arg8, %arg5, %arg5) <{isDataCache = false, isWrite = true, localityHint = 0 : i32}> : (memref<4x8xf32>, index, index) -> ()
    %20 = "memref.get_global"() <{name = @c}> : () -> memref<2xf32>
    "memref.alloca_scope"() ({
      %34 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
      "memref.alloca_scope.return"() : () -> ()
    }) : () -> ()
    %21 = "memref.alloca_scope"() ({
      "memref.alloca_scope.return"(%arg6) : (f32) -> ()
    }) : () -> f32
    "memref.dma_start"(%arg8, %arg5, %arg5, %arg9, %arg5, %arg5, %arg5, %arg14, %arg5) : (memref<4x8xf32>, index, index, memref<?x8xf32>, index, index, index, memref<1xi32>, index) -> ()
    "memref.dma_start"(%arg8, %arg5, %arg5, %arg9, %arg5, %arg5, %arg5, %arg14, %arg5, %arg5, %arg5) : (memref<4x8xf32>, index, index, memref<?x8xf32>, index, index, index, memref<1xi32>, index, index, index) -> ()
    "memref.dma_wait"(%arg14, %arg5, %arg5) : (memref<1xi32>, index, index) -> ()
    %22 = "memref.subview"(%arg8, %arg5) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, 2>}> : (memref<4x8xf32>, index) -> memref<2x3xf32, strided<[8, 2], offset: ?>>
    %23 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 2>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32, strided<[16, 1], offset: ?>>) -> memref<4xf32, strided<[1], offset: ?>>
    %24 = "memref.reinterpret_cast"(%arg10, %arg5, %arg5, %arg5) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<*xf32>, index, index, index) -> memref<4x?xf32, strided<[?, 1], offset: ?>>
    %25 = "memref.collapse_shape"(%arg8) <{reassociation = [[0, 1]]}> : (memref<4x8xf32>) -> memref<32xf32>
    %26 = "memref.expand_shape"(%arg9, %arg5) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 2, 8>}> : (memref<?x8xf32>, index) -> memref<?x2x8xf32>
    %27 = "memref.cast"(%arg8) : (memref<4x8xf32>) -> memref<?x8xf32, strided<[?, 1], offset: ?>>
    %28 = "memref.memory_space_cast"(%arg15) : (memref<4xf32, 1>) -> memref<4xf32>
    %29 = "memref.reshape"(%arg8, %arg11) : (memref<4x8xf32>, memref<2xindex>) -> memref<8x4xf32>
    %30 = "memref.view"(%arg12, %arg5, %arg5) : (memref<64xi8>, index, index) -> memref<?x4xf32>
    %31 = "memref.transpose"(%arg8) <{permutation = #map1}> : (memref<4x8xf32>) -> memref<8x4xf32, strided<[1, 8]>>
    %32:6 = "memref.extract_strided_metadata"(%arg13) : (memref<4x8xf32, strided<[16, 1], offset: ?>>) -> (memref<f32>, index, index, index, index, index)
    %33 = "memref.extract_aligned_pointer_as_index"(%arg8) : (memref<4x8xf32>) -> index
    "memref.dealloc"(%9) : (memref<4x8xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, tensor<4xf32>, memref<4xf32>, i1, tensor<?xf32>) -> (), sym_name = "bufferization"}> ({
  ^bb0(%arg0: index, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: i1, %arg4: tensor<?xf32>):
    %0 = "bufferization.to_memref"(%arg1) : (tensor<4xf32>) -> memref<4xf32>
    %1 = "bufferization.to_memref"(%arg1) <{read_only}> : (tensor<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
    %2 = "bufferization.to_tensor"(%arg2) <{restrict, writable}> : (memref<4xf32>) -> tensor<4xf32>
    %3 = "bufferization.alloc_tensor"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> tensor<?xf32>
    %4 = "bufferization.alloc_tensor"(%arg1) <{memory_space = 1 : i64, operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "bufferization.alloc_tensor"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (index, index) -> tensor<?xf32>
    %6 = "bufferization.materialize_in_destination"(%arg1, %4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "bufferization.materialize_in_destination"(%arg1, %arg2) <{restrict, writable}> : (tensor<4xf32>, memref<4xf32>) -> ()
    "bufferization.dealloc_tensor"(%3) : (tensor<?xf32>) -> ()
    %7 = "bufferization.clone"(%arg2) : (memref<4xf32>) -> memref<4xf32>
    %8 = "bufferization.dealloc"(%arg2, %0, %arg3, %arg3, %7) <{operandSegmentSizes = array<i32: 2, 2, 1>}> : (memref<4xf32>, memref<4xf32>, i1, i1, memref<4xf32>) -> i1
    "bufferization.dealloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
