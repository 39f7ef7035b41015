module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<6x9xf32>, %b: tensor<9x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<6x9xf32>, tensor<9x8xf32>) outs(%c : tensor<6x8xf32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [2, 4, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %2 = transform.structured.match ops{["tensor.unpack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.unpack">
    %3:3 = transform.structured.pack_transpose %2 with_compute_op(%1) outer_perm = [1, 0] inner_perm = [1, 0] : (!transform.op<"tensor.unpack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"tensor.pack">, !transform.op<"tensor.unpack">)
    %4:3 = transform.structured.pack_transpose %3#2 with_compute_op(%3#0) outer_perm = [1, 0] : (!transform.op<"tensor.unpack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"tensor.pack">, !transform.op<"tensor.unpack">)
    transform.yield
  }
}
