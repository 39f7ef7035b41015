#rows = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<?x?xi32>, %b: tensor<?xi32>, %c: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>) {
    %c1 = arith.constant 1 : index
    %d = tensor.dim %a, %c1 : tensor<?x?xi32>
    %half = affine.apply affine_map<()[s0] -> (s0 floordiv 2 + 1)>()[%d] {half}
    %0:2 = linalg.generic {indexing_maps = [#rows, #rows, #column], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<?x?xi32>) outs(%c, %b : tensor<?x?xi32>, tensor<?xi32>) {
    ^bb0(%x: i32, %y: i32, %z: i32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %s = arith.addi %x, %j : i32
      %t = arith.addi %z, %x : i32
      linalg.yield %s, %t : i32, i32
    } -> (tensor<?x?xi32>, tensor<?xi32>)
    return %0#0, %0#1 : tensor<?x?xi32>, tensor<?xi32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.match ops{["affine.apply"]} attributes {half} in %root : (!transform.any_op) -> !transform.any_op
    %l, %h = transform.structured.split %0 after %p {dimension = 1} : !transform.any_op, !transform.any_op
    %q = transform.param.constant 2 : i64 -> !transform.param<i64>
    %hl, %hh = transform.structured.split %h after %q {dimension = 0} : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
