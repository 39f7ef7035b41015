// Packs a convolution of 64 channels and 32 filters from NCHW to NHWC, the case of NCHWc whose `c` are all channels: from
// "Convolution in IREE" (Q. Dawkins, nod.ai).
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %conv packed_sizes = [0, 32, 0, 0, 64, 0, 0] : (!transform.any_op) -> !transform.any_op
    %filters = transform.get_producer_of_operand %packed[1] : (!transform.any_op) -> !transform.any_op
    %turned, %pack, %unpack = transform.structured.pack_transpose %filters with_compute_op(%packed) inner_perm = [1, 0]
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
      transform.apply_patterns.linalg.tiling_canonicalization
    } {apply_cse} : !transform.any_op
    transform.yield
  }
}
