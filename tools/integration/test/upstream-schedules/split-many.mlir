module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<23x5xf32>, %b: tensor<5x9xf32>, %c: tensor<23x9xf32>) -> tensor<23x9xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<23x5xf32>, tensor<5x9xf32>) outs(%c : tensor<23x9xf32>) -> tensor<23x9xf32>
    return %0 : tensor<23x9xf32>
  }
  func.func @g(%a: memref<?x5xf32>, %b: memref<5x9xf32>, %c: memref<?x9xf32>) {
    linalg.matmul {second} ins(%a, %b : memref<?x5xf32>, memref<5x9xf32>) outs(%c : memref<?x9xf32>)
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %1 = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p = transform.param.constant 8 : i64 -> !transform.param<i64>
    %q = transform.param.constant 11 : i64 -> !transform.param<i64>
    %pq = transform.merge_handles %p, %q : !transform.param<i64>
    %parts, %none = transform.structured.split %0 after %pq {dimension = 0, multiway} : !transform.any_op, !transform.param<i64>
    %more, %nothing = transform.structured.split %1 after %pq {dimension = 0, multiway} : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
