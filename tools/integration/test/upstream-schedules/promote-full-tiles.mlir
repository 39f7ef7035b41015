#size = affine_map<(d0) -> (4, -d0 + 6)>
func.func @sum(%a: memref<6xf32>, %b: memref<6xf32>, %c: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c4 {
    %n = affine.min #size(%i)
    %s = memref.subview %a[%i] [%n] [1] : memref<6xf32> to memref<?xf32, strided<[1], offset: ?>>
    %t = memref.subview %b[%i] [%n] [1] : memref<6xf32> to memref<?xf32, strided<[1], offset: ?>>
    %u = memref.subview %c[%i] [%n] [1] : memref<6xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.add ins(%s, %t : memref<?xf32, strided<[1], offset: ?>>, memref<?xf32, strided<[1], offset: ?>>) outs(%u : memref<?xf32, strided<[1], offset: ?>>)
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %t = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.promote %t {operands_to_promote = [0, 1, 2], use_full_tiles_by_default, use_alloca} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
