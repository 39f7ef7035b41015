func.func @padded(%t: tensor<?x4xf32>, %n: index) -> tensor<?x8xf32> {
  %x = arith.constant 1.0 : f32
  %0 = tensor.pad %t low[0, 1] high[%n, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %x: f32) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %1 = transform.structured.bufferize_to_allocation %pad {memory_space = 3} : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %2, %3 = transform.structured.bufferize_to_allocation %matmul {memcpy_op = "memref.copy"} : !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %4 = transform.select "linalg.fill" in %1 : (!transform.any_op) -> !transform.any_op
    transform.annotate %4 "made" : !transform.any_op
    transform.yield
  }
}
