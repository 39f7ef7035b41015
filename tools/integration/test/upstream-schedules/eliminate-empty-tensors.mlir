func.func @inserted(%t: tensor<?xf32>, %x: f32, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %c1 = arith.constant 1 : index
  %0 = tensor.insert_slice %f into %t[%c1] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @twice(%t: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = tensor.insert_slice %f into %t[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %f into %0[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

func.func @rows(%t: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> (tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<1x8xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
    %0 = tensor.insert_slice %f into %a[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    scf.yield %0 : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

func.func @copied(%t: tensor<5xf32>, %m: memref<5xf32>, %x: f32) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<5xf32>, memref<5xf32>) -> ()
  %d = tensor.empty() : tensor<5xf32>
  %g = linalg.fill ins(%x : f32) outs(%d : tensor<5xf32>) -> tensor<5xf32>
  %0 = linalg.copy ins(%g : tensor<5xf32>) outs(%t : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.bufferization.eliminate_empty_tensors %root : !transform.any_op
    transform.yield
  }
}
