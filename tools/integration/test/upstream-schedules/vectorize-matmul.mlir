func.func @tile(%f: tensor<4x8xf32>, %w: tensor<8x16xf32>, %s: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%f, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%s : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

func.func @numbers(%t: tensor<4x8xi32>, %x: i32) -> tensor<4x8xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%t : tensor<4x8xi32>) {
  ^bb0(%y: i32):
    %c = arith.constant 3 : i32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %l = arith.index_cast %k : index to i32
    %m = arith.muli %l, %c : i32
    %n = arith.addi %m, %x : i32
    %o = arith.addi %n, %y : i32
    linalg.yield %o : i32
  } -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

func.func @largest(%t: tensor<4x8xf32>, %m: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%t : tensor<4x8xf32>) outs(%m : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.maximumf %y, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @turn(%m: memref<4x8xf32>, %n: memref<8x4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%n : memref<8x4xf32>)
  linalg.transpose ins(%m : memref<4x8xf32>) outs(%n : memref<8x4xf32>) permutation = [1, 0]
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops : !transform.any_op
    transform.yield
  }
}
