func.func @folded(%x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %0 = arith.muli %c2, %c3 : i32
  %1 = arith.addi %x, %0 : i32
  return %1 : i32
}

func.func @kept(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %both = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %both : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %folded = transform.apply_registered_pass "canonicalize" to %first {options = "top-down=false"} : (!transform.any_op) -> !transform.any_op
    transform.annotate %folded "folded" : !transform.any_op
    %kept = transform.apply_registered_pass "cse" to %second : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
