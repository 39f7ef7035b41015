#all = affine_map<(i, j, k) -> (i, j, k)>
func.func @generic(%x: tensor<2x3x4xf32>, %d: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x4xf32>) outs(%d : tensor<2x3x4xi32>) {
  ^bb0(%a: f32, %o: i32):
    %1 = arith.fptosi %a : f32 to i32
    %2 = arith.addi %1, %o : i32
    linalg.yield %2 : i32
  } -> tensor<2x3x4xi32>
  return %0 : tensor<2x3x4xi32>
}
func.func @named(%x: memref<3x4xf32>, %y: memref<3x4xf32>, %v: f32, %t: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  linalg.fill ins(%v : f32) outs(%y : memref<3x4xf32>)
  linalg.add ins(%x, %y : memref<3x4xf32>, memref<3x4xf32>) outs(%y : memref<3x4xf32>)
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = linalg.map { arith.addf } ins(%0, %t : tensor<3x4xf32>, tensor<3x4xf32>) outs(%t : tensor<3x4xf32>)
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.flatten_elementwise %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
