func.func @conv(%x: memref<2x7x6x3xf32>, %w: memref<3x2x3x4xf32>, %y: memref<2x3x2x4xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 3]> : tensor<2xi64>} ins(%x, %w : memref<2x7x6x3xf32>, memref<3x2x3x4xf32>) outs(%y : memref<2x3x2x4xf32>)
  return
}
func.func @dynamic(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?xf32>) {
  linalg.matmul ins(%x, %w : memref<?x?xf32>, memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}
func.func @products(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>, %v: f32, %q: memref<6xf32>, %z: memref<f32>) {
  linalg.fill ins(%v : f32) outs(%c : memref<4x6xf32>)
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%v : f32) outs(%z : memref<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(r, p) -> (r, p)>, affine_map<(r, p) -> (p)>], iterator_types = ["reduction", "parallel"]} ins(%c : memref<4x6xf32>) outs(%q : memref<6xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %s = arith.addf %y, %k : f32
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "convert-linalg-to-affine-loops" to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
