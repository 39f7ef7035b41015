module attributes {transform.with_named_sequence} {
  func.func @read(%a: tensor<6x9xf32>, %i: index) -> vector<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %p = affine.max affine_map<(d0) -> (0, 0)>(%i)
    %0 = tensor.extract_slice %a[%p, 2] [3, 5] [1, 1] : tensor<6x9xf32> to tensor<3x5xf32>
    %1 = vector.transfer_read %0[%c1, %c0], %z {in_bounds = [true]} : tensor<3x5xf32>, vector<4xf32>
    return %1 : vector<4xf32>
  }
  func.func @write(%v: vector<4xf32>, %a: tensor<6x9xf32>) -> tensor<6x9xf32> {
    %c0 = arith.constant 0 : index
    %e = tensor.extract_slice %a[2, 3] [1, 4] [1, 1] : tensor<6x9xf32> to tensor<4xf32>
    %0 = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
    %1 = tensor.insert_slice %0 into %a[2, 3] [1, 4] [1, 1] : tensor<4xf32> into tensor<6x9xf32>
    return %1 : tensor<6x9xf32>
  }
  func.func @insert(%a: tensor<2x3xf32>, %b: tensor<1x2x3xf32>, %c: tensor<4x5x6xf32>) -> tensor<4x5x6xf32> {
    %0 = tensor.insert_slice %a into %b[0, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<2x3xf32> into tensor<1x2x3xf32>
    %1 = tensor.insert_slice %0 into %c[2, 1, 3] [1, 2, 3] [1, 1, 1] : tensor<1x2x3xf32> into tensor<4x5x6xf32>
    return %1 : tensor<4x5x6xf32>
  }
  func.func @part(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = tensor.insert_slice %a into %b[1, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<3x3xf32>
    %1 = tensor.insert_slice %0 into %c[0, 2] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %0 {
      transform.apply_patterns.tensor.fold_tensor_subset_ops
    } : !transform.any_op
    transform.yield
  }
}
