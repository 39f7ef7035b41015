#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module attributes {transform.with_named_sequence} {
  func.func @static(%a: tensor<1x5x1xf32>, %b: tensor<1x1x1xf32>, %c: tensor<1x5x1xf32>) -> tensor<1x5x1xf32> {
    %0 = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1, d2) -> (d0, 0, d2)>, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<1x5x1xf32>, tensor<1x1x1xf32>) outs(%c : tensor<1x5x1xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = arith.addi %i, %j : index
      %l = arith.index_cast %k : index to i32
      %f = arith.sitofp %l : i32 to f32
      %1 = arith.addf %x, %y : f32
      %2 = arith.mulf %1, %f : f32
      linalg.yield %2 : f32
    } -> tensor<1x5x1xf32>
    return %0 : tensor<1x5x1xf32>
  }
  func.func @results(%a: tensor<?x1x4xf32>, %c: tensor<?x1xf32>, %d: tensor<1x4xf32>) -> (tensor<?x1xf32>, tensor<1x4xf32>) {
    %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%a : tensor<?x1x4xf32>) outs(%c, %d : tensor<?x1xf32>, tensor<1x4xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %1 = arith.addf %x, %y : f32
      %2 = arith.addf %x, %z : f32
      linalg.yield %1, %2 : f32, f32
    } -> (tensor<?x1xf32>, tensor<1x4xf32>)
    return %0#0, %0#1 : tensor<?x1xf32>, tensor<1x4xf32>
  }
  func.func @all(%a: tensor<1x1xf32>, %c: tensor<1xf32>) -> tensor<1xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1x1xf32>) outs(%c : tensor<1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func @buffers(%a: memref<1x?x1xf32>, %c: memref<?x1xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x?x1xf32>) outs(%c : memref<?x1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    }
    return
  }
  func.func @filled(%a: tensor<1x0x3xf32>, %x: f32) -> tensor<1x3xf32> {
    %e = tensor.empty() : tensor<1x3xf32>
    %0 = linalg.fill ins(%x : f32) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%a : tensor<1x0x3xf32>) outs(%0 : tensor<1x3xf32>) {
    ^bb0(%u: f32, %v: f32):
      %2 = arith.addf %u, %v : f32
      linalg.yield %2 : f32
    } -> tensor<1x3xf32>
    return %1 : tensor<1x3xf32>
  }
  func.func @slices(%a: tensor<4x9xf32>, %b: tensor<1x3xf32>, %i: index) -> (tensor<1x3xf32>, tensor<4x9xf32>) {
    %0 = tensor.extract_slice %a[2, 1] [1, 3] [1, 2] : tensor<4x9xf32> to tensor<1x3xf32>
    %1 = tensor.insert_slice %b into %a[1, 2] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<4x9xf32>
    return %0, %1 : tensor<1x3xf32>, tensor<4x9xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
    } : !transform.any_op
    transform.yield
  }
}
