module attributes {transform.with_named_sequence} {
  func.func @f(%o: tensor<7x5xindex>) -> tensor<7x5xindex> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<7x5xindex>) {
    ^bb0(%x: index):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %s = arith.muli %i, %j : index
      linalg.yield %s : index
    } -> tensor<7x5xindex>
    return %0 : tensor<7x5xindex>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %0 tile_sizes [3, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %u, %k = transform.structured.tile_using_for %t tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
