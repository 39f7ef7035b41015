#rows = affine_map<(i, j) -> (i, j)>
#scalar = affine_map<(i, j) -> ()>
func.func @moves(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %v: f32) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xf32>) outs(%y : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x4xf32>
  %1 = linalg.generic {indexing_maps = [#scalar, #rows], iterator_types = ["parallel", "parallel"]} ins(%v : f32) outs(%y : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
}
func.func @elementwise(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %d: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<3x4xf32>, tensor<3x4xf32>) outs(%d : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<3x4xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<3x4xf32>, tensor<3x4xf32>) outs(%d : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.mulf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<3x4xf32>
  return %0, %2 : tensor<3x4xf32>, tensor<3x4xf32>
}
func.func @products(%x: tensor<3x4xi32>, %y: tensor<3x5xi32>, %d: tensor<4x5xi32>, %p: memref<2x3x4xf32>, %q: memref<2x5x4xf32>, %r: memref<2x3x5xf32>) -> tensor<4x5xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<3x4xi32>, tensor<3x5xi32>) outs(%d : tensor<4x5xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %1 = arith.muli %a, %b : i32
    %2 = arith.addi %o, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<4x5xi32>
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %q : memref<2x3x4xf32>, memref<2x5x4xf32>) outs(%r : memref<2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  }
  return %0 : tensor<4x5xi32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.specialize %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
