module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<6x24xf32>, %b: tensor<24x?xf32>, %c: tensor<6x?xf32>) -> tensor<6x?xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<6x24xf32>, tensor<24x?xf32>) outs(%c : tensor<6x?xf32>) -> tensor<6x?xf32>
    return %0 : tensor<6x?xf32>
  }
  func.func @g(%a: tensor<?x12xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], kept} ins(%a : tensor<?x12xf32>) outs(%c : tensor<?xf32>) {
    ^bb0(%x: f32, %z: f32):
      %t = arith.maximumf %z, %x fastmath<ninf> : f32
      linalg.yield %t : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %i, %f, %s, %r = transform.structured.split_reduction %0 {split_factor = 4, insert_split_dimension = 2, use_scaling_algorithm} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %1 = transform.structured.match ops{["linalg.generic"]} attributes {kept} in %root : (!transform.any_op) -> !transform.any_op
    %i1, %f1, %s1, %r1 = transform.structured.split_reduction %1 {split_factor = 3, insert_split_dimension = 1, use_scaling_algorithm, use_alloc} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
