module attributes {transform.with_named_sequence} {
  func.func @f(%lb: index, %ub: index, %step: index, %x: f32, %init: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %0 = scf.for %i = %lb to %ub step %step iter_args(%s = %init) -> (f32) {
      %n = affine.apply affine_map<(d0)[s0] -> (s0 - d0 + 1)>(%i)[%ub]
      %b = memref.alloca(%n) : memref<?x4xf32>
      %v = memref.subview %b[0, 1] [%n, 1] [1, 1] : memref<?x4xf32> to memref<?xf32, strided<[4], offset: 1>>
      %w = memref.subview %v[1] [1] [1] : memref<?xf32, strided<[4], offset: 1>> to memref<1xf32, strided<[4], offset: 5>>
      linalg.fill ins(%x : f32) outs(%b : memref<?x4xf32>)
      memref.store %s, %w[%c0] : memref<1xf32, strided<[4], offset: 5>>
      %c1 = arith.constant 1 : index
      %y = memref.load %b[%c1, %c1] : memref<?x4xf32>
      %z = memref.load %b[%c0, %c1] : memref<?x4xf32>
      %a = arith.addf %y, %z : f32
      scf.yield %a : f32
    }
    return %0 : f32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %e = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.memref.make_loop_independent %e {num_loops = 1} : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %g : !transform.any_op
    transform.yield
  }
}
