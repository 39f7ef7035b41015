func.func @vectors(%m: memref<8x16xf32>, %i: index) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.remui %i, %c3 : index
  %part = memref.subview %m[1, 4] [3, 8] [2, 1] : memref<8x16xf32> to memref<3x8xf32, strided<[32, 1], offset: 20>>
  %loaded = vector.load %part[%row, %c3] : memref<3x8xf32, strided<[32, 1], offset: 20>>, vector<4xf32>
  %line = memref.subview %m[%row, 2] [1, 9] [1, 1] : memref<8x16xf32> to memref<9xf32, strided<[1], offset: ?>>
  %read = vector.transfer_read %line[%row], %zero {in_bounds = [true]} : memref<9xf32, strided<[1], offset: ?>>, vector<4xf32>
  %sum = arith.addf %loaded, %read : vector<4xf32>
  vector.store %sum, %part[%c0, %row] : memref<3x8xf32, strided<[32, 1], offset: 20>>, vector<4xf32>
  vector.transfer_write %read, %line[%c3] {in_bounds = [true]} : vector<4xf32>, memref<9xf32, strided<[1], offset: ?>>
  return %sum : vector<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
}
