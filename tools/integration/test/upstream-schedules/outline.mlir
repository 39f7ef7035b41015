func.func private @row(%m: memref<8xf32>) {
  return
}

func.func @sum(%m: memref<8x8xf32>, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant 2.0 : f32
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %x) -> f32 {
    %part = scf.for %j = %i to %c8 step %c1 iter_args(%t = %s) -> f32 {
      %0 = memref.load %m[%c1, %j] : memref<8x8xf32>
      %1 = arith.mulf %0, %two : f32
      %2 = arith.addf %1, %t : f32
      scf.yield %2 : f32
    }
    scf.yield %part : f32
  }
  %double = arith.addf %sum, %sum : f32
  return %sum, %double : f32, f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %functions, %calls = transform.loop.outline %loops {func_name = "row"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %functions "outlined" : !transform.any_op
    transform.annotate %calls "call" : !transform.any_op
    transform.yield
  }
}
