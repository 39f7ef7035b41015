func.func @places(%in: tensor<4x6x3xf32>, %out: tensor<4x3xindex>) -> tensor<4x3xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%in : tensor<4x6x3xf32>) outs(%out : tensor<4x3xindex>) {
  ^bb0(%x: f32, %old: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ij = arith.muli %i, %j : index
    %sum = arith.addi %old, %ij : index
    linalg.yield %sum : index
  } -> tensor<4x3xindex>
  return %0 : tensor<4x3xindex>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %ordered = transform.structured.interchange %op iterator_interchange = [2, 0, 1] : (!transform.any_op) -> !transform.any_op
    transform.annotate %ordered "ordered" : !transform.any_op
    transform.yield
  }
}
