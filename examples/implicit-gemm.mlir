// Implicit GEMM, step by step: the schedule of "Convolution in IREE" (Q. Dawkins, nod.ai) in today's ops. A convolution
// becomes a matrix product; its fill and the gather of its column matrix are fused into the product's tiles, of which the
// reduction is tiled and the filters are promoted. `sconv run --schedule implicit-gemm` makes its own, for a target.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %img2col, %transformed = transform.structured.convert_conv2d_to_img2col %conv : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product = transform.get_producer_of_operand %transformed[0] : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.tensor.bubble_collapse
    } : !transform.any_op

    // Tile and distribute; fuse the fill and the gather.
    %tiled, %forall = transform.structured.tile_using_forall %product tile_sizes [1, 32, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
    } {apply_cse} : !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill_tile, %forall_1 = transform.structured.fuse_into_containing_op %fill into %forall : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %gather_tile, %forall_2 = transform.structured.fuse_into_containing_op %img2col into %forall_1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
    } {apply_cse} : !transform.any_op

    // Tile the reduction; promote the filters.
    %step, %loop = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %gather_step, %loop_1 = transform.structured.fuse_into_containing_op %gather_tile into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pad, %copy = transform.structured.pad %step {
      padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
      padding_dimensions = [0, 1, 2],
      pack_paddings = [1, 0, 1],
      copy_back_op = "none"
    } : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %sums = transform.get_producer_of_operand %padded[2] : (!transform.any_op) -> !transform.any_op
    %sums_pad = transform.cast %sums : !transform.any_op to !transform.op<"tensor.pad">
    %hoisted = transform.structured.hoist_pad %sums_pad by 1 loops : (!transform.op<"tensor.pad">) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
    } {apply_cse} : !transform.any_op
    transform.yield
  }
}
