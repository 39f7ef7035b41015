func.func @read(%m: memref<1x3x1x4xf32>, %x: f32) -> vector<3x1x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0, %c0, %c0], %x {in_bounds = [true, true, true]} : memref<1x3x1x4xf32>, vector<3x1x4xf32>
  return %0 : vector<3x1x4xf32>
}

func.func @write(%whole: memref<3x2x9xi32>, %v: vector<2x1x4xi32>) {
  %c0 = arith.constant 0 : index
  %m = memref.subview %whole[1, 1, 1] [2, 1, 4] [1, 1, 1] : memref<3x2x9xi32> to memref<2x1x4xi32, strided<[18, 9, 1], offset: 28>>
  vector.transfer_write %v, %m[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x1x4xi32>, memref<2x1x4xi32, strided<[18, 9, 1], offset: 28>>
  return
}

func.func @masked(%m: memref<3x1x4xf32>, %n: memref<1x4xf32>, %x: f32, %a: index) -> vector<3x1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %mask = vector.create_mask %c2, %c1, %a : vector<3x1x4xi1>
  %0 = vector.transfer_read %m[%c0, %c0, %c0], %x, %mask {in_bounds = [true, true, true]} : memref<3x1x4xf32>, vector<3x1x4xf32>
  %line = vector.create_mask %c1, %a : vector<1x4xi1>
  %v = vector.extract %0[0] : vector<1x4xf32> from vector<3x1x4xf32>
  vector.transfer_write %v, %n[%c0, %c0], %line {in_bounds = [true, true]} : vector<1x4xf32>, memref<1x4xf32>
  return %0 : vector<3x1x4xf32>
}

func.func @kept(%m: memref<1x3xf32>, %x: f32, %a: index) -> (vector<1x3xf32>, vector<1x4xf32>) {
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %a, %a : vector<1x3xi1>
  %chosen = vector.transfer_read %m[%c0, %c0], %x, %mask {in_bounds = [true, true]} : memref<1x3xf32>, vector<1x3xf32>
  %over = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true, false]} : memref<1x3xf32>, vector<1x4xf32>
  return %chosen, %over : vector<1x3xf32>, vector<1x4xf32>
}

func.func @dynamic(%m: memref<1x?x3xf32>, %x: f32) -> vector<1x1x3xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0, %c0], %x {in_bounds = [true, true, true]} : memref<1x?x3xf32>, vector<1x1x3xf32>
  return %0 : vector<1x1x3xf32>
}

func.func @placed(%whole: memref<9x1x8xf32>, %x: f32, %a: index) -> vector<4x1x2xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.subview %whole[%a, 0, %a] [4, 1, 2] [1, 1, 1] : memref<9x1x8xf32> to memref<4x1x2xf32, strided<[8, 8, 1], offset: ?>>
  %0 = vector.transfer_read %m[%c0, %c0, %c0], %x {in_bounds = [true, true, true]} : memref<4x1x2xf32, strided<[8, 8, 1], offset: ?>>, vector<4x1x2xf32>
  return %0 : vector<4x1x2xf32>
}

func.func @scalable(%m: memref<1x?x1xf32>, %x: f32) -> vector<1x[4]x1xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0, %c0], %x {in_bounds = [true, true, true]} : memref<1x?x1xf32>, vector<1x[4]x1xf32>
  return %0 : vector<1x[4]x1xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.rank_reducing_subview_patterns
    } : !transform.any_op
    transform.yield
  }
}
