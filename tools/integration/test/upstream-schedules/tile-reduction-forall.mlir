module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %x : f32
      %t = arith.addf %y, %s : f32
      linalg.yield %t : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @g(%a: tensor<7x10xf32>, %b: tensor<10x22xf32>, %c: tensor<7x22xf32>) -> tensor<7x22xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<7x10xf32>, tensor<10x22xf32>) outs(%c : tensor<7x22xf32>) -> tensor<7x22xf32>
    return %0 : tensor<7x22xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b, %c, %d = transform.structured.tile_reduction_using_forall %0 by num_threads = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %1 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %a1, %b1, %c1, %d1 = transform.structured.tile_reduction_using_forall %1 by num_threads = [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
