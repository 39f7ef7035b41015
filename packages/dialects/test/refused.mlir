func.func @f(%x: f32, %t: tensor<64x64xf32>) -> tensor<64x64xf16> {
  // expected-error @below {{'linalg.fill' op expected type of operand #1 ('tensor<64x64xf32>') to match type of corresponding result ('tensor<64x64xf16>')}}
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<64x64xf32>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// -----

func.func @f(%x: f32, %t: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.fill' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%x: f32, %t: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.generic' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%x : f32) outs(%t : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
   linalg.yield %a : f32 } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<2x2xf32>, %t: tensor<2x2xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{'linalg.matmul' op expected type of operand #2 ('tensor<2x2xf32>') to match type of corresponding result ('tensor<2x3xf32>')}}
  %0 = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%t : tensor<2x2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @f(%a: tensor<1x1x4x4xf32>, %b: tensor<1x1x2x2xf32>, %t: tensor<1x1x3x3xf32>) -> tensor<1x1x3x4xf32> {
  // expected-error @below {{'linalg.conv_2d_nchw_fchw' op expected type of operand #2 ('tensor<1x1x3x3xf32>') to match type of corresponding result ('tensor<1x1x3x4xf32>')}}
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) outs(%t : tensor<1x1x3x3xf32>) -> tensor<1x1x3x4xf32>
  return %0 : tensor<1x1x3x4xf32>
}

// -----

memref.global "private" constant @z : memref<2xf32> = dense<0.0>
// expected-error @below {{'memref.get_global' op result type 'memref<100xf32>' does not match type 'memref<2xf32>' of the global memref @z}}
func.func @f() -> memref<100xf32> { %0 = memref.get_global @z : memref<100xf32>
 return %0 : memref<100xf32> }

// -----

// expected-error @below {{'memref.global' op visibility expected to be one of ["public", "private", "nested"], but got "bogus"}}
memref.global "bogus" @z : memref<2xf32> = dense<0.0>

// -----

func.func @f(%t: tensor<4xindex>) -> tensor<4xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} outs(%t : tensor<4xindex>) {
  ^bb0(%b: index):
   // expected-error @below {{'linalg.index' op attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
   %i = linalg.index -1 : index
   linalg.yield %i : index } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'linalg.generic' unexpected iterator_type (window)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = ["window"]} outs(%t : tensor<4xf32>) {
  ^bb0(%b: f32):
   linalg.yield %b : f32 } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
%0 = memref.alloca() : memref<4xf32>

// -----

func.func @f(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'scf.reduce.return' op expects parent op 'scf.reduce'}}
    scf.reduce.return %x : f32
  }
  return %0 : f32
}

// -----

// expected-error @below {{strides must not be zero}}
func.func @f(%m: memref<4xf32, strided<[0]>>) { return }

// -----

func.func @f(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'memref.atomic_yield' op expects parent op 'memref.generic_atomic_rmw'}}
    memref.atomic_yield %x : f32
  }
  return %0 : f32
}

// -----

func.func @f(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'memref.alloca_scope.return' op expects parent op 'memref.alloca_scope'}}
    memref.alloca_scope.return %x : f32
  }
  return %0 : f32
}

// -----

func.func @f(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'tensor.yield' op expects parent op to be one of 'tensor.generate, tensor.pad'}}
    tensor.yield %x : f32
  }
  return %0 : f32
}

// -----

func.func @f(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'affine.yield' op only terminates affine.if/for/parallel regions}}
    affine.yield %x : f32
  }
  return %0 : f32
}

// -----

func.func @f(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'linalg.yield' op expected parent op with LinalgOp interface}}
    linalg.yield %x : f32
  }
  return %0 : f32
}

// -----

func.func @f(%c: i1, %x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'scf.condition' op expects parent op 'scf.while'}}
    scf.condition(%c) %x : f32
  }
  return %0 : f32
}

// -----

func.func @f(%c: i1, %x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'scf.reduce' op expects parent op 'scf.parallel'}}
    scf.reduce(%x : f32) { ^bb0(%a: f32, %b: f32): scf.reduce.return %a : f32 }
  }
  return %0 : f32
}

// -----

func.func @f(%c: i1, %x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    // expected-error @below {{'scf.forall.in_parallel' op expects parent op 'scf.forall'}}
    scf.forall.in_parallel {}
  }
  return %0 : f32
}

// -----

func.func @f(%c: i1, %x: f32) {
  memref.alloca_scope {
    // expected-error @below {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
    scf.yield
  }
  return
}

// -----

func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot name an operation with no results}}
  %0 = tensor.parallel_insert_slice %t into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> index {
  // expected-error @below {{'linalg.index' op expected parent op with LinalgOp interface}}
  %0 = linalg.index 0 : index
  return %0 : index
}

// -----

func.func @f() -> index {
  // expected-error @below {{'linalg.index' op attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
  %0 = "linalg.index"() <{dim = 0 : i32}> : () -> index
  return %0 : index
}

// -----

// expected-error @below {{custom op 'return' is unknown (tried 'builtin.return' as well)}}
return

// -----

// expected-error @below {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
scf.yield

// -----

func.func @f(%m : memref<?xf32>) {
  // expected-error @below {{'memref.assume_alignment' op attribute 'alignment' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  memref.assume_alignment %m, 0 : memref<?xf32>
  return
}

// -----

func.func @f(%m : memref<?xf32>) {
  // expected-error @below {{'memref.assume_alignment' op alignment must be power of 2}}
  memref.assume_alignment %m, 3 : memref<?xf32>
  return
}

// -----

func.func @f(%m : memref<?xf32>, %i: index) {
  // expected-error @below {{'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  memref.prefetch %m[%i], read, locality<4>, data : memref<?xf32>
  return
}

// -----

func.func @f(%m : memref<?xf32>, %i: index) {
  // expected-error @below {{'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  affine.prefetch %m[%i], read, locality<4>, data : memref<?xf32>
  return
}

// -----

// expected-error @below {{expected floating-point elements, but parsed integer}}
memref.global @z : memref<2xf32> = dense<0> : tensor<2xi32>

// -----

// expected-error @below {{'memref.global' op initial value expected to be of type 'tensor<2xf32>', but was of type 'tensor<2xi32>'}}
"memref.global"() <{sym_name = "z", type = memref<2xf32>, initial_value = dense<0> : tensor<2xi32>}> : () -> ()

// -----

// expected-error @below {{'memref.global' op initial value expected to be of type 'tensor<2xf32>', but was of type 'tensor<3xf32>'}}
"memref.global"() <{sym_name = "z", type = memref<2xf32>, initial_value = dense<0.0> : tensor<3xf32>}> : () -> ()

// -----

// expected-error @below {{'memref.global' op initial value should be a unit or elements attribute, but got 1 : i32}}
"memref.global"() <{sym_name = "z", type = memref<2xf32>, initial_value = 1 : i32}> : () -> ()

// -----

// expected-error @below {{'memref.global' op type should be static shaped memref, but got 'memref<?xf32>'}}
"memref.global"() <{sym_name = "z", type = memref<?xf32>}> : () -> ()

// -----

// expected-error @below {{'memref.global' op attribute 'type' failed to satisfy constraint: memref type attribute}}
"memref.global"() <{sym_name = "z", type = tensor<2xf32>}> : () -> ()

// -----

// expected-error @below {{custom op 'memref.global' type should be static shaped memref, but got 'memref<?xf32>'}}
memref.global @z : memref<?xf32>

// -----

// expected-error @below {{custom op 'memref.global' type should be static shaped memref, but got 'tensor<2xf32>'}}
memref.global @z : tensor<2xf32>

// -----

// expected-error @below {{'memref.global' op requires attribute 'sym_name'}}
"memref.global"() <{type = memref<2xf32>}> : () -> ()

// -----

// expected-error @below {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "bogus"}}
"func.func"() <{sym_name = "z", sym_visibility = "bogus", function_type = () -> ()}> ({ "func.return"() : () -> () }) : () -> ()

// -----

// expected-error @below {{'func.func' op symbol declaration cannot have public visibility}}
"func.func"() <{sym_name = "z", sym_visibility = "public", function_type = () -> ()}> ({ }) : () -> ()

// -----

// expected-error @below {{'func.func' op symbol declaration cannot have public visibility}}
"func.func"() <{sym_name = "z", function_type = () -> ()}> ({ }) : () -> ()

// -----

// expected-error @below {{'memref.get_global' op 'z' does not reference a valid global memref}}
func.func @f() -> memref<2xf32> { %0 = memref.get_global @z : memref<2xf32>
 return %0 : memref<2xf32> }

// -----

func.func @z() { return }
// expected-error @below {{'memref.get_global' op 'z' does not reference a valid global memref}}
func.func @f() -> memref<2xf32> { %0 = memref.get_global @z : memref<2xf32>
 return %0 : memref<2xf32> }

// -----

// expected-error @below {{'func.call' op 'g' does not reference a valid function}}
func.func @f() { call @g() : () -> ()
 return }

// -----

func.func private @g(f32) -> f32
// expected-error @below {{'func.call' op operand type mismatch: expected operand type 'f32', but provided 'f64' for operand number 0}}
func.func @f(%x: f64) { %0 = call @g(%x) : (f64) -> f32
 return }

// -----

func.func private @g(f32) -> f32
// expected-error @below {{'func.call' op incorrect number of operands for callee}}
func.func @f(%x: f64) { %0 = call @g() : () -> f32
 return }

// -----

func.func private @g(f32) -> f32
// expected-error @below {{'func.call' op incorrect number of results for callee}}
func.func @f(%x: f32) { call @g(%x) : (f32) -> ()
 return }

// -----

memref.global @g : memref<2xf32>
// expected-error @below {{'func.call' op 'g' does not reference a valid function}}
func.func @f(%x: f32) { call @g(%x) : (f32) -> ()
 return }

// -----

// expected-error @below {{'func.constant' op reference to undefined function 'g'}}
func.func @f(%x: f32) { %0 = constant @g : () -> ()
 return }

// -----

func.func private @g(f32) -> f32
// expected-error @below {{'func.constant' op reference to function with mismatched type}}
func.func @f(%x: f32) { %0 = constant @g : () -> ()
 return }

// -----

// expected-error @below {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
module { module { %0 = memref.alloca() : memref<4xf32> } }

// -----

scf.execute_region {
    // expected-error @below {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
    %0 = memref.alloca() : memref<4xf32>
    scf.yield
}

// -----

// expected-error @below {{expected the number of strides to match the rank}}
func.func @f(%m: memref<4x4xf32, strided<[1]>>) { return }

// -----

// expected-error @below {{strides must not be zero}}
func.func @f(%m: memref<4xf32, strided<[0], offset: ?>>) { return }

// -----

// expected-error @below {{memref layout mismatch between rank and affine map: 2 != 1}}
func.func @f(%m: memref<4x4xf32, affine_map<(d0) -> (d0)>>) { return }

// -----

// expected-error @below {{strides must not be zero}}
func.func @f() attributes {x = strided<[0, 1]>} { return }

// -----

func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'linalg.generic' op attribute 'iterator_types' failed to satisfy constraint: Iterator type should be an enum.}}
  %0 = "linalg.generic"(%t) <{indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = ["parallel"], operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%b: f32):
   linalg.yield %b : f32 }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'linalg.generic' expected "iterator_types" array attribute}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = 1} outs(%t : tensor<4xf32>) {
  ^bb0(%b: f32):
   linalg.yield %b : f32 } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'linalg.generic' expected "iterator_types" array attribute}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>]} outs(%t : tensor<4xf32>) {
  ^bb0(%b: f32):
   linalg.yield %b : f32 } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() {
  // expected-error @below {{'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute}}
  scf.forall (%i) in (4) { } {mapping = [1 : i32]}
  return
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{'scf.forall' op expected type of operand #0 ('tensor<4xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = "scf.forall"(%a) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%i: index, %o: tensor<4xf32>):
      scf.forall.in_parallel {}
  }) : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  // expected-error @below {{'tensor.insert' op failed to verify that result type matches type of dest}}
  %0 = "tensor.insert"(%x, %a, %i) : (f32, tensor<4xf32>, index) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  // expected-error @below {{'tensor.insert_slice' op failed to verify that expected result type to match dest type}}
  %0 = "tensor.insert_slice"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<2x2xf32>) -> tensor<8xf32> {
  // expected-error @below {{'tensor.pack' op failed to verify that result type matches type of dest}}
  %0 = "tensor.pack"(%a, %b) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 2>}> : (tensor<4xf32>, tensor<2x2xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x9xf32> {
  // expected-error @below {{'linalg.softmax' op expected type of operand #1 ('tensor<4x8xf32>') to match type of corresponding result ('tensor<4x9xf32>')}}
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.softmax' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.softmax' op incorrect dimension specified}}
  linalg.softmax dimension(2) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.softmax' op incorrect dimension specified}}
  linalg.softmax dimension(-1) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x4xf32>) {
  // expected-error @below {{'linalg.softmax' op incompatible output shape}}
  linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: f32, %t: tensor<4xf32>) {
  // expected-error @below {{'linalg.fill' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>)
  return
}

// -----

func.func @f(%x: f32, %t: memref<4xf32>) {
  // expected-error @below {{'linalg.fill' op expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %0 = linalg.fill ins(%x : f32) outs(%t : memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: f32, %t: f32) {
  // expected-error @below {{'linalg.fill' op operand #1 must be variadic of shaped of any type values, but got 'f32'}}
  linalg.fill ins(%x : f32) outs(%t : f32)
  return
}

// -----

func.func @f(%x: f32, %t: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.map' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = "linalg.map"(%t, %t) ({ ^bb0(%a: f32): linalg.yield %a : f32 }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%x: f32, %t: tensor<4xf32>, %u: tensor<f32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.reduce' op expected type of operand #1 ('tensor<f32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = "linalg.reduce"(%t, %u) <{dimensions = array<i64: 0>}> ({ ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }) : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%x: f32, %t: tensor<4xf32>, %u: tensor<f32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.transpose' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = "linalg.transpose"(%t, %t) <{permutation = array<i64: 0>}> ({ ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%x: f32, %t: tensor<4xf32>, %u: tensor<4x2xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.broadcast' op expected type of operand #1 ('tensor<4x2xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = "linalg.broadcast"(%t, %u) <{dimensions = array<i64: 1>}> ({ ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }) : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{'bufferization.materialize_in_destination' op result and 'dest' types must match}}
  %0 = "bufferization.materialize_in_destination"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op tensor 'dest' implies exactly one tensor result}}
  "bufferization.materialize_in_destination"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: memref<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op memref 'dest' implies zero results}}
  %0 = "bufferization.materialize_in_destination"(%a, %b) : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: memref<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  "bufferization.materialize_in_destination"(%a, %b) : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
  %0 = "bufferization.materialize_in_destination"(%a, %b) : (tensor<4xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) {
  // expected-error @below {{use of undeclared SSA value name}}
  %0 = linalg.fill_rng_2d ins(%x, %x, %s : f64, f64, i32) outs(%a : tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%m: memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) {
  // expected-error @below {{'memref.transpose' op operand #0 must be strided memref of any type values, but got 'memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
  %0 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>> to memref<8x4xf32>
  return
}

// -----

func.func @f(%m: memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) {
  // expected-error @below {{'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>> -> memref<f32>, index, index, index, index, index
  return
}

// -----

func.func @f(%m: memref<32xf32>) {
  // expected-error @below {{'memref.expand_shape' op result #0 must be strided memref of any type values, but got 'memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>
  return
}

// -----

func.func @f(%m: memref<4x8xf32>) {
  // expected-error @below {{'memref.collapse_shape' op result #0 must be strided memref of any type values, but got 'memref<32xf32, affine_map<(d0) -> (d0 floordiv 2)>>'}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}

// -----

func.func @f(%m: memref<4x8xf32>) {
  // expected-error @below {{'memref.transpose' op expected a permutation map}}
  %0 = memref.transpose %m (d0, d1) -> (d0, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  return
}

// -----

func.func @f(%m: memref<4x8xf32>) {
  // expected-error @below {{'memref.transpose' op expected a permutation map of same rank as the input}}
  %0 = memref.transpose %m (d0) -> (d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1xf32>' but found 'memref<1xf32, strided<[1]>>'}}
  %0 = memref.expand_shape %m [] output_shape [1] : memref<f32> into memref<1xf32, strided<[1]>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1xf32>' but found 'memref<1xf32, strided<[1], offset: 3>>'}}
  %0 = memref.expand_shape %m [] output_shape [1] : memref<f32> into memref<1xf32, strided<[1], offset: 3>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1xf32>' but found 'memref<1xf32, strided<[1], offset: ?>>'}}
  %0 = memref.expand_shape %m [] output_shape [1] : memref<f32> into memref<1xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1xf32>' but found 'memref<1xf32, strided<[?], offset: ?>>'}}
  %0 = memref.expand_shape %m [] output_shape [1] : memref<f32> into memref<1xf32, strided<[?], offset: ?>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1xf32>' but found 'memref<1xf32, strided<[2]>>'}}
  %0 = memref.expand_shape %m [] output_shape [1] : memref<f32> into memref<1xf32, strided<[2]>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1x1x1x1x1xf32>' but found 'memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1]>>'}}
  %0 = memref.expand_shape %m [] output_shape [1, 1, 1, 1, 1] : memref<f32> into memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1]>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1x1x1x1x1xf32>' but found 'memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1], offset: 3>>'}}
  %0 = memref.expand_shape %m [] output_shape [1, 1, 1, 1, 1] : memref<f32> into memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1], offset: 3>>
  return
}

// -----

func.func @f(%m: memref<f32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<1x1x1x1x1xf32>' but found 'memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1], offset: ?>>'}}
  %0 = memref.expand_shape %m [] output_shape [1, 1, 1, 1, 1] : memref<f32> into memref<1x1x1x1x1xf32, strided<[1, 1, 1, 1, 1], offset: ?>>
  return
}

// -----

func.func @f(%m: memref<4x8xf32, affine_map<(d0, d1) -> (d1)>>) {
  // expected-error @below {{'memref.transpose' op operand #0 must be strided memref of any type values, but got 'memref<4x8xf32, affine_map<(d0, d1) -> (d1)>>'}}
  %0 = memref.transpose %m (d0, d1) -> (d0, d1) : memref<4x8xf32, affine_map<(d0, d1) -> (d1)>> to memref<4x8xf32, affine_map<(d0, d1) -> (d1)>>
  return
}

// -----

func.func @f(%m: memref<1xf32, affine_map<(d0) -> (0)>>) {
  // expected-error @below {{'memref.transpose' op operand #0 must be strided memref of any type values, but got 'memref<1xf32, affine_map<(d0) -> (0)>>'}}
  %0 = memref.transpose %m (d0) -> (d0) : memref<1xf32, affine_map<(d0) -> (0)>> to memref<1xf32, affine_map<(d0) -> (0)>>
  return
}

// -----

func.func @f(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 + 1, d1)>>) {
  // expected-error @below {{'memref.transpose' op operand #0 must be strided memref of any type values, but got 'memref<4x4xf32, affine_map<(d0, d1) -> (d0 + 1, d1)>>'}}
  %0 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x4xf32, affine_map<(d0, d1) -> (d0 + 1, d1)>> to memref<4x4xf32, strided<[1, 4], offset: 4>>
  return
}

// -----

func.func @f(%m: memref<4x8xf32, strided<[16, 1]>>) {
  // expected-error @below {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32, strided<[16, 1]>> into memref<32xf32, strided<[1]>>
  return
}

// -----

func.func @f(%m: memref<4x8xf32, strided<[16, 1]>>) {
  // expected-error @below {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32, strided<[16, 1]>> into memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<1x8xf32, strided<[99, 1]>>) {
  // expected-error @below {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<1x8xf32, strided<[99, 1]>> into memref<8xf32, strided<[1]>>
  return
}

// -----

func.func @f(%m: memref<1x8xf32, strided<[99, 1]>>) {
  // expected-error @below {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<1x8xf32, strided<[99, 1]>> into memref<8xf32>
  return
}
