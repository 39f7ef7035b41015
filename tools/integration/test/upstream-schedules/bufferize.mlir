func.func @update(%t: tensor<8x8xf32>, %row: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8x8xf32>, f32) {
  %old = tensor.extract %t[%i, %i] : tensor<8x8xf32>
  %0 = tensor.insert_slice %row into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
  %1 = linalg.add ins(%0, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1, %old : tensor<8x8xf32>, f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.bufferization.one_shot_bufferize %f {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
