module attributes {transform.with_named_sequence} {
  func.func @insert(%a: tensor<2x3xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
    %0 = tensor.insert_slice %a into %b[1, 2] [2, 3] [2, 1] : tensor<2x3xf32> into tensor<5x7xf32>
    return %0 : tensor<5x7xf32>
  }
  func.func @parallel(%a: tensor<2x2xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = scf.forall (%i) in (4) shared_outs(%o = %b) -> (tensor<8x4xf32>) {
      %1 = linalg.exp ins(%a : tensor<2x2xf32>) outs(%a : tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %1 into %o[%i, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<8x4xf32>
      }
    }
    return %0 : tensor<8x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.insert_slice", "tensor.parallel_insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.insert_slice_to_copy %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
