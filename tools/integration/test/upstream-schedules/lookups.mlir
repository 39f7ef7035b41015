func.func @nest(%m: memref<4x6xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %0 = memref.load %m[%i, %j] : memref<4x6xf32>
      %1 = arith.mulf %0, %x : f32
      memref.store %1, %m[%i, %j] : memref<4x6xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["arith.mulf"]} in %root : (!transform.any_op) -> !transform.any_op
    %outer = transform.get_parent_op %product {nth_parent = 2 : i64, op_name = "scf.for"} : (!transform.any_op) -> !transform.op<"scf.for">
    transform.annotate %outer "outer" : !transform.op<"scf.for">
    %store = transform.get_consumers_of_result %product[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %store "store" : !transform.any_op
    %value = transform.get_operand %product[0] : (!transform.any_op) -> !transform.any_value
    %load = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    %type = transform.get_type %value : (!transform.any_value) -> !transform.type
    transform.annotate %load "loads" = %type : !transform.any_op, !transform.type
    %all = transform.merge_handles deduplicate %product, %store, %load, %store : !transform.any_op
    %count = transform.num_associations %all : (!transform.any_op) -> !transform.param<i64>
    %function = transform.get_parent_op %product {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    transform.annotate %function "count" = %count : !transform.any_op, !transform.param<i64>
    %accesses = transform.select "memref.load" in %all : (!transform.any_op) -> !transform.any_op
    transform.annotate %accesses "access" : !transform.any_op
    transform.yield
  }
}
