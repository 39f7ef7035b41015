func.func @layers(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x5xf32>) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x5xf32>) outs(%c : tensor<4x5xf32>) {
  ^bb0(%x: f32, %old: f32):
    %3 = arith.maximumf %x, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_contraction(%op: !transform.any_op {transform.readonly})
      -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>) {
    %k, %sizes = transform.match.structured failures(propagate) %op
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>) {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.body %s {contraction = ["arith.mulf", "arith.addf"]} : !transform.any_op
      transform.match.structured.dim %s[-1] {reduction} : !transform.any_op
      %batch, %m, %n, %k = transform.match.structured.classify_contraction_dims %s
          : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      %size = transform.match.structured.dim %s[2] : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %k, %size : !transform.param<i64>, !transform.param<i64>
    }
    transform.yield %op, %k, %sizes : !transform.any_op, !transform.param<i64>, !transform.param<i64>
  }
  transform.named_sequence @is_elementwise(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured failures(propagate) %op : !transform.any_op {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.body %s {elementwise} : !transform.any_op
      transform.match.structured.dim %s[all] {parallel} : !transform.any_op
      transform.match.structured.input %s[all] {projected_permutation} : !transform.any_op
      transform.match.structured.init %s[0] {permutation} : !transform.any_op
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @contraction(%op: !transform.any_op {transform.readonly}, %k: !transform.param<i64> {transform.readonly}, %size: !transform.param<i64> {transform.readonly}) {
    transform.annotate %op "reduced" = %k : !transform.any_op, !transform.param<i64>
    transform.annotate %op "size" = %size : !transform.any_op, !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @elementwise(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "elementwise" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %updated = transform.foreach_match in %root
        @is_contraction -> @contraction,
        @is_elementwise -> @elementwise : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
