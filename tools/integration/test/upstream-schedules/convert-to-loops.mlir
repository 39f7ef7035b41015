func.func @conv(%x: memref<2x7x6x3xf32>, %w: memref<3x2x3x4xf32>, %y: memref<2x3x2x4xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 3]> : tensor<2xi64>} ins(%x, %w : memref<2x7x6x3xf32>, memref<3x2x3x4xf32>) outs(%y : memref<2x3x2x4xf32>)
  return
}
func.func @dynamic(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?xf32>) {
  linalg.matmul ins(%x, %w : memref<?x?xf32>, memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}
func.func @indexed(%x: memref<3xi32>, %y: memref<2x3xi32>, %v: i32) {
  linalg.fill ins(%v : i32) outs(%x : memref<3xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<3xi32>) outs(%y : memref<2x3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %i = linalg.index 1 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.addi %0, %a : i32
    linalg.yield %1 : i32
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.convert_to_loops %ops : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
