func.func @sum(%m: memref<4xf32>, %x: f32) {
  %a = memref.alloca() : memref<4xf32>
  %b = memref.alloca() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloca">
    %read, %global = transform.memref.alloca_to_global %b : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    transform.annotate %read "read" : !transform.any_op
    transform.annotate %global "global" : !transform.any_op
    transform.yield
  }
}
