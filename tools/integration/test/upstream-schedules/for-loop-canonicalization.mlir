func.func @tiles(%t: tensor<20xf32>) -> tensor<20xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %one = arith.constant 1.0 : f32
  %0 = scf.for %i = %c0 to %c20 step %c4 iter_args(%part = %t) -> (tensor<20xf32>) {
    %size = affine.min affine_map<(d0) -> (4, 20 - d0)>(%i)
    %slice = tensor.extract_slice %part[%i] [%size] [1] : tensor<20xf32> to tensor<?xf32>
    %filled = linalg.fill ins(%one : f32) outs(%slice : tensor<?xf32>) -> tensor<?xf32>
    %whole = tensor.insert_slice %filled into %part[%i] [%size] [1] : tensor<?xf32> into tensor<20xf32>
    scf.yield %whole : tensor<20xf32>
  }
  return %0 : tensor<20xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
    } : !transform.any_op
    transform.yield
  }
}
