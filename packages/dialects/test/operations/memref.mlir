#map = affine_map<(d0)[s0] -> (d0 + s0)>
module {
  memref.global "private" constant @c : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
  memref.global @u : memref<2xf32> = uninitialized {alignment = 64 : i64}
  memref.global "nested" @d : memref<2xf32>
  func.func @memrefs(%arg0: index, %arg1: f32, %arg2: i32, %arg3: memref<4x8xf32>, %arg4: memref<?x8xf32>, %arg5: memref<*xf32>, %arg6: memref<2xindex>, %arg7: memref<64xi8>, %arg8: memref<4x8xf32, strided<[16, 1], offset: ?>>, %arg9: memref<1xi32>, %arg10: memref<4xf32, 1>) {
    %alloc = memref.alloc() : memref<4x8xf32>
    %alloc_0 = memref.alloc(%arg0) {alignment = 64 : i64} : memref<4x?xf32>
    %alloc_1 = memref.alloc()[%arg0] : memref<4xf32, #map>
    %alloca = memref.alloca(%arg0) : memref<?xf32>
    %0 = memref.realloc %arg9(%arg0) : memref<1xi32> to memref<?xi32>
    %1 = memref.realloc %arg9 {alignment = 8 : i64} : memref<1xi32> to memref<2xi32>
    %2 = memref.load %arg3[%arg0, %arg0] {nontemporal = true} : memref<4x8xf32>
    memref.store %arg1, %arg3[%arg0, %arg0] : memref<4x8xf32>
    memref.copy %arg3, %arg4 : memref<4x8xf32> to memref<?x8xf32>
    %dim = memref.dim %arg4, %arg0 : memref<?x8xf32>
    %3 = memref.rank %arg5 : memref<*xf32>
    memref.assume_alignment %arg3, 16 : memref<4x8xf32>
    %4 = memref.atomic_rmw maximumf %arg1, %arg3[%arg0, %arg0] : (f32, memref<4x8xf32>) -> f32
    %5 = memref.generic_atomic_rmw %arg3[%arg0, %arg0] : memref<4x8xf32> {
    ^bb0(%arg11: f32):
      memref.atomic_yield %arg11 : f32
    }
    memref.prefetch %arg3[%arg0, %arg0], write, locality<0>, instr : memref<4x8xf32>
    %6 = memref.get_global @c : memref<2xf32>
    memref.alloca_scope  {
      %alloca_3 = memref.alloca() : memref<4xf32>
    }
    %7 = memref.alloca_scope  -> (f32) {
      memref.alloca_scope.return %arg1 : f32
    }
    memref.dma_start %arg3[%arg0, %arg0], %arg4[%arg0, %arg0], %arg0, %arg9[%arg0] : memref<4x8xf32>, memref<?x8xf32>, memref<1xi32>
    memref.dma_start %arg3[%arg0, %arg0], %arg4[%arg0, %arg0], %arg0, %arg9[%arg0], %arg0, %arg0 : memref<4x8xf32>, memref<?x8xf32>, memref<1xi32>
    memref.dma_wait %arg9[%arg0], %arg0 : memref<1xi32>
    %subview = memref.subview %arg3[0, %arg0] [2, 3] [1, 2] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 2], offset: ?>>
    %subview_2 = memref.subview %arg8[1, 2] [1, 4] [1, 1] : memref<4x8xf32, strided<[16, 1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
    %reinterpret_cast = memref.reinterpret_cast %arg5 to offset: [%arg0], sizes: [4, %arg0], strides: [%arg0, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    %collapse_shape = memref.collapse_shape %arg3 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
    %expand_shape = memref.expand_shape %arg4 [[0, 1], [2]] output_shape [%arg0, 2, 8] : memref<?x8xf32> into memref<?x2x8xf32>
    %cast = memref.cast %arg3 : memref<4x8xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
    %memspacecast = memref.memory_space_cast %arg10 : memref<4xf32, 1> to memref<4xf32>
    %reshape = memref.reshape %arg3(%arg6) : (memref<4x8xf32>, memref<2xindex>) -> memref<8x4xf32>
    %view = memref.view %arg7[%arg0][%arg0] : memref<64xi8> to memref<?x4xf32>
    %transpose = memref.transpose %arg3 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg8 : memref<4x8xf32, strided<[16, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
    %intptr = memref.extract_aligned_pointer_as_index %arg3 : memref<4x8xf32> -> index
    memref.dealloc %alloc : memref<4x8xf32>
    return
  }
  func.func @bufferization(%arg0: index, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: i1, %arg4: tensor<?xf32>) {
    %0 = bufferization.to_memref %arg1 : memref<4xf32>
    %1 = bufferization.to_memref %arg1 read_only : memref<4xf32, strided<[?], offset: ?>>
    %2 = bufferization.to_tensor %arg2 restrict writable : memref<4xf32>
    %3 = bufferization.alloc_tensor(%arg0) : tensor<?xf32>
    %4 = bufferization.alloc_tensor() copy(%arg1) {memory_space = 1 : i64} : tensor<4xf32>
    %5 = bufferization.alloc_tensor(%arg0) size_hint=%arg0 : tensor<?xf32>
    %6 = bufferization.materialize_in_destination %arg1 in %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    bufferization.materialize_in_destination %arg1 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
    bufferization.dealloc_tensor %3 : tensor<?xf32>
    %7 = bufferization.clone %arg2 : memref<4xf32> to memref<4xf32>
    %8 = bufferization.dealloc (%arg2, %0 : memref<4xf32>, memref<4xf32>) if (%arg3, %arg3) retain (%7 : memref<4xf32>)
    bufferization.dealloc
    return
  }
}
