// Slices every convolution for a microkernel of 16 windows by 8 filters: Listing 9 of "SConvTransform", repaired. The
// paper prints `ops[…]` without its braces, breaks strings across lines and names the sequence `@_transform_main`.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
    %convs = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %arg0
      : (!transform.any_op) -> !transform.op<"linalg.conv_2d_nchw_fchw">
    %res_list, %loops_list = transform.structured.sconv %convs
      {mk_info = [16, 8]}
      : (!transform.op<"linalg.conv_2d_nchw_fchw">)
      -> (!transform.op<"linalg.generic">, !transform.any_op)
    transform.yield
  }
}
