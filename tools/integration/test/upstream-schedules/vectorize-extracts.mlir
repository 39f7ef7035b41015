func.func @gathered(%t: tensor<3x4xf32>, %s: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%s : tensor<2x4xf32>) {
  ^bb0(%y: f32):
    %c3 = arith.constant 3 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c3, %j : index
    %e = tensor.extract %t[%i, %k] : tensor<3x4xf32>
    %z = arith.addf %e, %y : f32
    linalg.yield %z : f32
  } -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @next(%t: tensor<3x9xi32>, %s: tensor<1x1x4xi32>) -> tensor<1x1x4xi32> {
  %c2 = arith.constant 2 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(l, m, n) -> (l, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%s : tensor<1x1x4xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %a = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 2)>(%i, %j)
    %k = arith.addi %j, %c2 : index
    %e = tensor.extract %t[%i, %k] : tensor<3x9xi32>
    %b = arith.index_cast %a : index to i32
    %z = arith.addi %e, %b : i32
    linalg.yield %z : i32
  } -> tensor<1x1x4xi32>
  return %0 : tensor<1x1x4xi32>
}

func.func @same(%t: tensor<3x9xi32>, %u: tensor<i32>, %s: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %c2 = arith.constant 2 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%s : tensor<1x4xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %e = tensor.extract %t[%c2, %i] : tensor<3x9xi32>
    %f = tensor.extract %u[] : tensor<i32>
    %z = arith.addi %e, %f : i32
    linalg.yield %z : i32
  } -> tensor<1x4xi32>
  return %0 : tensor<1x4xi32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %functions {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
