func.func @sums(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  %1 = arith.muli %0, %y : i32
  %2 = arith.addi %1, %0 : i32
  return %2 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @sum_of_results(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_op) {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    %producer = transform.get_producer_of_operand %op[0] : (!transform.any_op) -> !transform.any_op
    transform.yield %op, %producer : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %sum, %producer = transform.collect_matching @sum_of_results in %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %sum "sum" : !transform.any_op
    transform.annotate %producer "producer" : !transform.any_op
    transform.yield
  }
}
