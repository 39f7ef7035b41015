module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<6x24xf32>, %b: tensor<24x5xf32>, %c: tensor<6x5xf32>) -> tensor<6x5xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<6x24xf32>, tensor<24x5xf32>) outs(%c : tensor<6x5xf32>) -> tensor<6x5xf32>
    return %0 : tensor<6x5xf32>
  }
  func.func @g(%v: tensor<12xi32>, %b: i32, %c: tensor<i32>) -> tensor<i32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kept} ins(%v, %b : tensor<12xi32>, i32) outs(%c : tensor<i32>) {
    ^bb0(%x: i32, %y: i32, %z: i32):
      %s = arith.subi %x, %y : i32
      %t = arith.minsi %z, %s : i32
      linalg.yield %t : i32
    } -> tensor<i32>
    return %0 : tensor<i32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %i, %f, %s, %r = transform.structured.split_reduction %0 {split_factor = 4, insert_split_dimension = 2} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %1 = transform.structured.match ops{["linalg.generic"]} attributes {kept} in %root : (!transform.any_op) -> !transform.any_op
    %i1, %f1, %s1, %r1 = transform.structured.split_reduction %1 {split_factor = 3, insert_split_dimension = 0, inner_parallel, use_alloc} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
