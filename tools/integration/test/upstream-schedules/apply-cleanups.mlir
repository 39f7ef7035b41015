func.func @twice(%x: i32, %m: memref<8xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %unused = arith.muli %x, %x : i32
  %also = arith.addi %unused, %x : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (i32) {
    %1 = arith.muli %x, %x : i32
    %2 = arith.addi %sum, %1 : i32
    %3 = arith.muli %x, %x : i32
    %4 = arith.addi %2, %3 : i32
    scf.yield %4 : i32
  }
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %f : !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loop : !transform.any_op
    transform.yield
  }
}
