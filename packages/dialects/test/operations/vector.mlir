#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1, 0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0) -> ()>
module {
  func.func @vectors(%arg0: vector<4x8xf32>, %arg1: vector<8xf32>, %arg2: index, %arg3: f32, %arg4: memref<?x8xf32>, %arg5: tensor<?x8xf32>, %arg6: vector<8xi1>, %arg7: vector<8xindex>, %arg8: vector<4xf32>, %arg9: vector<[4]xf32>, %arg10: vector<16xf32>, %arg11: vector<f32>, %arg12: memref<8xf32>, %arg13: vector<4x8xi1>) {
    %0 = vector.transfer_read %arg4[%arg2, %arg2], %arg3 : memref<?x8xf32>, vector<8xf32>
    %1 = vector.transfer_read %arg5[%arg2, %arg2], %arg3 {in_bounds = [false, true]} : tensor<?x8xf32>, vector<4x8xf32>
    %2 = vector.transfer_read %arg4[%arg2, %arg2], %arg3, %arg6 {in_bounds = [true]} : memref<?x8xf32>, vector<8xf32>
    vector.transfer_write %arg1, %arg4[%arg2, %arg2] : vector<8xf32>, memref<?x8xf32>
    %3 = vector.transfer_write %arg1, %arg5[%arg2, %arg2], %arg6 {in_bounds = [true]} : vector<8xf32>, tensor<?x8xf32>
    %4 = vector.outerproduct %arg8, %arg1 : vector<4xf32>, vector<8xf32>
    %5 = vector.outerproduct %arg8, %arg1, %arg0 {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>
    %6 = vector.outerproduct %arg9, %arg3 : vector<[4]xf32>, f32
    %7 = vector.fma %arg1, %arg1, %arg1 : vector<8xf32>
    %8 = vector.reduction <add>, %arg1 : vector<8xf32> into f32
    %9 = vector.reduction <maximumf>, %arg1, %arg3 fastmath<nnan> : vector<8xf32> into f32
    %10 = vector.multi_reduction <mul>, %arg0, %arg1 [0] : vector<4x8xf32> to vector<8xf32>
    %11 = vector.multi_reduction <add>, %arg0, %arg3 [0, 1] : vector<4x8xf32> to f32
    %dest, %accumulated_value = vector.scan <add>, %arg0, %arg1 {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
    %12 = vector.broadcast %arg3 : f32 to vector<4x8xf32>
    %13 = vector.broadcast %arg1 : vector<8xf32> to vector<4x8xf32>
    %14 = vector.splat %arg3 : vector<8xf32>
    %15 = vector.from_elements %arg3, %arg3 : vector<2xf32>
    %16 = vector.extractelement %arg1[%arg2 : index] : vector<8xf32>
    %17 = vector.extractelement %arg11[] : vector<f32>
    %18 = vector.insertelement %arg3, %arg1[%arg2 : index] : vector<8xf32>
    %19 = vector.extract %arg0[2] : vector<8xf32> from vector<4x8xf32>
    %20 = vector.extract %arg0[2, %arg2] : f32 from vector<4x8xf32>
    %21 = vector.insert %arg1, %arg0 [%arg2] : vector<8xf32> into vector<4x8xf32>
    %22 = vector.shuffle %arg1, %arg8 [0, 9, 3] : vector<8xf32>, vector<4xf32>
    %23 = vector.extract_strided_slice %arg0 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
    %24 = vector.insert_strided_slice %arg8, %arg0 {offsets = [1, 4], strides = [1]} : vector<4xf32> into vector<4x8xf32>
    %25 = vector.shape_cast %arg0 : vector<4x8xf32> to vector<32xf32>
    %26 = vector.bitcast %arg0 : vector<4x8xf32> to vector<4x16xi16>
    %27 = vector.transpose %arg0, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %28 = vector.flat_transpose %arg10 {columns = 4 : i32, rows = 4 : i32} : vector<16xf32> -> vector<16xf32>
    %29 = vector.matrix_multiply %arg10, %arg10 {lhs_columns = 4 : i32, lhs_rows = 4 : i32, rhs_columns = 4 : i32} : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %30 = vector.interleave %arg1, %arg1 : vector<8xf32> -> vector<16xf32>
    %res1, %res2 = vector.deinterleave %arg1 : vector<8xf32> -> vector<4xf32>
    %31 = vector.scalable.insert %arg8, %arg9[4] : vector<4xf32> into vector<[4]xf32>
    %32 = vector.scalable.extract %arg9[4] : vector<4xf32> from vector<[4]xf32>
    %33 = vector.load %arg4[%arg2, %arg2] : memref<?x8xf32>, vector<8xf32>
    vector.store %arg1, %arg4[%arg2, %arg2] : memref<?x8xf32>, vector<8xf32>
    %34 = vector.maskedload %arg12[%arg2], %arg6, %arg1 : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %arg12[%arg2], %arg6, %arg1 : memref<8xf32>, vector<8xi1>, vector<8xf32>
    %35 = vector.gather %arg12[%arg2] [%arg7], %arg6, %arg1 : memref<8xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.scatter %arg12[%arg2] [%arg7], %arg6, %arg1 : memref<8xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32>
    %36 = vector.expandload %arg12[%arg2], %arg6, %arg1 : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.compressstore %arg12[%arg2], %arg6, %arg1 : memref<8xf32>, vector<8xi1>, vector<8xf32>
    %37 = vector.type_cast %arg12 : memref<8xf32> to memref<vector<8xf32>>
    %38 = vector.create_mask %arg2, %arg2 : vector<4x8xi1>
    %39 = vector.constant_mask [2, 8] : vector<4x8xi1>
    %40 = vector.mask %arg6 { vector.reduction <add>, %arg1 : vector<8xf32> into f32 } : vector<8xi1> -> f32
    %41 = vector.mask %arg6, %arg1 { vector.transfer_read %arg4[%arg2, %arg2], %arg3 : memref<?x8xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
    vector.mask %arg6 { vector.transfer_write %arg1, %arg4[%arg2, %arg2] : vector<8xf32>, memref<?x8xf32> } : vector<8xi1>
    vector.print %arg1 : vector<8xf32>
    vector.print %arg3 : f32 punctuation <comma>
    vector.print str "done"
    %vscale = vector.vscale
    %42 = vector.step : vector<4xindex>
    %43 = vector.warp_execute_on_lane_0(%arg2)[4] args(%arg1 : vector<8xf32>) -> (vector<8xf32>) {
    ^bb0(%arg14: vector<32xf32>):
      vector.yield %arg14 : vector<32xf32>
    }
    vector.warp_execute_on_lane_0(%arg2)[32] {
    }
    %44 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg8 : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
    %45 = vector.transfer_read %arg4[%arg2, %arg2], %arg3 {in_bounds = [false, true], permutation_map = #map3} : memref<?x8xf32>, vector<8x4xf32>
    %46 = vector.reshape %arg0, [%arg2], [%arg2, %arg2], [8] : vector<4x8xf32> to vector<2x2x8xf32>
    %47 = vector.contract {indexing_maps = [#map4, #map4, #map5], iterator_types = ["reduction"], kind = #vector.kind<maxnumf>} %arg1, %arg1, %arg3 : vector<8xf32>, vector<8xf32> into f32
    return
  }
}
