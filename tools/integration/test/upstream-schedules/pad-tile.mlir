module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %c12 = arith.constant 12 : index
    %0 = scf.for %k = %c0 to %c12 step %c7 iter_args(%sum = %c) -> (tensor<24x25xf32>) {
      %1 = affine.min affine_map<(d0) -> (-d0 + 12, 7)>(%k)
      %2 = tensor.extract_slice %a[0, %k] [24, %1] [1, 1] : tensor<24x12xf32> to tensor<24x?xf32>
      %3 = tensor.extract_slice %b[%k, 0] [%1, 25] [1, 1] : tensor<12x25xf32> to tensor<?x25xf32>
      %4 = linalg.matmul ins(%2, %3 : tensor<24x?xf32>, tensor<?x25xf32>) outs(%sum : tensor<24x25xf32>) -> tensor<24x25xf32>
      scf.yield %4 : tensor<24x25xf32>
    }
    return %0 : tensor<24x25xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1:3 = transform.structured.pad %0 {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], pack_paddings = [1, 0, 0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
