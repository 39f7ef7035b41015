func.func @repeated(%x: f32, %a: vector<3xf32>, %b: vector<1x3xf32>, %c: vector<2x1x3xf32>) -> (vector<2x3xf32>, vector<2x2x3xf32>, vector<4x3xf32>, vector<2x2x3xf32>) {
  %0 = vector.broadcast %x : f32 to vector<2x3xf32>
  %1 = vector.broadcast %a : vector<3xf32> to vector<2x2x3xf32>
  %2 = vector.broadcast %b : vector<1x3xf32> to vector<4x3xf32>
  %3 = vector.broadcast %c : vector<2x1x3xf32> to vector<2x2x3xf32>
  return %0, %1, %2, %3 : vector<2x3xf32>, vector<2x2x3xf32>, vector<4x3xf32>, vector<2x2x3xf32>
}

func.func @shapes(%a: vector<2x3xf32>, %b: vector<6xf32>, %c: vector<2x2x3xf32>, %d: vector<1x1xf32>) -> (vector<6xf32>, vector<3x2xf32>, vector<4x3xf32>, vector<f32>) {
  %0 = vector.shape_cast %a : vector<2x3xf32> to vector<6xf32>
  %1 = vector.shape_cast %b : vector<6xf32> to vector<3x2xf32>
  %2 = vector.shape_cast %c : vector<2x2x3xf32> to vector<4x3xf32>
  %3 = vector.shape_cast %d : vector<1x1xf32> to vector<f32>
  return %0, %1, %2, %3 : vector<6xf32>, vector<3x2xf32>, vector<4x3xf32>, vector<f32>
}

func.func @bits(%a: vector<2x2xi32>) -> vector<2x4xi16> {
  %0 = vector.bitcast %a : vector<2x2xi32> to vector<2x4xi16>
  return %0 : vector<2x4xi16>
}

func.func @mixed(%a: vector<2x2xi32>, %b: vector<2x2xi32>, %c: vector<2x4xf32>) -> (vector<2x4xi32>, vector<2x2xf32>, vector<2x2xf32>) {
  %0 = vector.interleave %a, %b : vector<2x2xi32> -> vector<2x4xi32>
  %1, %2 = vector.deinterleave %c : vector<2x4xf32> -> vector<2x2xf32>
  return %0, %1, %2 : vector<2x4xi32>, vector<2x2xf32>, vector<2x2xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_broadcast
      transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.vector.lower_bitcast
      transform.apply_patterns.vector.lower_interleave
      transform.apply_patterns.vector.interleave_to_shuffle
    } : !transform.any_op
    transform.yield
  }
}
