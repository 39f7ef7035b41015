// Loops and branches that hand on tensors.

func.func @for(%a: tensor<?xf32>, %b: tensor<4xf32>, %n: index, %x: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %1 = tensor.insert_slice %b into %t[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
    %2 = tensor.insert %x into %1[%i] : tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  %3 = tensor.extract %a[%c0] : tensor<?xf32>
  return %0, %3 : tensor<?xf32>, f32
}

func.func @replaced(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %1 = tensor.empty(%n) : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

func.func @nest(%a: tensor<8x8xf32>, %x: f32) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c2 iter_args(%t = %a) -> (tensor<8x8xf32>) {
    %1 = scf.for %j = %c0 to %c8 step %c2 iter_args(%u = %t) -> (tensor<8x8xf32>) {
      %tile = tensor.extract_slice %u[%i, %j] [2, 2] [1, 1] : tensor<8x8xf32> to tensor<2x2xf32>
      %2 = linalg.fill ins(%x : f32) outs(%tile : tensor<2x2xf32>) -> tensor<2x2xf32>
      %3 = tensor.insert_slice %2 into %u[%i, %j] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<8x8xf32>
      scf.yield %3 : tensor<8x8xf32>
    }
    scf.yield %1 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

func.func @while(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.while (%t = %a, %u = %b) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.extract %t[%i] : tensor<4xf32>
    %2 = arith.cmpf olt, %1, %x : f32
    scf.condition(%2) %u, %t : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%t: tensor<4xf32>, %u: tensor<4xf32>):
    %3 = tensor.insert %x into %t[%i] : tensor<4xf32>
    scf.yield %3, %u : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

func.func @if(%c: i1, %a: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
  %0 = scf.if %c -> (tensor<4xf32>) {
    %1 = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %2 = tensor.empty() : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %3 = tensor.extract %a[%i] : tensor<4xf32>
  return %0, %3 : tensor<4xf32>, f32
}

func.func @forall(%a: tensor<8xf32>, %n: index, %x: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<8xf32>) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %2 = tensor.extract_slice %o[%1] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %3 = linalg.fill ins(%x : f32) outs(%2 : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %o[%1] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  %4 = tensor.extract %a[%c0] : tensor<8xf32>
  return %0, %4 : tensor<8xf32>, f32
}

func.func @region(%c: i1, %a: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %0 = scf.execute_region -> tensor<4xf32> {
    cf.cond_br %c, ^one(%a : tensor<4xf32>), ^two
  ^two:
    %1 = tensor.empty() : tensor<4xf32>
    cf.br ^one(%1 : tensor<4xf32>)
  ^one(%t: tensor<4xf32>):
    %2 = tensor.insert %x into %t[%i] : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
