// differs: a distance beyond the end of a row continues in the next one
func.func @line(%base: memref<8xf32>, %mask: vector<3xi1>, %rest: vector<3xf32>) -> vector<3xf32> {
  %c2 = arith.constant 2 : index
  %distances = arith.constant dense<[0, 5, 1]> : vector<3xi32>
  %0 = vector.gather %base[%c2][%distances], %mask, %rest : memref<8xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  return %0 : vector<3xf32>
}

func.func @rows(%base: tensor<4x8xi32>, %mask: vector<2x2xi1>, %rest: vector<2x2xi32>) -> vector<2x2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %distances = arith.constant dense<[[0, 5], [1, 3]]> : vector<2x2xindex>
  %0 = vector.gather %base[%c1, %c0][%distances], %mask, %rest : tensor<4x8xi32>, vector<2x2xindex>, vector<2x2xi1>, vector<2x2xi32> into vector<2x2xi32>
  return %0 : vector<2x2xi32>
}

func.func @column(%base: memref<4x3xf32>, %mask: vector<2xi1>, %rest: vector<2xf32>) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %distances = arith.constant dense<[3, 1]> : vector<2xindex>
  %first = memref.subview %base[0, 0] [4, 1] [1, 1] : memref<4x3xf32> to memref<4xf32, strided<[3]>>
  %0 = vector.gather %first[%c0][%distances], %mask, %rest : memref<4xf32, strided<[3]>>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}

func.func @scalable(%base: memref<?xf32>, %i: vector<[2]xindex>, %mask: vector<[2]xi1>, %rest: vector<[2]xf32>) -> vector<[2]xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.gather %base[%c0][%i], %mask, %rest : memref<?xf32>, vector<[2]xindex>, vector<[2]xi1>, vector<[2]xf32> into vector<[2]xf32>
  return %0 : vector<[2]xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_gather
    } : !transform.any_op
    transform.yield
  }
}
