module attributes {transform.with_named_sequence} {
  func.func @tiles(%n: index, %x: f32, %init: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c3 = arith.constant 3 : index
    %0 = scf.for %i = %c0 to %n step %c8 iter_args(%s = %init) -> (f32) {
      %size = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
      %1 = scf.for %j = %c0 to %size step %c3 iter_args(%t = %s) -> (f32) {
        %k = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + 1)>(%j)[%n]
        %e = tensor.empty(%k) : tensor<?xf32>
        %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
        %v = tensor.extract %f[%c0] : tensor<?xf32>
        %a = arith.addf %t, %v : f32
        scf.yield %a : f32
      }
      scf.yield %1 : f32
    }
    return %0 : f32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %e = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.tensor.make_loop_independent %e {num_loops = 2} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
