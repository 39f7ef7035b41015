// Tiles a matrix product, makes vectors of the tiles, keeps the sums in registers, and lowers to outer products.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [4, 8, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %function = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %function
      : (!transform.any_op) -> !transform.any_op
    %all = transform.structured.match interface{LoopLikeInterface} in %vectors
      : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %all : !transform.any_op
    transform.apply_patterns to %vectors {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
    } : !transform.any_op
    transform.apply_patterns to %vectors {
      transform.apply_patterns.vector.lower_outerproduct
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
