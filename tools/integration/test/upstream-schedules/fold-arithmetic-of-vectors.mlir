func.func @extended(%a: vector<2x4xi8>, %b: vector<4x3xi8>, %c: vector<2x3xi32>, %d: vector<4x3xi16>) -> (vector<2x3xi32>, vector<2x3xi32>) {
  %0 = arith.extsi %a : vector<2x4xi8> to vector<2x4xi32>
  %1 = arith.extsi %b : vector<4x3xi8> to vector<4x3xi32>
  %2 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %1, %c : vector<2x4xi32>, vector<4x3xi32> into vector<2x3xi32>
  %3 = arith.extui %d : vector<4x3xi16> to vector<4x3xi32>
  %4 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %3, %2 : vector<2x4xi32>, vector<4x3xi32> into vector<2x3xi32>
  return %2, %4 : vector<2x3xi32>, vector<2x3xi32>
}
func.func @outer(%a: vector<4xf32>, %b: vector<3xf32>, %n: vector<4xi32>, %m: vector<3xi32>) -> (vector<4x3xf32>, vector<4x3xi32>, vector<3x3xf32>) {
  %0 = vector.broadcast %a : vector<4xf32> to vector<3x4xf32>
  %1 = vector.transpose %0, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
  %2 = vector.broadcast %b : vector<3xf32> to vector<4x3xf32>
  %3 = arith.mulf %1, %2 : vector<4x3xf32>
  %4 = vector.broadcast %n : vector<4xi32> to vector<3x4xi32>
  %5 = vector.transpose %4, [1, 0] : vector<3x4xi32> to vector<4x3xi32>
  %6 = vector.broadcast %m : vector<3xi32> to vector<4x3xi32>
  %7 = arith.muli %6, %5 : vector<4x3xi32>
  %8 = vector.broadcast %b : vector<3xf32> to vector<3x3xf32>
  %9 = arith.mulf %8, %8 : vector<3x3xf32>
  return %3, %7, %9 : vector<4x3xf32>, vector<4x3xi32>, vector<3x3xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.vector.elementwise_to_vector
    } : !transform.any_op
    transform.yield
  }
}
