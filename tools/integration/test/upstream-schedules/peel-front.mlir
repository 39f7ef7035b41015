func.func @sum(%m: memref<16xf32>, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %sum = scf.for %i = %c1 to %c16 step %c4 iter_args(%s = %x) -> f32 {
    %0 = memref.load %m[%i] : memref<16xf32>
    %1 = arith.divf %0, %s : f32
    scf.yield %1 : f32
  }
  return %sum : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %others, %first = transform.loop.peel %loops {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
    transform.annotate %others "others" : !transform.op<"scf.for">
    transform.annotate %first "first" : !transform.op<"scf.for">
    transform.yield
  }
}
