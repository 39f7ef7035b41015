func.func @product_mk_kn_mn(%fm: memref<2x3xf32>, %wm: memref<3x4xf32>, %sm: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %w = vector.load %wm[%c0, %c0] : memref<3x4xf32>, vector<3x4xf32>
  %s = vector.load %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  vector.store %r, %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  return
}

func.func @product_mk_kn_nm(%fm: memref<2x3xf16>, %wm: memref<3x4xf16>, %sm: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<2x3xf16>, vector<2x3xf16>
  %w = vector.load %wm[%c0, %c0] : memref<3x4xf16>, vector<3x4xf16>
  %s = vector.load %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<2x3xf16>, vector<3x4xf16> into vector<4x2xf32>
  vector.store %r, %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  return
}

func.func @product_mk_nk_mn(%fm: memref<2x3xf32>, %wm: memref<4x3xf32>, %sm: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %w = vector.load %wm[%c0, %c0] : memref<4x3xf32>, vector<4x3xf32>
  %s = vector.load %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<2x3xf32>, vector<4x3xf32> into vector<2x4xf32>
  vector.store %r, %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  return
}

func.func @product_mk_nk_nm(%fm: memref<2x3xf32>, %wm: memref<4x3xf32>, %sm: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %w = vector.load %wm[%c0, %c0] : memref<4x3xf32>, vector<4x3xf32>
  %s = vector.load %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<2x3xf32>, vector<4x3xf32> into vector<4x2xf32>
  vector.store %r, %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  return
}

func.func @product_km_kn_mn(%fm: memref<3x2xf32>, %wm: memref<3x4xf32>, %sm: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>
  %w = vector.load %wm[%c0, %c0] : memref<3x4xf32>, vector<3x4xf32>
  %s = vector.load %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<3x2xf32>, vector<3x4xf32> into vector<2x4xf32>
  vector.store %r, %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  return
}

func.func @product_km_kn_nm(%fm: memref<3x2xf32>, %wm: memref<3x4xf32>, %sm: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>
  %w = vector.load %wm[%c0, %c0] : memref<3x4xf32>, vector<3x4xf32>
  %s = vector.load %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<3x2xf32>, vector<3x4xf32> into vector<4x2xf32>
  vector.store %r, %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  return
}

func.func @product_km_nk_mn(%fm: memref<3x2xf32>, %wm: memref<4x3xf32>, %sm: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>
  %w = vector.load %wm[%c0, %c0] : memref<4x3xf32>, vector<4x3xf32>
  %s = vector.load %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<3x2xf32>, vector<4x3xf32> into vector<2x4xf32>
  vector.store %r, %sm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  return
}

func.func @product_km_nk_nm(%fm: memref<3x2xf32>, %wm: memref<4x3xf32>, %sm: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>
  %w = vector.load %wm[%c0, %c0] : memref<4x3xf32>, vector<4x3xf32>
  %s = vector.load %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<3x2xf32>, vector<4x3xf32> into vector<4x2xf32>
  vector.store %r, %sm[%c0, %c0] : memref<4x2xf32>, vector<4x2xf32>
  return
}

func.func @column(%fm: memref<2x3xi8>, %wm: memref<3xi8>, %sm: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0, %c0] : memref<2x3xi8>, vector<2x3xi8>
  %w = vector.load %wm[%c0] : memref<3xi8>, vector<3xi8>
  %s = vector.load %sm[%c0] : memref<2xi32>, vector<2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(k, m) -> (m, k)>, affine_map<(k, m) -> (k)>, affine_map<(k, m) -> (m)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %f, %w, %s : vector<2x3xi8>, vector<3xi8> into vector<2xi32>
  vector.store %r, %sm[%c0] : memref<2xi32>, vector<2xi32>
  return
}

func.func @row(%fm: memref<3xi32>, %wm: memref<3x2xi32>, %sm: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %f = vector.load %fm[%c0] : memref<3xi32>, vector<3xi32>
  %w = vector.load %wm[%c0, %c0] : memref<3x2xi32>, vector<3x2xi32>
  %s = vector.load %sm[%c0] : memref<2xi32>, vector<2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (k, m)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %f, %w, %s : vector<3xi32>, vector<3x2xi32> into vector<2xi32>
  vector.store %r, %sm[%c0] : memref<2xi32>, vector<2xi32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = outerproduct
    } : !transform.any_op
    transform.yield
  }
}
