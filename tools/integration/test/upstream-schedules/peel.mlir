func.func @tiles(%m: memref<?xindex>, %k: memref<7xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %size = memref.dim %m, %c0 : memref<?xindex>
  scf.for %i = %c0 to %size step %c3 {
    %part = affine.min affine_map<(d0)[s0] -> (3, -d0 + s0)>(%i)[%size]
    %rest = affine.max affine_map<(d0)[s0] -> (3, -d0 + s0)>(%i)[%size]
    %0 = arith.addi %part, %rest : index
    memref.store %0, %m[%i] : memref<?xindex>
  }
  %sum = scf.for %i = %c0 to %c7 step %c2 iter_args(%s = %c0) -> index {
    %part = affine.min affine_map<(d0) -> (2, -d0 + 7)>(%i)
    %other = affine.min affine_map<(d0) -> (d0 + 1, -d0 + 7)>(%i)
    %0 = arith.addi %part, %s : index
    %1 = arith.muli %other, %s : index
    memref.store %1, %k[%i] : memref<7xindex>
    scf.yield %0 : index
  }
  return %sum : index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %whole, %rest = transform.loop.peel %loops : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
    transform.annotate %whole "whole" : !transform.op<"scf.for">
    transform.annotate %rest "rest" : !transform.op<"scf.for">
    transform.yield
  }
}
