#map = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 3)>
#map1 = affine_map<(d0) -> (d0, -d0 + 8)>
#map2 = affine_map<()[s0] -> (s0, 4)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1 mod 8)>
#map5 = affine_map<(d0, d1) -> (d0, d1 + 1)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0)[s0] -> (d0 + 2, s0)>
#map8 = affine_map<() -> (0)>
#map9 = affine_map<() -> (8)>
#map10 = affine_map<(d0) -> (d0, 1)>
#map11 = affine_map<()[s0] -> (s0)>
#map12 = affine_map<() -> (0, 1)>
#map13 = affine_map<()[s0] -> (8, s0)>
#map14 = affine_map<(d0) -> (0, d0)>
#map15 = affine_map<(d0) -> (8, d0)>
#map16 = affine_map<(d0) -> (d0, 0)>
#set = affine_set<(d0)[s0] : (d0 - 4 >= 0, s0 - 2 == 0)>
#set1 = affine_set<(d0) : (d0 - 1 >= 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (index, memref<8x8xf32>, memref<1xi32>, memref<8x8xf32, 1>, f32, vector<2xf32>, index) -> f32, sym_name = "affine"}> ({
  ^bb0(%arg0: index, %arg1: memref<8x8xf32>, %arg2: memref<1xi32>, %arg3: memref<8x8xf32, 1>, %arg4: f32, %arg5: vector<2xf32>, %arg6: index):
    %0 = "affine.apply"(%arg6, %arg0) <{map = #map}> : (index, index) -> index
    %1 = "affine.min"(%arg6) <{map = #map1}> : (index) -> index
    %2 = "affine.max"(%arg0) <{map = #map2}> : (index) -> index
    %3:2 = "affine.delinearize_index"(%arg6, %arg0, %arg0) : (index, index, index) -> (index, index)
    "affine.for"() <{lowerBoundMap = #map8, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map9}> ({
    ^bb0(%arg12: index):
      "affine.for"(%arg12, %arg12, %arg0) <{lowerBoundMap = #map6, operandSegmentSizes = array<i32: 1, 2, 0>, step = 2 : index, upperBoundMap = #map7}> ({
      ^bb0(%arg13: index):
        %8 = "affine.load"(%arg1, %arg12, %arg13) <{map = #map3}> : (memref<8x8xf32>, index, index) -> f32
        "affine.store"(%8, %arg1, %arg13, %arg12) <{map = #map4}> : (f32, memref<8x8xf32>, index, index) -> ()
        "affine.prefetch"(%arg1, %arg12, %arg13) <{isDataCache = false, isWrite = true, localityHint = 3 : i32, map = #map5}> : (memref<8x8xf32>, index, index) -> ()
        %9 = "affine.vector_load"(%arg1, %arg12, %arg13) <{map = #map3}> : (memref<8x8xf32>, index, index) -> vector<2xf32>
        "affine.vector_store"(%9, %arg1, %arg13, %arg12) <{map = #map3}> : (vector<2xf32>, memref<8x8xf32>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) {x.tag} : (index, index, index) -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    %4 = "affine.for"(%arg0, %arg0, %arg4) <{lowerBoundMap = #map10, operandSegmentSizes = array<i32: 1, 1, 1>, step = 1 : index, upperBoundMap = #map11}> ({
    ^bb0(%arg10: index, %arg11: f32):
      %7 = "affine.if"(%arg10, %arg0) ({
        "affine.yield"(%arg11) : (f32) -> ()
      }, {
        "affine.yield"(%arg4) : (f32) -> ()
      }) {condition = #set} : (index, index) -> f32
      "affine.yield"(%7) : (f32) -> ()
    }) : (index, index, f32) -> f32
    "affine.if"(%arg0) ({
      "affine.yield"() : () -> ()
    }, {
    }) {condition = #set1} : (index) -> ()
    "affine.parallel"(%arg0) <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = #map12, reductions = [], steps = [2, 1], upperBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsMap = #map13}> ({
    ^bb0(%arg8: index, %arg9: index):
      "affine.store"(%arg4, %arg1, %arg8, %arg9) <{map = #map3}> : (f32, memref<8x8xf32>, index, index) -> ()
      "affine.yield"() : () -> ()
    }) : (index) -> ()
    %5:2 = "affine.parallel"(%arg0, %arg0) <{lowerBoundsGroups = dense<2> : tensor<1xi32>, lowerBoundsMap = #map14, reductions = [0, 9], steps = [1], upperBoundsGroups = dense<2> : tensor<1xi32>, upperBoundsMap = #map15}> ({
    ^bb0(%arg7: index):
      "affine.yield"(%arg4, %arg4) : (f32, f32) -> ()
    }) : (index, index) -> (f32, f32)
    %6 = "arith.constant"() <{value = 16 : index}> : () -> index
    "affine.dma_start"(%arg1, %arg0, %arg3, %arg0, %arg2, %6) {dst_map = #map14, src_map = #map16, tag_map = #map8} : (memref<8x8xf32>, index, memref<8x8xf32, 1>, index, memref<1xi32>, index) -> ()
    "affine.dma_start"(%arg1, %arg0, %arg3, %arg0, %arg2, %6, %arg0, %arg0) {dst_map = #map14, src_map = #map16, tag_map = #map8} : (memref<8x8xf32>, index, memref<8x8xf32, 1>, index, memref<1xi32>, index, index, index) -> ()
    "affine.dma_wait"(%arg2, %6) {tag_map = #map8} : (memref<1xi32>, index) -> ()
    "func.return"(%4) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
