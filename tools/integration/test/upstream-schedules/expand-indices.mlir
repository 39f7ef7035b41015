func.func @indices(%i: index, %m: memref<2x5x4xf32>) -> (index, index, index) {
  %c8 = arith.constant 8 : index
  %c6 = arith.constant 6 : index
  %c5 = arith.constant 5 : index
  %0:3 = affine.delinearize_index %i into (%c8, %c6, %c5) : index, index, index
  return %0#0, %0#1, %0#2 : index, index, index
}
func.func @basis(%i: index, %n: index, %m: index) -> (index, index, index, index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %r = arith.remui %n, %c9 : index
  %s = arith.remui %m, %c9 : index
  %x = arith.addi %r, %c1 : index
  %y = arith.addi %s, %c1 : index
  %0:4 = affine.delinearize_index %i into (%n, %x, %c3, %y) : index, index, index, index
  return %0#0, %0#1, %0#2, %0#3 : index, index, index, index
}
func.func @loops(%x: tensor<24xf32>) -> tensor<24xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c24 = arith.constant 24 : index
  %0 = scf.for %i = %c0 to %c24 step %c1 iter_args(%acc = %x) -> tensor<24xf32> {
    %d:2 = affine.delinearize_index %i into (%c4, %c6) : index, index
    %j = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 4)>(%d#0, %d#1)
    %e = tensor.extract %x[%j] : tensor<24xf32>
    %1 = tensor.insert %e into %acc[%i] : tensor<24xf32>
    scf.yield %1 : tensor<24xf32>
  }
  return %0 : tensor<24xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "affine-expand-index-ops" to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
