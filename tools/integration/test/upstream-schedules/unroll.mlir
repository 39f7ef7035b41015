func.func @known(%m: memref<16xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c14 = arith.constant 14 : index
  scf.for %i = %c0 to %c14 step %c1 {
    memref.store %x, %m[%i] : memref<16xf32>
  }
  %sum = scf.for %i = %c0 to %c7 step %c2 iter_args(%s = %x) -> f32 {
    %0 = memref.load %m[%i] : memref<16xf32>
    %1 = arith.addf %s, %0 : f32
    memref.store %s, %m[%i] : memref<16xf32>
    scf.yield %1 : f32
  }
  return %sum : f32
}

func.func @computed(%m: memref<?x?xf32>, %x: f32) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %m, %c0 : memref<?x?xf32>
  %columns = memref.dim %m, %c1 : memref<?x?xf32>
  %r:2 = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %x, %n = %c0) -> (f32, index) {
    %t = scf.for %j = %c0 to %columns step %c1 iter_args(%t = %s) -> f32 {
      %0 = memref.load %m[%i, %j] : memref<?x?xf32>
      %1 = arith.addf %t, %0 : f32
      scf.yield %1 : f32
    }
    scf.yield %t, %i : f32, index
  }
  return %r#0, %r#1 : f32, index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loops {factor = 4} : !transform.any_op
    transform.yield
  }
}
