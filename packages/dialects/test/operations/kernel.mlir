#map = affine_map<(d0, d1, d2) -> (d2, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1 + d3, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1 + d3)>
module {
  func.func @kernels(%arg0: memref<1x2x4xf32>, %arg1: memref<2x3xf32>, %arg2: memref<1x3x4xf32>, %arg3: f32, %arg4: i1, %arg5: index, %arg6: memref<1x2x4x2xi16>, %arg7: memref<2x3x2xi16>, %arg8: memref<1x3x4xi32>, %arg9: memref<5x5xi8>, %arg10: memref<1x2x4xi16>, %arg11: i32, %arg12: i8, %arg13: memref<4x3xf32>, %arg14: memref<2x4xf32>, %arg15: memref<2x3xf32>) {
    "kernel.microkernel"(%arg0, %arg1, %arg2) {operand_segment_sizes = array<i32: 1, 1, 1, 0, 0>} : (memref<1x2x4xf32>, memref<2x3xf32>, memref<1x3x4xf32>) -> ()
    "kernel.microkernel"(%arg0, %arg1, %arg2, %arg3) {operand_segment_sizes = array<i32: 1, 1, 1, 1, 0>} : (memref<1x2x4xf32>, memref<2x3xf32>, memref<1x3x4xf32>, f32) -> ()
    "kernel.microkernel"(%arg6, %arg7, %arg8, %arg11, %arg4) {operand_segment_sizes = array<i32: 1, 1, 1, 1, 1>} : (memref<1x2x4x2xi16>, memref<2x3x2xi16>, memref<1x3x4xi32>, i32, i1) -> ()
    "kernel.contract"(%arg13, %arg14, %arg15) {lanes = 1 : i64, maps = [#map, #map1, #map2], operand_segment_sizes = array<i32: 1, 1, 1, 0, 0>} : (memref<4x3xf32>, memref<2x4xf32>, memref<2x3xf32>) -> ()
    "kernel.contract"(%arg13, %arg14, %arg15, %arg3, %arg4) {lanes = 0 : i64, maps = [#map, #map1, #map2], operand_segment_sizes = array<i32: 1, 1, 1, 1, 1>, tiles = array<i64: 0, 2, 0, 2, 2, 1, 0, 2>, unroll = array<i64: 1, 1, 2>} : (memref<4x3xf32>, memref<2x4xf32>, memref<2x3xf32>, f32, i1) -> ()
    "kernel.pack"(%arg1, %arg2) {map = #map2, operand_segment_sizes = array<i32: 1, 1, 0, 0, 0>} : (memref<2x3xf32>, memref<1x3x4xf32>) -> ()
    "kernel.pack"(%arg9, %arg10, %arg5, %arg11, %arg12) {bounds = array<i64: 5>, conversion = ["arith.extsi", "arith.subi", "arith.trunci"], map = #map3, operand_segment_sizes = array<i32: 1, 1, 1, 1, 1>, tests = #map4, types = [i32, i32, i16]} : (memref<5x5xi8>, memref<1x2x4xi16>, index, i32, i8) -> ()
    return
  }
}
