func.func @sums(%m: memref<16xf32> {llvm.noalias}, %o: memref<16xf32>, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %x) -> (f32) {
    %a = memref.load %m[%i] : memref<16xf32>
    %b = arith.addf %a, %s : f32
    memref.store %a, %o[%i] : memref<16xf32>
    scf.yield %b : f32
  } {first}
  %q = scf.for %i = %c1 to %c10 step %c1 iter_args(%s = %x) -> (f32) {
    %v = vector.transfer_read %m[%i], %x {in_bounds = [true]} : memref<16xf32>, vector<4xf32>
    %a = vector.reduction <add>, %v, %s : vector<4xf32> into f32
    scf.yield %a : f32
  } {second}
  return %r, %q : f32, f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %0 = transform.loop.pipeline %l {read_latency = 3 : i64} : (!transform.op<"scf.for">) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    transform.yield
  }
}
