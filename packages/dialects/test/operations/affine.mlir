#map = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 3)>
#map1 = affine_map<(d0) -> (d0, -d0 + 8)>
#map2 = affine_map<()[s0] -> (s0, 4)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0)[s0] -> (d0 + 2, s0)>
#map5 = affine_map<(d0) -> (d0, 1)>
#set = affine_set<(d0)[s0] : (d0 - 4 >= 0, s0 - 2 == 0)>
#set1 = affine_set<(d0) : (d0 - 1 >= 0)>
module {
  func.func @affine(%arg0: index, %arg1: memref<8x8xf32>, %arg2: memref<1xi32>, %arg3: memref<8x8xf32, 1>, %arg4: f32, %arg5: vector<2xf32>, %arg6: index) -> f32 {
    %0 = affine.apply #map(%arg6)[%arg0]
    %1 = affine.min #map1(%arg6)
    %2 = affine.max #map2()[%arg0]
    %3:2 = affine.delinearize_index %arg6 into (%arg0, %arg0) : index, index
    affine.for %arg7 = 0 to 8 {
      affine.for %arg8 = #map3(%arg7) to min #map4(%arg7)[%arg0] step 2 {
        %6 = affine.load %arg1[%arg7, %arg8] : memref<8x8xf32>
        affine.store %6, %arg1[%arg8, %arg7 mod 8] : memref<8x8xf32>
        affine.prefetch %arg1[%arg7, %arg8 + 1], write, locality<3>, instr : memref<8x8xf32>
        %7 = affine.vector_load %arg1[%arg7, %arg8] : memref<8x8xf32>, vector<2xf32>
        affine.vector_store %7, %arg1[%arg8, %arg7] : memref<8x8xf32>, vector<2xf32>
      } {x.tag}
    }
    %4 = affine.for %arg7 = max #map5(%arg0) to %arg0 iter_args(%arg8 = %arg4) -> (f32) {
      %6 = affine.if #set(%arg7)[%arg0] -> f32 {
        affine.yield %arg8 : f32
      } else {
        affine.yield %arg4 : f32
      }
      affine.yield %6 : f32
    }
    affine.if #set1(%arg0) {
    }
    affine.parallel (%arg7, %arg8) = (0, 1) to (8, symbol(%arg0)) step (2, 1) {
      affine.store %arg4, %arg1[%arg7, %arg8] : memref<8x8xf32>
    }
    %5:2 = affine.parallel (%arg7) = (max(0, %arg0)) to (min(8, %arg0)) reduce ("addf", "mulf") -> (f32, f32) {
      affine.yield %arg4, %arg4 : f32, f32
    }
    %c16 = arith.constant 16 : index
    affine.dma_start %arg1[%arg0, 0], %arg3[0, %arg0], %arg2[0], %c16 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
    affine.dma_start %arg1[%arg0, 0], %arg3[0, %arg0], %arg2[0], %c16, %arg0, %arg0 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
    affine.dma_wait %arg2[0], %c16 : memref<1xi32>
    return %4 : f32
  }
}
