func.func @rows(%m: memref<8x4xf32>, %n: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() {alignment = 64 : i64} : memref<1x4xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %from = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %to = memref.subview %n[%i, 0] [1, 3] [1, 1] : memref<8x4xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %from, %b : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32>
    %part = memref.subview %b[0, 1] [1, 3] [1, 1] : memref<1x4xf32> to memref<3xf32, strided<[1], offset: 1>>
    memref.copy %part, %to : memref<3xf32, strided<[1], offset: 1>> to memref<3xf32, strided<[1], offset: ?>>
  }
  memref.dealloc %b : memref<1x4xf32>
  return
}

func.func @parallel(%m: memref<8xf32>) {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<2xf32>
  scf.forall (%i) = (1) to (7) step (2) {
    memref.store %x, %b[%c0] : memref<2xf32>
    %0 = memref.load %b[%c0] : memref<2xf32>
    memref.store %0, %m[%i] : memref<8xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
    %0 = transform.memref.multibuffer %b {factor = 3 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
    transform.yield
  }
}
