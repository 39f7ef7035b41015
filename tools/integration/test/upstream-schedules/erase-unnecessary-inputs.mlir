#map = affine_map<(d0) -> (d0)>
#reversed = affine_map<(d0) -> (-d0 + 3)>
module attributes {transform.with_named_sequence} {
  func.func @twice_and_never(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0:2 = linalg.generic {indexing_maps = [#map, #reversed, #map, #map, #map, #map], iterator_types = ["parallel"], tag = "keep"} ins(%a, %a, %a, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%c, %d : tensor<4xf32>, tensor<4xf32>) {
    ^bb0(%x: f32, %back: f32, %y: f32, %z: f32, %o: f32, %p: f32):
      %1 = arith.addf %x, %y : f32
      %2 = arith.mulf %1, %back : f32
      linalg.yield %2, %o : f32, f32
    } -> (tensor<4xf32>, tensor<4xf32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
  }
  func.func @only_one(%a: tensor<?xi32>, %c: tensor<i32>) -> tensor<i32> {
    %0 = linalg.generic {indexing_maps = [#map, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<?xi32>) outs(%c : tensor<i32>) {
    ^bb0(%x: i32, %o: i32):
      %1 = arith.addi %o, %o : i32
      linalg.yield %1 : i32
    } -> tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @buffers(%a: memref<4xf32>, %c: memref<4xf32>) {
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a, %c : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %1 = arith.mulf %y, %o : f32
      linalg.yield %1 : f32
    }
    return
  }
  func.func @outputs(%c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0:2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%c : tensor<4xf32>) outs(%c, %c : tensor<4xf32>, tensor<4xf32>) {
    ^bb0(%x: f32, %o: f32, %p: f32):
      %1 = arith.addf %p, %o : f32
      %2 = arith.addf %x, %o : f32
      linalg.yield %1, %2 : f32, f32
    } -> (tensor<4xf32>, tensor<4xf32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %0 {
      transform.apply_patterns.linalg.erase_unnecessary_inputs
    } : !transform.any_op
    transform.yield
  }
}
