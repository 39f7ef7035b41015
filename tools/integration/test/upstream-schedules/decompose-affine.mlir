func.func @nested(%x: tensor<64xf32>, %d: tensor<4xf32>, %s: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k = arith.remui %s, %c3 : index
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %d) -> tensor<4xf32> {
    %1 = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %p = affine.apply affine_map<(d0)[s0, s1] -> ((d0 + 7) mod 4 + s0 * 3 + s1 + 5)>(%j)[%i, %k]
      %q = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)
      %e = tensor.extract %x[%p] : tensor<64xf32>
      %2 = tensor.insert %e into %b[%q] : tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "test-decompose-affine-ops" to %f : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "loop-invariant-code-motion" to %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
