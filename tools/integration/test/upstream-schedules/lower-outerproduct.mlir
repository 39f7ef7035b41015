func.func @floats(%am: memref<3xf32>, %bm: memref<4xf32>, %cm: memref<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %am[%c0] : memref<3xf32>, vector<3xf32>
  %b = vector.load %bm[%c0] : memref<4xf32>, vector<4xf32>
  %c = vector.load %cm[%c0, %c0] : memref<3x4xf32>, vector<3x4xf32>
  %r = vector.outerproduct %a, %b, %c : vector<3xf32>, vector<4xf32>
  vector.store %r, %cm[%c0, %c0] : memref<3x4xf32>, vector<3x4xf32>
  return
}

func.func @integers(%am: memref<2xi32>, %bm: memref<4xi32>, %cm: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %am[%c0] : memref<2xi32>, vector<2xi32>
  %b = vector.load %bm[%c0] : memref<4xi32>, vector<4xi32>
  %c = vector.load %cm[%c0, %c0] : memref<2x4xi32>, vector<2x4xi32>
  %r = vector.outerproduct %a, %b, %c : vector<2xi32>, vector<4xi32>
  vector.store %r, %cm[%c0, %c0] : memref<2x4xi32>, vector<2x4xi32>
  return
}

func.func @scaled(%am: memref<2xf32>, %b: f32, %cm: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %am[%c0] : memref<2xf32>, vector<2xf32>
  %c = vector.load %cm[%c0] : memref<2xf32>, vector<2xf32>
  %r = vector.outerproduct %a, %b, %c : vector<2xf32>, f32
  vector.store %r, %cm[%c0] : memref<2xf32>, vector<2xf32>
  return
}

func.func @no_sum(%am: memref<2xf32>, %bm: memref<4xf32>, %cm: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %am[%c0] : memref<2xf32>, vector<2xf32>
  %b = vector.load %bm[%c0] : memref<4xf32>, vector<4xf32>
  %c = vector.load %cm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %r = vector.outerproduct %a, %b : vector<2xf32>, vector<4xf32>
  vector.store %r, %cm[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_outerproduct
    } : !transform.any_op
    transform.yield
  }
}
