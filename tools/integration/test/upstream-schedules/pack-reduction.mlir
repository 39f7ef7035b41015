module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<5x7xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<5x7xf32>) outs(%b : tensor<7xf32>) {
    ^bb0(%x: f32, %sum: f32):
      %1 = arith.addf %x, %sum : f32
      linalg.yield %1 : f32
    } -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [4, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %2 = transform.structured.match ops{["tensor.pack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.pack">
    %3:3 = transform.structured.pack_transpose %2 with_compute_op(%1) outer_perm = [1, 0] : (!transform.op<"tensor.pack">, !transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
