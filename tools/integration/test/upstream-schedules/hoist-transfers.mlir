func.func @twice(%m: memref<8xf32>, %t: memref<4xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
      %1 = vector.transfer_read %m[%c4], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
      %2 = vector.transfer_read %t[%c0], %pad {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
      %3 = arith.addf %0, %2 : vector<4xf32>
      %4 = arith.mulf %1, %2 : vector<4xf32>
      vector.transfer_write %3, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
      vector.transfer_write %4, %m[%c4] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
    }
  }
  return
}

func.func @affine(%m: memref<8xf32>, %s: f32) -> f32 {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %r = affine.for %j = 0 to 4 iter_args(%a = %s) -> (f32) {
    %0 = vector.transfer_read %m[%c0], %pad : memref<8xf32>, vector<2xf32>
    %1 = arith.addf %0, %0 : vector<2xf32>
    vector.transfer_write %1, %m[%c0] : vector<2xf32>, memref<8xf32>
    %2 = arith.addf %a, %a : f32
    affine.yield %2 : f32
  }
  return %r : f32
}

func.func @overlapping(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
    %1 = vector.transfer_read %m[%c1], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
    %2 = arith.addf %0, %1 : vector<4xf32>
    vector.transfer_write %2, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
