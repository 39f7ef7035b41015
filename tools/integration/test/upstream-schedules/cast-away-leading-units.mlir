func.func @shapes(%x: vector<1x4x8xf32>, %y: vector<1x8x8xf32>, %s: vector<1x1x4xf32>, %d: vector<1x8x4xf32>, %p: vector<1x1x4xf32>, %e: f32)
    -> (vector<1x2x8xf32>, vector<1x8x4xf32>, vector<1x8x4xf32>, vector<1x1x4xf32>, vector<1x1x4xf32>) {
  %0 = vector.extract_strided_slice %y {offsets = [0, 3], sizes = [1, 2], strides = [1, 1]} : vector<1x8x8xf32> to vector<1x2x8xf32>
  %1 = vector.insert_strided_slice %s, %d {offsets = [0, 5, 0], strides = [1, 1, 1]} : vector<1x1x4xf32> into vector<1x8x4xf32>
  %row = vector.extract %s[0, 0] : vector<4xf32> from vector<1x1x4xf32>
  %2 = vector.insert %row, %d [0, 6] : vector<4xf32> into vector<1x8x4xf32>
  %3 = arith.mulf %s, %p : vector<1x1x4xf32>
  %4 = math.fma %3, %p, %s : vector<1x1x4xf32>
  return %0, %1, %2, %3, %4 : vector<1x2x8xf32>, vector<1x8x4xf32>, vector<1x8x4xf32>, vector<1x1x4xf32>, vector<1x1x4xf32>
}
func.func @transfers(%m: memref<4x5x6xf32>, %t: tensor<4x5x6xf32>, %k: memref<3xi1>) -> tensor<4x5x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%c1, %c0, %c1], %z {in_bounds = [true, true, true]} : memref<4x5x6xf32>, vector<1x2x3xf32>
  %1 = vector.transfer_write %0, %t[%c0, %c1, %c1] {in_bounds = [true, true, true]} : vector<1x2x3xf32>, tensor<4x5x6xf32>
  %2 = vector.transfer_read %m[%c0, %c1, %c0], %z {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, d0)>} : memref<4x5x6xf32>, vector<1x4xf32>
  vector.transfer_write %2, %m[%c1, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1)>} : vector<1x4xf32>, memref<4x5x6xf32>
  %3 = vector.constant_mask [1, 2] : vector<1x3xi1>
  %4 = vector.extract %3[0] : vector<3xi1> from vector<1x3xi1>
  vector.transfer_write %4, %k[%c0] {in_bounds = [true]} : vector<3xi1>, memref<3xi1>
  return %1 : tensor<4x5x6xf32>
}
func.func @products(%a: vector<1x2x4xf32>, %b: vector<4x3x1xf32>, %c: vector<1x2x3xf32>, %u: vector<1x16xf32>, %v: vector<16x8xf32>, %w: vector<1x8xf32>)
    -> (vector<1x2x3xf32>, vector<1x8xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<1x2x4xf32>, vector<4x3x1xf32> into vector<1x2x3xf32>
  %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %u, %v, %w : vector<1x16xf32>, vector<16x8xf32> into vector<1x8xf32>
  return %0, %1 : vector<1x2x3xf32>, vector<1x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
    } : !transform.any_op
    transform.yield
  }
}
