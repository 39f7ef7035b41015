module attributes {transform.with_named_sequence} {
  func.func @reshape(%a: memref<6x4xf32>, %s: memref<2xindex>, %t: memref<3xi32>) -> (memref<?x?xf32>, memref<?x2x?xf32>, memref<2x2x6xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %two = arith.constant 2 : i32
    %six = arith.constant 6 : i32
    memref.store %c3, %s[%c0] : memref<2xindex>
    memref.store %c8, %s[%c1] : memref<2xindex>
    memref.store %two, %t[%c0] : memref<3xi32>
    memref.store %two, %t[%c1] : memref<3xi32>
    memref.store %six, %t[%c2] : memref<3xi32>
    %0 = memref.reshape %a(%s) : (memref<6x4xf32>, memref<2xindex>) -> memref<?x?xf32>
    %1 = memref.reshape %a(%t) : (memref<6x4xf32>, memref<3xi32>) -> memref<?x2x?xf32>
    %2 = memref.reshape %a(%t) : (memref<6x4xf32>, memref<3xi32>) -> memref<2x2x6xf32>
    return %0, %1, %2 : memref<?x?xf32>, memref<?x2x?xf32>, memref<2x2x6xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_ops
    } : !transform.any_op
    transform.yield
  }
}
