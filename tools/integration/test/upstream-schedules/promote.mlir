func.func @product(%a: memref<8x6xf32>, %b: memref<6x8xf32>, %c: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c2 {
    %s = memref.subview %a[%i, 0] [4, 6] [1, 1] : memref<8x6xf32> to memref<4x6xf32, strided<[6, 1], offset: ?>>
    %t = memref.subview %b[0, %i] [6, 4] [1, 1] : memref<6x8xf32> to memref<6x4xf32, strided<[8, 1], offset: ?>>
    %u = memref.subview %c[%i, %i] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
    linalg.matmul ins(%s, %t : memref<4x6xf32, strided<[6, 1], offset: ?>>, memref<6x4xf32, strided<[8, 1], offset: ?>>) outs(%u : memref<4x4xf32, strided<[8, 1], offset: ?>>)
  }
  return
}

func.func @dynamic(%a: memref<8x8xi32>, %n: index, %x: i32) {
  %s = memref.subview %a[0, 1] [%n, 1] [1, 1] : memref<8x8xi32> to memref<?xi32, strided<[8], offset: 1>>
  linalg.fill ins(%x : i32) outs(%s : memref<?xi32, strided<[8], offset: 1>>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %t = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.promote %t {alignment = 32} : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "promoted" : !transform.any_op
    transform.yield
  }
}
