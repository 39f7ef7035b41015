func.func @forwarded(%x: vector<4xf32>, %y: vector<4xf32>, %m: memref<8xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  vector.transfer_write %x, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  vector.transfer_write %y, %m[%c4] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  vector.transfer_write %y, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  return %0 : vector<4xf32>
}

func.func @unread(%x: f32, %i: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %v = memref.subview %b[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  memref.store %x, %v[%c0] : memref<2xf32, strided<[1], offset: 1>>
  memref.dealloc %b : memref<4xf32>
  %kept = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%kept : memref<4xf32>)
  memref.copy %kept, %m : memref<4xf32> to memref<4xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()
    transform.yield
  }
}
