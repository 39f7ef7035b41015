func.func @slices(%x: tensor<2x32x16xf32>, %d: tensor<3x8x8xf32>, %i: index, %j: index)
    -> (tensor<4x3xf32>, tensor<?xf32>, tensor<3x8x8xf32>) {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %0 = arith.remui %i, %c3 : index
  %1 = arith.remui %j, %c3 : index
  %n = arith.addi %1, %c1 : index
  %middle = tensor.extract_slice %x[1, %0, 2] [1, 14, 6] [1, 2, 1] : tensor<2x32x16xf32> to tensor<14x6xf32>
  %part = tensor.extract_slice %middle[%1, 1] [4, 3] [3, 1] : tensor<14x6xf32> to tensor<4x3xf32>
  %row = tensor.extract_slice %middle[%1, %0] [1, %n] [1, 1] : tensor<14x6xf32> to tensor<?xf32>
  %whole = tensor.empty() : tensor<1x4x3xf32>
  %expanded = tensor.insert_slice %part into %whole[0, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<4x3xf32> into tensor<1x4x3xf32>
  %inserted = tensor.insert_slice %expanded into %d[%0, %1, 5] [1, 4, 3] [1, 1, 1] : tensor<1x4x3xf32> into tensor<3x8x8xf32>
  return %part, %row, %inserted : tensor<4x3xf32>, tensor<?xf32>, tensor<3x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
    } : !transform.any_op
    transform.yield
  }
}
