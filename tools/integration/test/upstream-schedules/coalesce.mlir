func.func @carried(%m: memref<?x6xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %size = memref.dim %m, %c0 : memref<?x6xf32>
  %sum = scf.for %i = %c0 to %size step %c1 iter_args(%s = %x) -> f32 {
    %row = scf.for %j = %c1 to %c6 step %c2 iter_args(%t = %s) -> f32 {
      %part = scf.for %k = %c2 to %c3 step %c1 iter_args(%u = %t) -> f32 {
        %0 = memref.load %m[%i, %j] : memref<?x6xf32>
        memref.store %u, %m[%i, %k] : memref<?x6xf32>
        %1 = arith.divf %0, %u : f32
        scf.yield %1 : f32
      }
      scf.yield %part : f32
    }
    scf.yield %row : f32
  } {nest}
  return %sum : f32
}

func.func @triangle(%m: memref<8x8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %i to %c8 step %c1 {
      scf.for %k = %i to %c8 step %c1 {
        memref.store %x, %m[%i, %j, %k] : memref<8x8x8xf32>
      }
    }
  } {nest}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %nests = transform.structured.match attributes {nest} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.loop.coalesce %nests : (!transform.any_op) -> !transform.op<"scf.for">
    transform.annotate %loops "one" : !transform.op<"scf.for">
    transform.yield
  }
}
