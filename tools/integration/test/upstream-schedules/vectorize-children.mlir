func.func @product(%f: tensor<4x8xf32>, %w: tensor<8x16xf32>, %s: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul ins(%f, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%s : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

func.func @onto_zeros(%f: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4x16xi32>
  %fill = linalg.fill ins(%c0 : i32) outs(%empty : tensor<4x16xi32>) -> tensor<4x16xi32>
  %0 = linalg.matmul ins(%f, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%fill : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

func.func @batches(%f: tensor<2x3x4xf32>, %w: tensor<2x4x5xf32>, %s: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %0 = linalg.batch_matmul ins(%f, %w : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%s : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

func.func @turned(%t: tensor<3x4xf32>, %v: tensor<4xf32>, %s: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n, m)>], iterator_types = ["parallel", "parallel"]} ins(%t, %v : tensor<3x4xf32>, tensor<4xf32>) outs(%s : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.addf %a, %b : f32
    %q = arith.subf %p, %c : f32
    linalg.yield %q : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @sums(%t: tensor<3x4x5xi32>, %s: tensor<5x3xi32>) -> tensor<5x3xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<3x4x5xi32>) outs(%s : tensor<5x3xi32>) {
  ^bb0(%a: i32, %c: i32):
    %q = arith.addi %c, %a : i32
    linalg.yield %q : i32
  } -> tensor<5x3xi32>
  return %0 : tensor<5x3xi32>
}

func.func @parts(%t: tensor<8x9xf32>, %i: index) -> tensor<8x9xf32> {
  %c1 = arith.constant 1 : index
  %slice = tensor.extract_slice %t[2, %c1] [4, 8] [1, 1] : tensor<8x9xf32> to tensor<4x8xf32>
  %row = tensor.extract_slice %t[%c1, 0] [1, 8] [1, 1] : tensor<8x9xf32> to tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%row : tensor<8xf32>) outs(%slice : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %q = arith.mulf %c, %a : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  %1 = tensor.insert_slice %0 into %t[3, %c1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

func.func @buffers(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<4x3xf32>, %d: memref<f32>, %e: memref<f32>) {
  memref.copy %a, %b : memref<3x4xf32> to memref<3x4xf32>
  memref.copy %d, %e : memref<f32> to memref<f32>
  linalg.transpose ins(%b : memref<3x4xf32>) outs(%c : memref<4x3xf32>) permutation = [1, 0]
  linalg.map ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%a : memref<3x4xf32>)
    (%x: f32, %y: f32) {
      %0 = arith.addf %x, %y : f32
      linalg.yield %0 : f32
    }
  return
}

func.func @around(%m: memref<8x8xf32>, %i: memref<8x8xf32>) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 0.000000e+00 : f32
  %buffer = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%buffer : memref<4x4xf32>)
  %part = memref.subview %m[1, 2] [3, 4] [1, 1] : memref<8x8xf32> to memref<3x4xf32, strided<[8, 1], offset: 10>>
  %view = memref.subview %buffer[0, 0] [3, 4] [1, 1] : memref<4x4xf32> to memref<3x4xf32, strided<[4, 1]>>
  memref.copy %part, %view : memref<3x4xf32, strided<[8, 1], offset: 10>> to memref<3x4xf32, strided<[4, 1]>>
  %v = vector.transfer_read %buffer[%c0, %c0], %x : memref<4x4xf32>, vector<4x4xf32>
  memref.dealloc %buffer : memref<4x4xf32>
  return %v : vector<4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %functions : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
