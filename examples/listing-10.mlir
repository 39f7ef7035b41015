// Slices every convolution, and calls a microkernel of OpenBLAS for each tile: Listing 10 of "SConvTransform", repaired. The
// paper prints `ops[…]` without its braces, breaks names across lines and names the sequence `@_transform_main`. Besides:
//
// - Its kernel is called `sgemm_blas_kernel`, under which name one of OpenBLAS is to be compiled. Here it is the one for AVX2,
//   by the name that the library exports it with.
// - That takes windows in panels of 8 and filters in panels of 4: a tile of 16 x 8 is packed as two of each. The paper packs it
//   as one of 16 and one of 8, which POWER10's kernel takes.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    // Listing 9.
    %convs = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %arg0
      : (!transform.any_op) -> !transform.op<"linalg.conv_2d_nchw_fchw">
    %res_list, %loops_list = transform.structured.sconv %convs
      {mk_info = [16, 8], panels = [8, 4]}
      : (!transform.op<"linalg.conv_2d_nchw_fchw">)
      -> (!transform.op<"linalg.generic">, !transform.any_op)

    // Step 5a.
    %bufferized = transform.bufferization.one_shot_bufferize %arg0
      {bufferize_function_boundaries = true}
      : (!transform.any_op) -> !transform.any_op
    %funcs = transform.structured.match ops{["func.func"]} in %bufferized
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %funcs {
      transform.apply_patterns.memref.extract_address_computations
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op

    // Step 5b.
    %ukernels_1 = transform.structured.match ops{["linalg.generic"]} attributes {microkernel} in %bufferized
      : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.foreach %ukernels_1 : !transform.op<"linalg.generic"> -> !transform.any_op {
    ^bb1(%op: !transform.op<"linalg.generic">):
      %lowered = transform.lower.to_blas "sgemm_kernel_HASWELL", %op
        : (!transform.op<"linalg.generic">) -> (!transform.any_op)
      transform.yield %lowered : !transform.any_op
    }
    transform.yield
  }
}
