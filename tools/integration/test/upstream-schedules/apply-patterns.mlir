func.func @scaled(%x: tensor<4x6xf32>, %n: i32) -> (tensor<4x6xf32>, i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %0 = arith.addi %n, %c0 : i32
  %1 = arith.muli %0, %n : i32
  %2 = arith.muli %n, %0 : i32
  %3 = arith.subi %1, %2 : i32
  %cast = tensor.cast %x : tensor<4x6xf32> to tensor<?x6xf32>
  %back = tensor.cast %cast : tensor<?x6xf32> to tensor<4x6xf32>
  %filled = linalg.fill ins(%one : f32) outs(%back : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %filled, %3 : tensor<4x6xf32>, i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    transform.yield
  }
}
