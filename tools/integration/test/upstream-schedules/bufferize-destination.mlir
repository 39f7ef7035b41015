func.func @row(%t: tensor<?x4xf32>, %x: f32) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0, %c0] : tensor<?x4xf32>
  %n = tensor.dim %t, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %1 = linalg.add ins(%0, %t : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %insert = transform.structured.match ops{["tensor.insert"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %1 = transform.structured.bufferize_to_allocation %insert {bufferize_destination_only, memcpy_op = "linalg.copy", alloc_op = "memref.alloca"} : !transform.any_op
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %2, %3 = transform.structured.bufferize_to_allocation %add {bufferize_destination_only} : !transform.any_op
    transform.yield
  }
}
