func.func @loops(%m: memref<?x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %size = memref.dim %m, %c0 : memref<?x8xf32>
  scf.forall (%i, %j) = (0, 1) to (%size, %c8) step (1, 3) {
    memref.store %x, %m[%i, %j] : memref<?x8xf32>
  } {for}
  scf.forall (%i, %j) in (%size, 8) {
    %0 = memref.load %m[%i, %j] : memref<?x8xf32>
    %1 = arith.addf %0, %x : f32
    memref.store %1, %m[%i, %j] : memref<?x8xf32>
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>], parallel}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %forall = transform.structured.match attributes {for} in %root : (!transform.any_op) -> !transform.any_op
    %outer, %inner = transform.loop.forall_to_for %forall : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %inner "inner" : !transform.any_op
    %other = transform.structured.match attributes {parallel} in %root : (!transform.any_op) -> !transform.any_op
    %parallel = transform.loop.forall_to_parallel %other : (!transform.any_op) -> !transform.any_op
    transform.annotate %parallel "was_forall" : !transform.any_op
    transform.yield
  }
}
