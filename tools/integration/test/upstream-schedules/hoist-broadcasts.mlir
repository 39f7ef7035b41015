// differs: here each iteration writes the row that the one before yields, and not the first one
func.func @rows(%v: vector<3x4xf32>, %n: index, %w: vector<3x4xf32>, %m: memref<8x4xf32>, %x: f32) -> (vector<3x4xf32>, vector<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %v, %q = %w) -> (vector<3x4xf32>, vector<3x4xf32>) {
    %e = vector.extract %p[1] : vector<4xf32> from vector<3x4xf32>
    vector.transfer_write %e, %m[%i, %c0] {in_bounds = [true]} : vector<4xf32>, memref<8x4xf32>
    %s = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true]} : memref<8x4xf32>, vector<4xf32>
    %b = vector.broadcast %s : vector<4xf32> to vector<3x4xf32>
    scf.yield %b, %q : vector<3x4xf32>, vector<3x4xf32>
  }
  return %r#0, %r#1 : vector<3x4xf32>, vector<3x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.hoist_redundant_vector_broadcasts %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
