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

// -----

func.func @f() {
  // expected-error @below {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %r:1 = "arith.constant"() <{value = 42 : i32}> : () -> i16
  return
}

// -----

func.func @f() {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.constant"() <{value = 42 : i32}> : () -> (i32, f32)
  return
}

// -----

func.func @f(%a0: index, %a1: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.subi"(%a0, %a1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> (index, f32)
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.negf"(%a0) <{fastmath = #arith.fastmath<reassoc,afn>}> : (f32) -> (f32, f32)
  return
}

// -----

func.func @f(%a0: i1, %a1: f64, %a2: f32) {
  // expected-error @below {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %r:1 = "arith.select"(%a0, %a1, %a2) : (i1, f64, f32) -> f32
  return
}

// -----

func.func @f(%a0: i1, %a1: f32, %a2: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.select"(%a0, %a1, %a2) : (i1, f32, f32) -> (f32, f32)
  return
}

// -----

func.func @f(%a0: i16, %a1: i32) {
  // expected-error @below {{'arith.cmpi' op requires all operands to have the same type}}
  %r:1 = "arith.cmpi"(%a0, %a1) <{predicate = 0 : i64}> : (i16, i32) -> i1
  return
}

// -----

func.func @f(%a0: f64, %a1: f32) {
  // expected-error @below {{'arith.cmpf' op requires all operands to have the same type}}
  %r:1 = "arith.cmpf"(%a0, %a1) <{fastmath = #arith.fastmath<none>, predicate = 0 : i64}> : (f64, f32) -> i1
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.extsi"(%a0) : (i32) -> (i64, f32)
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.extui"(%a0) : (i32) -> (i64, f32)
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.trunci"(%a0) : (i32) -> (i8, f32)
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.index_cast"(%a0) : (i32) -> (index, f32)
  return
}

// -----

func.func @f(%a0: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.index_castui"(%a0) : (index) -> (i64, f32)
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.sitofp"(%a0) : (i32) -> (f32, f32)
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.uitofp"(%a0) : (i32) -> (f64, f32)
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.fptosi"(%a0) : (f32) -> (i32, f32)
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.fptoui"(%a0) : (f32) -> (i8, f32)
  return
}

// -----

func.func @f(%a0: f64) {
  // expected-error @below {{'arith.bitcast' op operand type 'f64' and result type 'i32' are cast incompatible}}
  %r:1 = "arith.bitcast"(%a0) : (f64) -> i32
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.bitcast"(%a0) : (f32) -> (i32, f32)
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.extf"(%a0) : (f32) -> (f64, f32)
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{'arith.truncf' op operand type 'f32' and result type 'f32' are cast incompatible}}
  %r:1 = "arith.truncf"(%a0) : (f32) -> f32
  return
}

// -----

func.func @f(%a0: f64) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "arith.truncf"(%a0) : (f64) -> (f32, f32)
  return
}

// -----

func.func @f(%a0: f64) {
  // expected-error @below {{'math.absf' op requires the same type for all operands and results}}
  %r:1 = "math.absf"(%a0) <{fastmath = #arith.fastmath<none>}> : (f64) -> f32
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "math.absf"(%a0) <{fastmath = #arith.fastmath<none>}> : (f32) -> (f32, f32)
  return
}

// -----

func.func @f(%a0: i16) {
  // expected-error @below {{'math.ctlz' op requires the same type for all operands and results}}
  %r:1 = "math.ctlz"(%a0) : (i16) -> i32
  return
}

// -----

func.func @f(%a0: i32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "math.ctlz"(%a0) : (i32) -> (i32, f32)
  return
}

// -----

func.func @f(%a0: f64, %a1: i32) {
  // expected-error @below {{'math.fpowi' op failed to verify that all of {lhs, result} have same type}}
  %r:1 = "math.fpowi"(%a0, %a1) <{fastmath = #arith.fastmath<none>}> : (f64, i32) -> f32
  return
}

// -----

func.func @f(%a0: f64, %a1: f32, %a2: f32) {
  // expected-error @below {{'math.fma' op requires the same type for all operands and results}}
  %r:1 = "math.fma"(%a0, %a1, %a2) <{fastmath = #arith.fastmath<contract>}> : (f64, f32, f32) -> f32
  return
}

// -----

func.func @f(%a0: index, %a1: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "affine.apply"(%a0, %a1) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 3)>}> : (index, index) -> (index, f32)
  return
}

// -----

func.func @f(%a0: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "affine.min"(%a0) <{map = affine_map<(d0) -> (d0, -d0 + 8)>}> : (index) -> (index, f32)
  return
}

// -----

func.func @f() {
  // expected-error @below {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %r:1 = "affine.min"() <{map = affine_map<(d0) -> (d0, -d0 + 8)>}> : () -> index
  return
}

// -----

func.func @f(%a0: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "affine.max"(%a0) <{map = affine_map<()[s0] -> (s0, 4)>}> : (index) -> (index, f32)
  return
}

// -----

func.func @f() {
  // expected-error @below {{'affine.max' op operand count and affine map dimension and symbol count must match}}
  %r:1 = "affine.max"() <{map = affine_map<()[s0] -> (s0, 4)>}> : () -> index
  return
}

// -----

func.func @f(%a0: memref<8xf32>, %a1: index, %a2: index) {
  // expected-error @below {{'affine.load' op affine map num results must equal memref rank}}
  %r:1 = "affine.load"(%a0, %a1, %a2) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<8xf32>, index, index) -> f32
  return
}

// -----

func.func @f(%a0: f64, %a1: memref<8x8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'affine.store' op value to store must have the same type as memref element type}}
  "affine.store"(%a0, %a1, %a2, %a3) <{map = affine_map<(d0, d1) -> (d0, d1 mod 8)>}> : (f64, memref<8x8xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%a0: f32, %a1: memref<8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'affine.store' op affine map num results must equal memref rank}}
  "affine.store"(%a0, %a1, %a2, %a3) <{map = affine_map<(d0, d1) -> (d0, d1 mod 8)>}> : (f32, memref<8xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%a0: memref<8xf32>, %a1: index, %a2: index) {
  // expected-error @below {{'affine.vector_load' op affine map num results must equal memref rank}}
  %r:1 = "affine.vector_load"(%a0, %a1, %a2) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<8xf32>, index, index) -> vector<2xf32>
  return
}

// -----

func.func @f(%a0: memref<8x8xf64>, %a1: index, %a2: index) {
  // expected-error @below {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
  %r:1 = "affine.vector_load"(%a0, %a1, %a2) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<8x8xf64>, index, index) -> vector<2xf32>
  return
}

// -----

func.func @f(%a0: vector<2xf64>, %a1: memref<8x8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'affine.vector_store' op requires memref and vector types of the same elemental type}}
  "affine.vector_store"(%a0, %a1, %a2, %a3) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (vector<2xf64>, memref<8x8xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%a0: vector<2xf32>, %a1: memref<8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'affine.vector_store' op affine map num results must equal memref rank}}
  "affine.vector_store"(%a0, %a1, %a2, %a3) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (vector<2xf32>, memref<8xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%a0: index, %a1: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "affine.if"(%a0, %a1) ({
  "affine.yield"(%arg11) : (f32) -> ()
}, {
  "affine.yield"(%arg4) : (f32) -> ()
}) {condition = affine_set<(d0)[s0] : (d0 - 4 >= 0, s0 - 2 == 0)>} : (index, index) -> (f32, f32)
  return
}

// -----

func.func @f(%a0: i1) {
  // expected-error @below {{'scf.if' op must have an else block if defining values}}
  "scf.if"(%a0) ({
  "scf.yield"() : () -> ()
}, {
}) : (i1) -> f32
  return
}

// -----

func.func @f() {
  "scf.while"() ({
  // expected-error @below {{use of undeclared SSA value name}}
  "scf.condition"(%arg1) : (i1) -> ()
}, {
  "scf.yield"() : () -> ()
}) : () -> f32
  return
}

// -----

func.func @f(%a0: none) {
  %r:1 = "scf.index_switch"(%a0) <{cases = array<i64: 2, -5>}> ({
  // expected-error @below {{use of undeclared SSA value name}}
  "scf.yield"(%arg2) : (f32) -> ()
}, {
  "scf.yield"(%arg2) : (f32) -> ()
}, {
  "scf.yield"(%arg2) : (f32) -> ()
}) : (none) -> f32
  return
}

// -----

func.func @f(%a0: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "scf.index_switch"(%a0) <{cases = array<i64: 2, -5>}> ({
  "scf.yield"(%arg2) : (f32) -> ()
}, {
  "scf.yield"(%arg2) : (f32) -> ()
}, {
  "scf.yield"(%arg2) : (f32) -> ()
}) : (index) -> (f32, f32)
  return
}

// -----

func.func @f(%a0: tensor<8xf32>, %a1: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.extract_slice"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<8xf32>, index) -> (tensor<1xf32>, f32)
  return
}

// -----

func.func @f() {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.empty"() : () -> (tensor<4x8xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<?x8xf32>, %a1: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.dim"(%a0, %a1) : (tensor<?x8xf32>, index) -> (index, f32)
  return
}

// -----

func.func @f(%a0: tensor<*xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.rank"(%a0) : (tensor<*xf32>) -> (index, f32)
  return
}

// -----

func.func @f(%a0: tensor<8xf32>) {
  // expected-error @below {{'tensor.cast' op operand type 'tensor<8xf32>' and result type 'tensor<?x8xf32>' are cast incompatible}}
  %r:1 = "tensor.cast"(%a0) : (tensor<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.cast"(%a0) : (tensor<4x8xf32>) -> (tensor<?x8xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.bitcast"(%a0) : (tensor<4x8xf32>) -> (tensor<4x8xi32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<8xf32>, %a1: index, %a2: index) {
  // expected-error @below {{'tensor.extract' op incorrect number of indices for extract_element}}
  %r:1 = "tensor.extract"(%a0, %a1, %a2) : (tensor<8xf32>, index, index) -> f32
  return
}

// -----

func.func @f(%a0: tensor<4x8xf64>, %a1: index, %a2: index) {
  // expected-error @below {{'tensor.extract' op failed to verify that result type matches element type of tensor}}
  %r:1 = "tensor.extract"(%a0, %a1, %a2) : (tensor<4x8xf64>, index, index) -> f32
  return
}

// -----

func.func @f(%a0: f64, %a1: tensor<4x8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'tensor.insert' op failed to verify that scalar type matches element type of dest}}
  %r:1 = "tensor.insert"(%a0, %a1, %a2, %a3) : (f64, tensor<4x8xf32>, index, index) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: f32, %a1: tensor<5x8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'tensor.insert' op failed to verify that result type matches type of dest}}
  %r:1 = "tensor.insert"(%a0, %a1, %a2, %a3) : (f32, tensor<5x8xf32>, index, index) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: f64, %a1: f32) {
  // expected-error @below {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %r:1 = "tensor.from_elements"(%a0, %a1) : (f64, f32) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: f32, %a1: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.from_elements"(%a0, %a1) : (f32, f32) -> (tensor<2xf32>, f32)
  return
}

// -----

func.func @f(%a0: f64) {
  // expected-error @below {{'tensor.splat' op failed to verify that operand type matches element type of result}}
  %r:1 = "tensor.splat"(%a0) : (f64) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: f32) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.splat"(%a0) : (f32) -> (tensor<4xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<5x8xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 40}}
  %r:1 = "tensor.collapse_shape"(%a0) <{reassociation = [[0, 1]]}> : (tensor<5x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.collapse_shape"(%a0) <{reassociation = [[0, 1]]}> : (tensor<4x8xf32>) -> (tensor<32xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<?x9xf32>, %a1: index) {
  // expected-error @below {{'tensor.expand_shape' op expected dimension 1 of collapsed type to be static value of 8}}
  %r:1 = "tensor.expand_shape"(%a0, %a1) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 2, 8>}> : (tensor<?x9xf32>, index) -> tensor<?x2x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<2xindex>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.reshape"(%a0, %a1) : (tensor<4x8xf32>, tensor<2xindex>) -> (tensor<8x4xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.concat"(%a0, %a1) <{dim = 0 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<2xindex>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "tensor.gather"(%a0, %a1) <{gather_dims = array<i64: 0, 1>, unique}> : (tensor<4x8xf32>, tensor<2xindex>) -> (tensor<1x1xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<3x4x2x2xf32>) {
  // expected-error @below {{'tensor.pack' op failed to verify that result type matches type of dest}}
  %r:1 = "tensor.pack"(%a0, %a1) <{inner_dims_pos = array<i64: 0, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_inner_tiles = array<i64: 2, 2>}> : (tensor<4x8xf32>, tensor<3x4x2x2xf32>) -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x4x2x2xf32>, %a1: tensor<5x8xf32>) {
  // expected-error @below {{'tensor.unpack' op failed to verify that result type matches type of dest}}
  %r:1 = "tensor.unpack"(%a0, %a1) <{inner_dims_pos = array<i64: 0, 1>, outer_dims_perm = array<i64: 0, 1>, static_inner_tiles = array<i64: 2, 2>}> : (tensor<2x4x2x2xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<5x8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'tensor.insert_slice' op failed to verify that expected result type to match dest type}}
  %r:1 = "tensor.insert_slice"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808, 1>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, -9223372036854775808>}> : (tensor<2x3xf32>, tensor<5x8xf32>, index, index) -> tensor<4x8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> (memref<4x8xf32>, f32)
  return
}

// -----

func.func @f(%a0: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.alloca"(%a0) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> (memref<?xf32>, f32)
  return
}

// -----

func.func @f() {
  // expected-error @below {{'memref.alloca' op operand count (0) does not match with the total size (1) specified in attribute 'operandSegmentSizes'}}
  %r:1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 1, 0>}> : () -> memref<?xf32>
  return
}

// -----

func.func @f(%a0: memref<1xi32>, %a1: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.realloc"(%a0, %a1) : (memref<1xi32>, index) -> (memref<?xi32>, f32)
  return
}

// -----

func.func @f(%a0: memref<4x8xf64>, %a1: index, %a2: index) {
  // expected-error @below {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
  %r:1 = "memref.load"(%a0, %a1, %a2) <{nontemporal = true}> : (memref<4x8xf64>, index, index) -> f32
  return
}

// -----

func.func @f(%a0: f64, %a1: memref<4x8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'memref.store' op failed to verify that type of 'value' matches element type of 'memref'}}
  "memref.store"(%a0, %a1, %a2, %a3) : (f64, memref<4x8xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%a0: f32, %a1: memref<8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'memref.store' op store index operand count not equal to memref rank}}
  "memref.store"(%a0, %a1, %a2, %a3) : (f32, memref<8xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%a0: memref<8xf32>, %a1: memref<?x8xf32>) {
  // expected-error @below {{'memref.copy' op requires the same shape for all operands}}
  "memref.copy"(%a0, %a1) : (memref<8xf32>, memref<?x8xf32>) -> ()
  return
}

// -----

func.func @f(%a0: memref<4x8xf64>, %a1: memref<?x8xf32>) {
  // expected-error @below {{'memref.copy' op requires the same element type for all operands}}
  "memref.copy"(%a0, %a1) : (memref<4x8xf64>, memref<?x8xf32>) -> ()
  return
}

// -----

func.func @f(%a0: memref<?x8xf32>, %a1: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.dim"(%a0, %a1) : (memref<?x8xf32>, index) -> (index, f32)
  return
}

// -----

func.func @f(%a0: memref<*xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.rank"(%a0) : (memref<*xf32>) -> (index, f32)
  return
}

// -----

func.func @f(%a0: f64, %a1: memref<4x8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'memref.atomic_rmw' op failed to verify that all of {value, result} have same type}}
  %r:1 = "memref.atomic_rmw"(%a0, %a1, %a2, %a3) <{kind = 3 : i64}> : (f64, memref<4x8xf32>, index, index) -> f32
  return
}

// -----

func.func @f(%a0: f32, %a1: memref<8xf32>, %a2: index, %a3: index) {
  // expected-error @below {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %r:1 = "memref.atomic_rmw"(%a0, %a1, %a2, %a3) <{kind = 3 : i64}> : (f32, memref<8xf32>, index, index) -> f32
  return
}

// -----

func.func @f(%a0: memref<4x8xf64>, %a1: index, %a2: index) {
  // expected-error @below {{'memref.generic_atomic_rmw' op failed to verify that result type matches element type of memref}}
  %r:1 = "memref.generic_atomic_rmw"(%a0, %a1, %a2) ({
^bb0(%arg16: f32):
  "memref.atomic_yield"(%arg16) : (f32) -> ()
}) : (memref<4x8xf64>, index, index) -> f32
  return
}

// -----

func.func @f(%a0: memref<8xf32>, %a1: index, %a2: index) {
  // expected-error @below {{'memref.prefetch' op too few indices}}
  "memref.prefetch"(%a0, %a1, %a2) <{isDataCache = false, isWrite = true, localityHint = 0 : i32}> : (memref<8xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%a0: memref<4x8xf32>, %a1: index) {
  // expected-error @below {{expected the number of strides to match the rank}}
  %r:1 = "memref.subview"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, 2>}> : (memref<4x8xf32>, index) -> memref<3xf32, strided<[8, 2], offset: ?>>
  return
}

// -----

func.func @f(%a0: memref<5x8xf32>) {
  // expected-error @below {{'memref.collapse_shape' op collapsed dim size (32) must equal reassociation group size (40)}}
  %r:1 = "memref.collapse_shape"(%a0) <{reassociation = [[0, 1]]}> : (memref<5x8xf32>) -> memref<32xf32>
  return
}

// -----

func.func @f(%a0: memref<8xf32>) {
  // expected-error @below {{'memref.collapse_shape' op reassociation index 1 is out of bounds}}
  %r:1 = "memref.collapse_shape"(%a0) <{reassociation = [[0, 1]]}> : (memref<8xf32>) -> memref<32xf32>
  return
}

// -----

func.func @f(%a0: memref<4x8xf64>) {
  // expected-error @below {{'memref.collapse_shape' op expected collapsed type to be 'memref<32xf64>' but found 'memref<32xf32>'}}
  %r:1 = "memref.collapse_shape"(%a0) <{reassociation = [[0, 1]]}> : (memref<4x8xf64>) -> memref<32xf32>
  return
}

// -----

func.func @f(%a0: memref<?x9xf32>, %a1: index) {
  // expected-error @below {{'memref.expand_shape' op collapsed dim size (9) must equal reassociation group size (8)}}
  %r:1 = "memref.expand_shape"(%a0, %a1) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 2, 8>}> : (memref<?x9xf32>, index) -> memref<?x2x8xf32>
  return
}

// -----

func.func @f(%a0: memref<?x8xf64>, %a1: index) {
  // expected-error @below {{'memref.expand_shape' op expected expanded type to be 'memref<?x2x8xf64>' but found 'memref<?x2x8xf32>'}}
  %r:1 = "memref.expand_shape"(%a0, %a1) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 2, 8>}> : (memref<?x8xf64>, index) -> memref<?x2x8xf32>
  return
}

// -----

func.func @f(%a0: memref<8xf32>) {
  // expected-error @below {{'memref.cast' op operand type 'memref<8xf32>' and result type 'memref<?x8xf32, strided<[?, 1], offset: ?>>' are cast incompatible}}
  %r:1 = "memref.cast"(%a0) : (memref<8xf32>) -> memref<?x8xf32, strided<[?, 1], offset: ?>>
  return
}

// -----

func.func @f(%a0: memref<4x8xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.cast"(%a0) : (memref<4x8xf32>) -> (memref<?x8xf32, strided<[?, 1], offset: ?>>, f32)
  return
}

// -----

func.func @f(%a0: memref<5xf32, 1>) {
  // expected-error @below {{'memref.memory_space_cast' op operand type 'memref<5xf32, 1>' and result type 'memref<4xf32>' are cast incompatible}}
  %r:1 = "memref.memory_space_cast"(%a0) : (memref<5xf32, 1>) -> memref<4xf32>
  return
}

// -----

func.func @f(%a0: memref<4xf32, 1>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.memory_space_cast"(%a0) : (memref<4xf32, 1>) -> (memref<4xf32>, f32)
  return
}

// -----

func.func @f(%a0: memref<4x8xf32>, %a1: memref<2xindex>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.reshape"(%a0, %a1) : (memref<4x8xf32>, memref<2xindex>) -> (memref<8x4xf32>, f32)
  return
}

// -----

func.func @f(%a0: memref<8xf32>) {
  // expected-error @below {{'memref.transpose' op expected a permutation map of same rank as the input}}
  %r:1 = "memref.transpose"(%a0) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<8xf32>) -> memref<8x4xf32, strided<[1, 8]>>
  return
}

// -----

func.func @f(%a0: memref<4x8xf32>) {
  // expected-error @below {{expected the number of strides to match the rank}}
  %r:1 = "memref.transpose"(%a0) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<4x8xf32>) -> memref<4xf32, strided<[1, 8]>>
  return
}

// -----

// expected-error @below {{expected the number of strides to match the rank}}
func.func @f(%a0: memref<8xf32, strided<[16, 1], offset: ?>>) {
  %r:6 = "memref.extract_strided_metadata"(%a0) : (memref<8xf32, strided<[16, 1], offset: ?>>) -> (memref<f32>, index, index, index, index, index)
  return
}

// -----

func.func @f(%a0: memref<4x8xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "memref.extract_aligned_pointer_as_index"(%a0) : (memref<4x8xf32>) -> (index, f32)
  return
}

// -----

func.func @f(%a0: tensor<5xf32>) {
  // expected-error @below {{'bufferization.to_memref' op failed to verify that type of 'tensor' is the tensor equivalent of 'memref'}}
  %r:1 = "bufferization.to_memref"(%a0) : (tensor<5xf32>) -> memref<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "bufferization.to_memref"(%a0) : (tensor<4xf32>) -> (memref<4xf32>, f32)
  return
}

// -----

func.func @f(%a0: memref<5xf32>) {
  // expected-error @below {{'bufferization.to_tensor' op failed to verify that result type matches tensor equivalent of 'memref'}}
  %r:1 = "bufferization.to_tensor"(%a0) <{restrict, writable}> : (memref<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: memref<4xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "bufferization.to_tensor"(%a0) <{restrict, writable}> : (memref<4xf32>) -> (tensor<4xf32>, f32)
  return
}

// -----

func.func @f(%a0: index) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "bufferization.alloc_tensor"(%a0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> (tensor<?xf32>, f32)
  return
}

// -----

func.func @f() {
  // expected-error @below {{'bufferization.alloc_tensor' op operand count (0) does not match with the total size (1) specified in attribute 'operandSegmentSizes'}}
  %r:1 = "bufferization.alloc_tensor"() <{operandSegmentSizes = array<i32: 1, 0, 0>}> : () -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<5xf32>, %a1: tensor<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
  %r:1 = "bufferization.materialize_in_destination"(%a0, %a1) : (tensor<5xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op rank mismatch between source and destination shape}}
  %r:1 = "bufferization.materialize_in_destination"(%a0, %a1) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf64>, %a1: tensor<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op failed to verify that all of {source, dest} have same element type}}
  %r:1 = "bufferization.materialize_in_destination"(%a0, %a1) : (tensor<4xf64>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: memref<4xf32>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %r:1 = "bufferization.clone"(%a0) : (memref<4xf32>) -> (memref<4xf32>, f32)
  return
}

// -----

func.func @f(%a0: tensor<5x8xf32>, %a1: tensor<4xf32>) {
  // expected-error @below {{'linalg.generic' op inferred input/output operand #1 has shape's dimension #0 to be 5, but found 4}}
  %r:1 = "linalg.generic"(%a0, %a1) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg35: f32, %arg36: f32):
  %20 = "linalg.index"() <{dim = 1 : i64}> : () -> index
  "linalg.yield"(%arg35) : (f32) -> ()
}) {tag} : (tensor<5x8xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<8xf32>, %a1: tensor<4xf32>) {
  // expected-error @below {{'linalg.generic' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r:1 = "linalg.generic"(%a0, %a1) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg35: f32, %arg36: f32):
  %20 = "linalg.index"() <{dim = 1 : i64}> : () -> index
  "linalg.yield"(%arg35) : (f32) -> ()
}) {tag} : (tensor<8xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf64>, %a1: tensor<4xf32>) {
  // expected-error @below {{'linalg.generic' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.generic"(%a0, %a1) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg35: f32, %arg36: f32):
  %20 = "linalg.index"() <{dim = 1 : i64}> : () -> index
  "linalg.yield"(%arg35) : (f32) -> ()
}) {tag} : (tensor<4x8xf64>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<5xf32>) {
  // expected-error @below {{'linalg.generic' op expected type of operand #1 ('tensor<5xf32>') to match type of corresponding result ('tensor<4xf32>')}}
  %r:1 = "linalg.generic"(%a0, %a1) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg35: f32, %arg36: f32):
  %20 = "linalg.index"() <{dim = 1 : i64}> : () -> index
  "linalg.yield"(%arg35) : (f32) -> ()
}) {tag} : (tensor<4x8xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.map' op expected type of operand #2 ('tensor<4x8xf32>') to match type of corresponding result ('tensor<5x8xf32>')}}
  %r:1 = "linalg.map"(%a0, %a1, %a2) ({
^bb0(%arg30: f32, %arg31: f32):
  %19 = "arith.addf"(%arg30, %arg31) <{fastmath = #arith.fastmath<fast>}> : (f32, f32) -> f32
  "linalg.yield"(%19) : (f32) -> ()
}) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<4xf32>) {
  // expected-error @below {{'linalg.reduce' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<5xf32>')}}
  %r:1 = "linalg.reduce"(%a0, %a1) <{dimensions = array<i64: 1>}> ({
^bb0(%arg27: f32, %arg28: f32):
  %16 = "arith.addf"(%arg28, %arg27) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%16) : (f32) -> ()
}) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a0: tensor<5x8xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @below {{'linalg.transpose' op dim(result, 1) = 4 doesn't match dim(input, permutation[1]) = 5}}
  %r:1 = "linalg.transpose"(%a0, %a1) <{permutation = array<i64: 1, 0>}> ({
^bb0(%arg21: f32, %arg22: f32):
  "linalg.yield"(%arg21) : (f32) -> ()
}) : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<8xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @below {{'linalg.transpose' op input rank 1 does not match init rank 2}}
  %r:1 = "linalg.transpose"(%a0, %a1) <{permutation = array<i64: 1, 0>}> ({
^bb0(%arg21: f32, %arg22: f32):
  "linalg.yield"(%arg21) : (f32) -> ()
}) : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf64>, %a1: tensor<8x4xf32>) {
  // expected-error @below {{'linalg.transpose' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.transpose"(%a0, %a1) <{permutation = array<i64: 1, 0>}> ({
^bb0(%arg21: f32, %arg22: f32):
  "linalg.yield"(%arg21) : (f32) -> ()
}) : (tensor<4x8xf64>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<5xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.broadcast' op input dim 0 should match init dim 0. input: 5, init: 4}}
  %r:1 = "linalg.broadcast"(%a0, %a1) <{dimensions = array<i64: 1>}> ({
^bb0(%arg19: f32, %arg20: f32):
  "linalg.yield"(%arg19) : (f32) -> ()
}) {x.tag} : (tensor<5xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.broadcast' op input rank plus added dimensions does not match init rank. input rank: 0, dimensions size: 1, init rank: 2}}
  %r:1 = "linalg.broadcast"(%a0, %a1) <{dimensions = array<i64: 1>}> ({
^bb0(%arg19: f32, %arg20: f32):
  "linalg.yield"(%arg19) : (f32) -> ()
}) {x.tag} : (tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf64>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.broadcast' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.broadcast"(%a0, %a1) <{dimensions = array<i64: 1>}> ({
^bb0(%arg19: f32, %arg20: f32):
  "linalg.yield"(%arg19) : (f32) -> ()
}) {x.tag} : (tensor<4xf64>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<5x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.softmax' op incompatible output shape}}
  %r:1 = "linalg.softmax"(%a0, %a1) <{dimension = 1 : i64}> : (tensor<5x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf64>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.softmax' op failed to verify that input and output have same element type}}
  %r:1 = "linalg.softmax"(%a0, %a1) <{dimension = 1 : i64}> : (tensor<4x8xf64>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x3x5xf64>, %a1: tensor<6x6x5x2xf32>) {
  // expected-error @below {{'linalg.winograd_filter_transform' op failed to verify that all of {filter, output} have same element type}}
  %r:1 = "linalg.winograd_filter_transform"(%a0, %a1) <{m = 4 : i64, r = 3 : i64}> : (tensor<2x3x3x5xf64>, tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x10x10x5xf64>, %a1: tensor<6x6x2x2x2x5xf32>) {
  // expected-error @below {{'linalg.winograd_input_transform' op failed to verify that all of {input, output} have same element type}}
  %r:1 = "linalg.winograd_input_transform"(%a0, %a1) <{m = 4 : i64, r = 3 : i64}> : (tensor<2x10x10x5xf64>, tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  return
}

// -----

func.func @f(%a0: tensor<6x6x2x2x2x2xf64>, %a1: tensor<2x8x8x2xf32>) {
  // expected-error @below {{'linalg.winograd_output_transform' op failed to verify that all of {value, output} have same element type}}
  %r:1 = "linalg.winograd_output_transform"(%a0, %a1) <{m = 4 : i64, r = 3 : i64}> : (tensor<6x6x2x2x2x2xf64>, tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<5x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.elemwise_unary' op inferred input/output operand #1 has shape's dimension #0 to be 5, but found 4}}
  %r:1 = "linalg.elemwise_unary"(%a0, %a1) <{cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.unary_fn<negf>, operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg17: f32, %arg18: f32):
  %15 = "arith.negf"(%arg17) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  "linalg.yield"(%15) : (f32) -> ()
}) : (tensor<5x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.elemwise_unary' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r:1 = "linalg.elemwise_unary"(%a0, %a1) <{cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.unary_fn<negf>, operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg17: f32, %arg18: f32):
  %15 = "arith.negf"(%arg17) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  "linalg.yield"(%15) : (f32) -> ()
}) : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf64>, %a1: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.elemwise_unary' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.elemwise_unary"(%a0, %a1) <{cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.unary_fn<negf>, operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg17: f32, %arg18: f32):
  %15 = "arith.negf"(%arg17) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  "linalg.yield"(%15) : (f32) -> ()
}) : (tensor<4x8xf64>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<4x8xf32>, %a1: tensor<5x8xf32>) {
  // expected-error @below {{'linalg.elemwise_unary' op expected type of operand #1 ('tensor<5x8xf32>') to match type of corresponding result ('tensor<4x8xf32>')}}
  %r:1 = "linalg.elemwise_unary"(%a0, %a1) <{cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.unary_fn<negf>, operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg17: f32, %arg18: f32):
  %15 = "arith.negf"(%arg17) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  "linalg.yield"(%15) : (f32) -> ()
}) : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a0: memref<2x6x2xf32>, %a1: memref<2x2x3xf32>, %a2: memref<1x2x3xf32>) {
  // expected-error @below {{'linalg.conv_1d_nwc_wcf' op inferred input/output operand #2 has shape's dimension #0 to be 2, but found 1}}
  "linalg.conv_1d_nwc_wcf"(%a0, %a1, %a2) <{dilations = dense<2> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<3> : tensor<1xi64>}> ({
^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
  %13 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %14 = "arith.addf"(%arg16, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%14) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 3 + d3 * 2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]} : (memref<2x6x2xf32>, memref<2x2x3xf32>, memref<1x2x3xf32>) -> ()
  return
}

// -----

func.func @f(%a0: memref<6x2xf32>, %a1: memref<2x2x3xf32>, %a2: memref<1x2x3xf32>) {
  // expected-error @below {{'linalg.conv_1d_nwc_wcf' op expected operand rank (2) to match the result rank of indexing_map #0 (3)}}
  "linalg.conv_1d_nwc_wcf"(%a0, %a1, %a2) <{dilations = dense<2> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<3> : tensor<1xi64>}> ({
^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
  %13 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %14 = "arith.addf"(%arg16, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%14) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 3 + d3 * 2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]} : (memref<6x2xf32>, memref<2x2x3xf32>, memref<1x2x3xf32>) -> ()
  return
}

// -----

func.func @f(%a0: memref<1x6x2xf64>, %a1: memref<2x2x3xf32>, %a2: memref<1x2x3xf32>) {
  // expected-error @below {{'linalg.conv_1d_nwc_wcf' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  "linalg.conv_1d_nwc_wcf"(%a0, %a1, %a2) <{dilations = dense<2> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<3> : tensor<1xi64>}> ({
^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
  %13 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %14 = "arith.addf"(%arg16, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%14) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 3 + d3 * 2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]} : (memref<1x6x2xf64>, memref<2x2x3xf32>, memref<1x2x3xf32>) -> ()
  return
}

// -----

func.func @f(%a0: memref<1x6x2xf32>, %a1: memref<3x2x3xf32>, %a2: memref<1x2x3xf32>) {
  // expected-error @below {{'linalg.conv_1d_nwc_wcf' op inferred input/output operand #0 has shape's dimension #1 to be greater than or equal to 8, but found 6}}
  "linalg.conv_1d_nwc_wcf"(%a0, %a1, %a2) <{dilations = dense<2> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<3> : tensor<1xi64>}> ({
^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
  %13 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %14 = "arith.addf"(%arg16, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%14) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 3 + d3 * 2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]} : (memref<1x6x2xf32>, memref<3x2x3xf32>, memref<1x2x3xf32>) -> ()
  return
}

// -----

func.func @f(%a0: tensor<3x4xf32>, %a1: tensor<4x3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.matmul' op inferred input/output operand #2 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg523: f32, %arg524: f32, %arg525: f32):
  %273 = "arith.mulf"(%arg523, %arg524) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %274 = "arith.addf"(%arg525, %273) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%274) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<3x4xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<4xf32>, %a1: tensor<4x3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.matmul' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r:1 = "linalg.matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg523: f32, %arg524: f32, %arg525: f32):
  %273 = "arith.mulf"(%arg523, %arg524) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %274 = "arith.addf"(%arg525, %273) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%274) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<4xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x4xf64>, %a1: tensor<4x3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.matmul' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg523: f32, %arg524: f32, %arg525: f32):
  %273 = "arith.mulf"(%arg523, %arg524) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %274 = "arith.addf"(%arg525, %273) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%274) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<2x4xf64>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x4xf32>, %a1: tensor<5x3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5}}
  %r:1 = "linalg.matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg523: f32, %arg524: f32, %arg525: f32):
  %273 = "arith.mulf"(%arg523, %arg524) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %274 = "arith.addf"(%arg525, %273) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%274) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<2x4xf32>, tensor<5x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x4xi8>, %a1: tensor<4x3xi8>, %a2: i32, %a3: i32, %a4: tensor<2x3xi32>) {
  // expected-error @below {{'linalg.quantized_matmul' op inferred input/output operand #4 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.quantized_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg503: i8, %arg504: i8, %arg505: i32, %arg506: i32, %arg507: i32):
  %260 = "arith.extsi"(%arg503) : (i8) -> i32
  %261 = "arith.subi"(%260, %arg505) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %262 = "arith.extsi"(%arg504) : (i8) -> i32
  %263 = "arith.subi"(%262, %arg506) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %264 = "arith.muli"(%261, %263) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %265 = "arith.addi"(%arg507, %264) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%265) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<3x4xi8>, tensor<4x3xi8>, i32, i32, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%a0: tensor<4xi8>, %a1: tensor<4x3xi8>, %a2: i32, %a3: i32, %a4: tensor<2x3xi32>) {
  // expected-error @below {{'linalg.quantized_matmul' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r:1 = "linalg.quantized_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg503: i8, %arg504: i8, %arg505: i32, %arg506: i32, %arg507: i32):
  %260 = "arith.extsi"(%arg503) : (i8) -> i32
  %261 = "arith.subi"(%260, %arg505) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %262 = "arith.extsi"(%arg504) : (i8) -> i32
  %263 = "arith.subi"(%262, %arg506) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %264 = "arith.muli"(%261, %263) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %265 = "arith.addi"(%arg507, %264) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%265) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<4xi8>, tensor<4x3xi8>, i32, i32, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%a0: tensor<2x4xi8>, %a1: tensor<5x3xi8>, %a2: i32, %a3: i32, %a4: tensor<2x3xi32>) {
  // expected-error @below {{'linalg.quantized_matmul' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5}}
  %r:1 = "linalg.quantized_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg503: i8, %arg504: i8, %arg505: i32, %arg506: i32, %arg507: i32):
  %260 = "arith.extsi"(%arg503) : (i8) -> i32
  %261 = "arith.subi"(%260, %arg505) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %262 = "arith.extsi"(%arg504) : (i8) -> i32
  %263 = "arith.subi"(%262, %arg506) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %264 = "arith.muli"(%261, %263) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %265 = "arith.addi"(%arg507, %264) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%265) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<2x4xi8>, tensor<5x3xi8>, i32, i32, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%a0: tensor<2x4xi8>, %a1: tensor<3xi8>, %a2: i32, %a3: i32, %a4: tensor<2x3xi32>) {
  // expected-error @below {{'linalg.quantized_matmul' op expected operand rank (1) to match the result rank of indexing_map #1 (2)}}
  %r:1 = "linalg.quantized_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg503: i8, %arg504: i8, %arg505: i32, %arg506: i32, %arg507: i32):
  %260 = "arith.extsi"(%arg503) : (i8) -> i32
  %261 = "arith.subi"(%260, %arg505) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %262 = "arith.extsi"(%arg504) : (i8) -> i32
  %263 = "arith.subi"(%262, %arg506) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %264 = "arith.muli"(%261, %263) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %265 = "arith.addi"(%arg507, %264) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%265) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1)>]} : (tensor<2x4xi8>, tensor<3xi8>, i32, i32, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%a0: tensor<3x3x2xf32>, %a1: tensor<2x2x4xf32>, %a2: tensor<2x3x4xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.batch_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg483: f32, %arg484: f32, %arg485: f32):
  %251 = "arith.mulf"(%arg483, %arg484) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %252 = "arith.addf"(%arg485, %251) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%252) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<3x3x2xf32>, tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x2xf32>, %a1: tensor<2x2x4xf32>, %a2: tensor<2x3x4xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op expected operand rank (2) to match the result rank of indexing_map #0 (3)}}
  %r:1 = "linalg.batch_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg483: f32, %arg484: f32, %arg485: f32):
  %251 = "arith.mulf"(%arg483, %arg484) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %252 = "arith.addf"(%arg485, %251) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%252) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<3x2xf32>, tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x2xf64>, %a1: tensor<2x2x4xf32>, %a2: tensor<2x3x4xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.batch_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg483: f32, %arg484: f32, %arg485: f32):
  %251 = "arith.mulf"(%arg483, %arg484) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %252 = "arith.addf"(%arg485, %251) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%252) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<2x3x2xf64>, tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x2xf32>, %a1: tensor<2x4xf32>, %a2: tensor<2x3x4xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op expected operand rank (2) to match the result rank of indexing_map #1 (3)}}
  %r:1 = "linalg.batch_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg483: f32, %arg484: f32, %arg485: f32):
  %251 = "arith.mulf"(%arg483, %arg484) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %252 = "arith.addf"(%arg485, %251) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%252) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<2x3x2xf32>, tensor<2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3x2xi8>, %a1: tensor<2x2x4xi8>, %a2: i32, %a3: i32, %a4: tensor<2x3x4xi32>) {
  // expected-error @below {{'linalg.quantized_batch_matmul' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.quantized_batch_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg463: i8, %arg464: i8, %arg465: i32, %arg466: i32, %arg467: i32):
  %238 = "arith.extsi"(%arg463) : (i8) -> i32
  %239 = "arith.subi"(%238, %arg465) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %240 = "arith.extsi"(%arg464) : (i8) -> i32
  %241 = "arith.subi"(%240, %arg466) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %242 = "arith.muli"(%239, %241) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %243 = "arith.addi"(%arg467, %242) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%243) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<3x3x2xi8>, tensor<2x2x4xi8>, i32, i32, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @f(%a0: tensor<3x2xi8>, %a1: tensor<2x2x4xi8>, %a2: i32, %a3: i32, %a4: tensor<2x3x4xi32>) {
  // expected-error @below {{'linalg.quantized_batch_matmul' op expected operand rank (2) to match the result rank of indexing_map #0 (3)}}
  %r:1 = "linalg.quantized_batch_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg463: i8, %arg464: i8, %arg465: i32, %arg466: i32, %arg467: i32):
  %238 = "arith.extsi"(%arg463) : (i8) -> i32
  %239 = "arith.subi"(%238, %arg465) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %240 = "arith.extsi"(%arg464) : (i8) -> i32
  %241 = "arith.subi"(%240, %arg466) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %242 = "arith.muli"(%239, %241) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %243 = "arith.addi"(%arg467, %242) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%243) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<3x2xi8>, tensor<2x2x4xi8>, i32, i32, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x2xi8>, %a1: tensor<2x4xi8>, %a2: i32, %a3: i32, %a4: tensor<2x3x4xi32>) {
  // expected-error @below {{'linalg.quantized_batch_matmul' op expected operand rank (2) to match the result rank of indexing_map #1 (3)}}
  %r:1 = "linalg.quantized_batch_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg463: i8, %arg464: i8, %arg465: i32, %arg466: i32, %arg467: i32):
  %238 = "arith.extsi"(%arg463) : (i8) -> i32
  %239 = "arith.subi"(%238, %arg465) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %240 = "arith.extsi"(%arg464) : (i8) -> i32
  %241 = "arith.subi"(%240, %arg466) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %242 = "arith.muli"(%239, %241) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %243 = "arith.addi"(%arg467, %242) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%243) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<2x3x2xi8>, tensor<2x4xi8>, i32, i32, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x2xi8>, %a1: tensor<2x2x4xi8>, %a2: i16, %a3: i32, %a4: tensor<2x3x4xi32>) {
  // expected-error @below {{'linalg.quantized_batch_matmul' op expected type of bb argument #2 ('i32') to match element or self type of the corresponding operand ('i16')}}
  %r:1 = "linalg.quantized_batch_matmul"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 4, 1>}> ({
^bb0(%arg463: i8, %arg464: i8, %arg465: i32, %arg466: i32, %arg467: i32):
  %238 = "arith.extsi"(%arg463) : (i8) -> i32
  %239 = "arith.subi"(%238, %arg465) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %240 = "arith.extsi"(%arg464) : (i8) -> i32
  %241 = "arith.subi"(%240, %arg466) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %242 = "arith.muli"(%239, %241) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  %243 = "arith.addi"(%arg467, %242) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "linalg.yield"(%243) : (i32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<2x3x2xi8>, tensor<2x2x4xi8>, i16, i32, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @f(%a0: tensor<3x3x2xf32>, %a1: tensor<2x2x4xf32>, %a2: tensor<3x4xf32>) {
  // expected-error @below {{'linalg.batch_reduce_matmul' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.batch_reduce_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg455: f32, %arg456: f32, %arg457: f32):
  %235 = "arith.mulf"(%arg455, %arg456) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %236 = "arith.addf"(%arg457, %235) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%236) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>]} : (tensor<3x3x2xf32>, tensor<2x2x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x2xf32>, %a1: tensor<2x2x4xf32>, %a2: tensor<3x4xf32>) {
  // expected-error @below {{'linalg.batch_reduce_matmul' op expected operand rank (2) to match the result rank of indexing_map #0 (3)}}
  %r:1 = "linalg.batch_reduce_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg455: f32, %arg456: f32, %arg457: f32):
  %235 = "arith.mulf"(%arg455, %arg456) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %236 = "arith.addf"(%arg457, %235) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%236) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>]} : (tensor<3x2xf32>, tensor<2x2x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x2xf64>, %a1: tensor<2x2x4xf32>, %a2: tensor<3x4xf32>) {
  // expected-error @below {{'linalg.batch_reduce_matmul' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.batch_reduce_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg455: f32, %arg456: f32, %arg457: f32):
  %235 = "arith.mulf"(%arg455, %arg456) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %236 = "arith.addf"(%arg457, %235) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%236) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>]} : (tensor<2x3x2xf64>, tensor<2x2x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x2xf32>, %a1: tensor<2x4xf32>, %a2: tensor<3x4xf32>) {
  // expected-error @below {{'linalg.batch_reduce_matmul' op expected operand rank (2) to match the result rank of indexing_map #1 (3)}}
  %r:1 = "linalg.batch_reduce_matmul"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg455: f32, %arg456: f32, %arg457: f32):
  %235 = "arith.mulf"(%arg455, %arg456) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %236 = "arith.addf"(%arg457, %235) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%236) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>]} : (tensor<2x3x2xf32>, tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2xf32>, %a2: tensor<f32>) {
  // expected-error @below {{'linalg.dot' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.dot"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg425: f32, %arg426: f32, %arg427: f32):
  %220 = "arith.mulf"(%arg425, %arg426) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %221 = "arith.addf"(%arg427, %220) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%221) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]} : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<2xf32>, %a2: tensor<f32>) {
  // expected-error @below {{'linalg.dot' op expected operand rank (0) to match the result rank of indexing_map #0 (1)}}
  %r:1 = "linalg.dot"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg425: f32, %arg426: f32, %arg427: f32):
  %220 = "arith.mulf"(%arg425, %arg426) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %221 = "arith.addf"(%arg427, %220) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%221) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]} : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2xf64>, %a1: tensor<2xf32>, %a2: tensor<f32>) {
  // expected-error @below {{'linalg.dot' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.dot"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg425: f32, %arg426: f32, %arg427: f32):
  %220 = "arith.mulf"(%arg425, %arg426) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %221 = "arith.addf"(%arg427, %220) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%221) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]} : (tensor<2xf64>, tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2xf32>, %a1: tensor<f32>, %a2: tensor<f32>) {
  // expected-error @below {{'linalg.dot' op expected operand rank (0) to match the result rank of indexing_map #1 (1)}}
  %r:1 = "linalg.dot"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg425: f32, %arg426: f32, %arg427: f32):
  %220 = "arith.mulf"(%arg425, %arg426) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %221 = "arith.addf"(%arg427, %220) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%221) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]} : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<3x3x7x3xf32>, %a1: tensor<3x3x4x2xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.conv_2d_nchw_fchw' op inferred input/output operand #2 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.conv_2d_nchw_fchw"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg357: f32, %arg358: f32, %arg359: f32):
  %182 = "arith.mulf"(%arg357, %arg358) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %183 = "arith.addf"(%arg359, %182) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%183) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<3x3x7x3xf32>, tensor<3x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x7x3xf32>, %a1: tensor<3x3x4x2xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.conv_2d_nchw_fchw' op expected operand rank (3) to match the result rank of indexing_map #0 (4)}}
  %r:1 = "linalg.conv_2d_nchw_fchw"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg357: f32, %arg358: f32, %arg359: f32):
  %182 = "arith.mulf"(%arg357, %arg358) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %183 = "arith.addf"(%arg359, %182) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%183) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<3x7x3xf32>, tensor<3x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x7x3xf64>, %a1: tensor<3x3x4x2xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.conv_2d_nchw_fchw' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.conv_2d_nchw_fchw"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg357: f32, %arg358: f32, %arg359: f32):
  %182 = "arith.mulf"(%arg357, %arg358) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %183 = "arith.addf"(%arg359, %182) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%183) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<2x3x7x3xf64>, tensor<3x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3x7x3xf32>, %a1: tensor<4x3x4x2xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.conv_2d_nchw_fchw' op inferred input/output operand #2 has shape's dimension #1 to be 4, but found 3}}
  %r:1 = "linalg.conv_2d_nchw_fchw"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg357: f32, %arg358: f32, %arg359: f32):
  %182 = "arith.mulf"(%arg357, %arg358) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %183 = "arith.addf"(%arg359, %182) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%183) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<2x3x7x3xf32>, tensor<4x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x5x7x2xf32>, %a1: tensor<3x4xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.pooling_nhwc_max' op inferred input/output operand #2 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.pooling_nhwc_max"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg221: f32, %arg222: f32, %arg223: f32):
  %109 = "arith.maximumf"(%arg223, %arg221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%109) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]} : (tensor<3x5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<5x7x2xf32>, %a1: tensor<3x4xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.pooling_nhwc_max' op expected operand rank (3) to match the result rank of indexing_map #0 (4)}}
  %r:1 = "linalg.pooling_nhwc_max"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg221: f32, %arg222: f32, %arg223: f32):
  %109 = "arith.maximumf"(%arg223, %arg221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%109) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]} : (tensor<5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x7x2xf64>, %a1: tensor<3x4xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.pooling_nhwc_max' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.pooling_nhwc_max"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg221: f32, %arg222: f32, %arg223: f32):
  %109 = "arith.maximumf"(%arg223, %arg221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%109) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]} : (tensor<2x5x7x2xf64>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x7x2xf32>, %a1: tensor<4x4xf32>, %a2: tensor<2x3x4x2xf32>) {
  // expected-error @below {{'linalg.pooling_nhwc_max' op inferred input/output operand #0 has shape's dimension #1 to be greater than or equal to 6, but found 5}}
  %r:1 = "linalg.pooling_nhwc_max"(%a0, %a1, %a2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
^bb0(%arg221: f32, %arg222: f32, %arg223: f32):
  %109 = "arith.maximumf"(%arg223, %arg221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%109) : (f32) -> ()
}) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]} : (tensor<2x5x7x2xf32>, tensor<4x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @f(%a0: f64, %a1: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.fill' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.fill"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg132: f32, %arg133: f32):
  "linalg.yield"(%arg132) : (f32) -> ()
}) : (f64, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: f32, %a1: tensor<3x3xf32>) {
  // expected-error @below {{'linalg.fill' op expected type of operand #1 ('tensor<3x3xf32>') to match type of corresponding result ('tensor<2x3xf32>')}}
  %r:1 = "linalg.fill"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg132: f32, %arg133: f32):
  "linalg.yield"(%arg132) : (f32) -> ()
}) : (f32, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.copy' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.copy"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg128: f32, %arg129: f32):
  "linalg.yield"(%arg128) : (f32) -> ()
}) : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.copy' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r:1 = "linalg.copy"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg128: f32, %arg129: f32):
  "linalg.yield"(%arg128) : (f32) -> ()
}) : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf64>, %a1: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.copy' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.copy"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg128: f32, %arg129: f32):
  "linalg.yield"(%arg128) : (f32) -> ()
}) : (tensor<2x3xf64>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x3xf32>) {
  // expected-error @below {{'linalg.copy' op expected type of operand #1 ('tensor<3x3xf32>') to match type of corresponding result ('tensor<2x3xf32>')}}
  %r:1 = "linalg.copy"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%arg128: f32, %arg129: f32):
  "linalg.yield"(%arg128) : (f32) -> ()
}) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xf32>, %a1: tensor<2x3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.add' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.add"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg53: f32, %arg54: f32, %arg55: f32):
  %17 = "arith.addf"(%arg53, %arg54) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%17) : (f32) -> ()
}) : (tensor<3x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xf32>, %a1: tensor<2x3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.add' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r:1 = "linalg.add"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg53: f32, %arg54: f32, %arg55: f32):
  %17 = "arith.addf"(%arg53, %arg54) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%17) : (f32) -> ()
}) : (tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf64>, %a1: tensor<2x3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.add' op expected type of bb argument #0 ('f32') to match element or self type of the corresponding operand ('f64')}}
  %r:1 = "linalg.add"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg53: f32, %arg54: f32, %arg55: f32):
  %17 = "arith.addf"(%arg53, %arg54) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%17) : (f32) -> ()
}) : (tensor<2x3xf64>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %a2: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.add' op expected operand rank (1) to match the result rank of indexing_map #1 (2)}}
  %r:1 = "linalg.add"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%arg53: f32, %arg54: f32, %arg55: f32):
  %17 = "arith.addf"(%arg53, %arg54) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  "linalg.yield"(%17) : (f32) -> ()
}) : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3x3xi1>, %a1: tensor<2x3xf32>, %a2: tensor<2x3xf32>, %a3: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.select' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 2}}
  %r:1 = "linalg.select"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 3, 1>}> ({
^bb0(%arg4: i1, %arg5: f32, %arg6: f32, %arg7: f32):
  %1 = "arith.select"(%arg4, %arg5, %arg6) : (i1, f32, f32) -> f32
  "linalg.yield"(%1) : (f32) -> ()
}) : (tensor<3x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<3xi1>, %a1: tensor<2x3xf32>, %a2: tensor<2x3xf32>, %a3: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.select' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r:1 = "linalg.select"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 3, 1>}> ({
^bb0(%arg4: i1, %arg5: f32, %arg6: f32, %arg7: f32):
  %1 = "arith.select"(%arg4, %arg5, %arg6) : (i1, f32, f32) -> f32
  "linalg.yield"(%1) : (f32) -> ()
}) : (tensor<3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: none, %a1: tensor<2x3xf32>, %a2: tensor<2x3xf32>, %a3: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.select' op expected type of bb argument #0 ('i1') to match element or self type of the corresponding operand ('none')}}
  %r:1 = "linalg.select"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 3, 1>}> ({
^bb0(%arg4: i1, %arg5: f32, %arg6: f32, %arg7: f32):
  %1 = "arith.select"(%arg4, %arg5, %arg6) : (i1, f32, f32) -> f32
  "linalg.yield"(%1) : (f32) -> ()
}) : (none, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xi1>, %a1: tensor<3xf32>, %a2: tensor<2x3xf32>, %a3: tensor<2x3xf32>) {
  // expected-error @below {{'linalg.select' op expected operand rank (1) to match the result rank of indexing_map #1 (2)}}
  %r:1 = "linalg.select"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 3, 1>}> ({
^bb0(%arg4: i1, %arg5: f32, %arg6: f32, %arg7: f32):
  %1 = "arith.select"(%arg4, %arg5, %arg6) : (i1, f32, f32) -> f32
  "linalg.yield"(%1) : (f32) -> ()
}) : (tensor<2x3xi1>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{'affine.if' op  region control flow edge from parent operands to parent results: source has 0 operands, but target successor needs 1}}
  %x = affine.if affine_set<(d0): (d0 >= 0)>(%n) -> index { affine.yield %n : index }
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error @below {{'scf.if' op  along control flow edge from Region #1 to parent results: source type #0 'i1' should match input type #0 'f32'}}
  %r = scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %c : i1 }
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error @below {{'scf.if' op  region control flow edge from Region #0 to parent results: source has 0 operands, but target successor needs 1}}
  %r = scf.if %c -> (f32) { scf.yield } else { scf.yield %x : f32 }
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error @below {{'scf.while' op  along control flow edge from Region #0 to Region #1: source type #0 'f32' should match input type #0 'f64'}}
  %r = scf.while (%a = %x) : (f32) -> f32 { scf.condition(%c) %a : f32 } do { ^bb0(%b: f64): scf.yield %x : f32 }
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error @below {{'scf.while' op  region control flow edge from Region #1 to Region #0: source has 0 operands, but target successor needs 1}}
  %r = scf.while (%a = %x) : (f32) -> f32 { scf.condition(%c) %a : f32 } do { ^bb0(%b: f32): scf.yield }
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error @below {{'scf.while' op  along control flow edge from Region #0 to parent results: source type #0 'i1' should match input type #0 'f32'}}
  %r = scf.while (%a = %x) : (f32) -> f32 { scf.condition(%c) %c : i1 } do { ^bb0(%b: i1): scf.yield %x : f32 }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @below {{'scf.index_switch' op has duplicate case value: 2}}
  scf.index_switch %i case 2 { scf.yield } case 2 { scf.yield } default { scf.yield }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @below {{'scf.index_switch' op expected each region to return 1 values, but case region #0 returns 0}}
  %r = scf.index_switch %i -> index case 2 { scf.yield } default { scf.yield %i : index }
  return
}

// -----

func.func @f(%i: index, %j: i32) {
  // expected-error @below {{'scf.index_switch' op expected result #0 of each region to be 'i32'}}
  %r = scf.index_switch %i -> i32 case 2 { scf.yield %j : i32 } default { scf.yield %i : index }
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error @below {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%x) -> f32 { scf.reduce }
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %x: f64) {
  // expected-error @below {{'tensor.pad' op expected yield type to match shape element type}}
  %s = tensor.pad %t low[1] high[1] { ^bb0(%i: index): tensor.yield %x : f64 } : tensor<4xf32> to tensor<6xf32>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @below {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %t = tensor.generate { ^bb0(%k: index): tensor.yield %x : f64 } : tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @below {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %s = tensor.concat dim(1) %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @below {{'tensor.concat' op result type 'tensor<9xf32>'does not match inferred shape 'tensor<8xf32>' static sizes}}
  %s = tensor.concat dim(0) %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4x4xf32>) {
  // expected-error @below {{'tensor.concat' op rank of concatenated inputs must match result rank}}
  %s = tensor.concat dim(0) %t, %u : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4xf64>) {
  // expected-error @below {{'tensor.concat' op inputs and result element type must match}}
  %s = tensor.concat dim(0) %t, %u : (tensor<4xf32>, tensor<4xf64>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%t: tensor<4x?xf32>, %u: tensor<4x4xf32>, %v: tensor<4x5xf32>) {
  // expected-error @below {{'tensor.concat' op static concatenation size mismatch along non-concatenated dimension 1}}
  %s = tensor.concat dim(0) %t, %u, %v : (tensor<4x?xf32>, tensor<4x4xf32>, tensor<4x5xf32>) -> tensor<12x?xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %n: tensor<2xi32>) {
  // expected-error @below {{'tensor.reshape' op source and destination tensor should have the same number of elements}}
  %s = tensor.reshape %t(%n) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %n: tensor<2xi32>) {
  // expected-error @below {{'tensor.reshape' op element types of source and destination tensor types should be the same}}
  %s = tensor.reshape %t(%n) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf64>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %n: tensor<?xi32>) {
  // expected-error @below {{'tensor.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked tensor type}}
  %s = tensor.reshape %t(%n) : (tensor<4xf32>, tensor<?xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>, %n: memref<2xi32>) {
  // expected-error @below {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
  %s = memref.reshape %m(%n) : (memref<4xf32>, memref<2xi32>) -> memref<2x2x1xf32>
  return
}

// -----

func.func @f(%m: memref<4xi32>, %x: i32, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op with kind 'addf' expects a floating-point type}}
  %r = memref.atomic_rmw addf %x, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}

// -----

func.func @f(%m: memref<4xf32>, %x: f32, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op with kind 'maxs' expects an integer type}}
  %r = memref.atomic_rmw maxs %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error @below {{'linalg.generic' op expected to have pure tensor or buffer semantics}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

func.func @a(%a: tensor<7x5xf32>, %b: tensor<7x?xf32>, %o: tensor<7x5xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{'linalg.map' op expected shape of input (7, -9223372036854775808) to match shape of output (7, 5)}}
  %0 = linalg.map { arith.addf } ins(%a, %b : tensor<7x5xf32>, tensor<7x?xf32>) outs(%o : tensor<7x5xf32>)
  return %0 : tensor<7x5xf32>
}

// -----

func.func @b(%a: tensor<?x?xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @below {{'linalg.reduce' op init dimensions [6] doesn't match input dimensions after reduction [-9223372036854775808]}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%o : tensor<6xf32>) dimensions = [1]
  return %0 : tensor<6xf32>
}

// -----

func.func @c(%a: tensor<7x5xf32>, %o: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @below {{'linalg.reduce' op dimensions for reduction should be in the range [0, 1].}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<7x5xf32>) outs(%o : tensor<7xf32>) dimensions = [2]
  return %0 : tensor<7xf32>
}

// -----

func.func @d(%a: tensor<7x5xf32>, %o: tensor<7x5xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{'linalg.reduce' op number of dimensions after reduction 1 doesn't match the init rank 2}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<7x5xf32>) outs(%o : tensor<7x5xf32>) dimensions = [1]
  return %0 : tensor<7x5xf32>
}

// -----

func.func @e(%a: tensor<7x5xf32>, %o: tensor<7xf32>, %p: tensor<8xf32>) -> (tensor<7xf32>, tensor<8xf32>) {
  // expected-error @below {{'linalg.reduce' op expects all outputs to have the same shapes. Shape at output-index 1 is not equal to the shape at output-index 0.}}
  %0:2 = linalg.reduce ins(%a, %a : tensor<7x5xf32>, tensor<7x5xf32>) outs(%o, %p : tensor<7xf32>, tensor<8xf32>) dimensions = [1]
  (%x: f32, %y: f32, %z: f32, %w: f32) { linalg.yield %x, %y : f32, f32 }
  return %0#0, %0#1 : tensor<7xf32>, tensor<8xf32>
}

// -----

func.func @f(%a: tensor<7x5xf32>, %b: tensor<7x6xf32>, %o: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  // expected-error @below {{'linalg.reduce' op expects all inputs to have the same shapes. Shape at input-index 1 is not equal to the shape at input-index 0.}}
  %0:2 = linalg.reduce ins(%a, %b : tensor<7x5xf32>, tensor<7x6xf32>) outs(%o, %o : tensor<7xf32>, tensor<7xf32>) dimensions = [1]
  (%x: f32, %y: f32, %z: f32, %w: f32) { linalg.yield %x, %y : f32, f32 }
  return %0#0, %0#1 : tensor<7xf32>, tensor<7xf32>
}

// -----

func.func @g(%a: tensor<7x5xf32>, %o: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @below {{'linalg.reduce' op input element type 'f32' does not match corresponding block argument type 'f64'}}
  %0 = linalg.reduce ins(%a : tensor<7x5xf32>) outs(%o : tensor<7xf32>) dimensions = [1]
  (%x: f64, %y: f32) { linalg.yield %y : f32 }
  return %0 : tensor<7xf32>
}

// -----

func.func @h(%a: tensor<7x5xf32>, %o: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @below {{'linalg.reduce' op mismatching number of operands and block arguments}}
  %0 = linalg.reduce ins(%a : tensor<7x5xf32>) outs(%o : tensor<7xf32>) dimensions = [1]
  (%x: f32, %y: f32, %z: f32) { linalg.yield %y : f32 }
  return %0 : tensor<7xf32>
}

// -----

func.func @i(%a: tensor<7x5xf32>, %o: tensor<7x5xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{'linalg.map' op expects number of operands to match the arity of mapper, but got: 1 and 2}}
  %0 = linalg.map ins(%a : tensor<7x5xf32>) outs(%o : tensor<7x5xf32>) (%x: f32, %y: f32) { linalg.yield %x : f32 }
  return %0 : tensor<7x5xf32>
}

// -----

func.func @j(%a: tensor<7x5xf32>, %o: tensor<7x5xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{'linalg.map' op expected element type of input 'f32' to match bbArg type 'f64'}}
  %0 = linalg.map ins(%a : tensor<7x5xf32>) outs(%o : tensor<7x5xf32>) (%x: f64) { %c = arith.constant 1.0 : f32 linalg.yield %c : f32 }
  return %0 : tensor<7x5xf32>
}

// -----

func.func @k(%a: tensor<7xf32>, %o: tensor<7x5xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{'linalg.map' op expected shape of input (7) to match shape of output (7, 5)}}
  %0 = linalg.map ins(%a : tensor<7xf32>) outs(%o : tensor<7x5xf32>) (%x: f32) { linalg.yield %x : f32 }
  return %0 : tensor<7x5xf32>
}

// -----

func.func @l(%a: tensor<7x5xf32>, %o: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @below {{'linalg.reduce' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<7x5xf32>) outs(%o : tensor<7xf32>) dimensions = [1, 0]
  return %0 : tensor<7xf32>
}

// -----

func.func @m(%a: tensor<7x5xf32>, %o: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @below {{'linalg.reduce' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<7x5xf32>) outs(%o : tensor<7xf32>) dimensions = [1, 1]
  return %0 : tensor<7xf32>
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'scf.for' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "scf.for"(%i, %i, %i) ({}) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'scf.parallel' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({}) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'scf.forall' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "scf.forall"(%i) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({}) : (index) -> ()
  return
}
// -----
func.func @f() {
  // expected-error @below {{'scf.while' op region #0 ('before') failed to verify constraint: region with 1 blocks}}
  "scf.while"() ({}, {}) : () -> ()
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'scf.index_switch' op region #1 ('caseRegions') failed to verify constraint: region with 1 blocks}}
  "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({ scf.yield }, {}) : (index) -> ()
  return
}
// -----
func.func @f(%b: i1) {
  // expected-error @below {{'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "scf.if"(%b) ({}, {}) : (i1) -> ()
  return
}
// -----
func.func @f() {
  // expected-error @below {{'affine.for' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({}) : () -> ()
  return
}
// -----
func.func @f() {
  // expected-error @below {{'affine.parallel' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "affine.parallel"() <{reductions = [], lowerBoundsMap = affine_map<() -> (0)>, upperBoundsMap = affine_map<() -> (4)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsGroups = dense<1> : tensor<1xi32>, steps = [1]}> ({}) : () -> ()
  return
}
// -----
func.func @f() {
  // expected-error @below {{'affine.if' op expects region #0 to have 0 or 1 blocks}}
  "affine.if"() ({
    "affine.yield"() : () -> ()
  ^bb1:
    "affine.yield"() : () -> ()
  }, {}) {condition = affine_set<() : (0 >= 0)>} : () -> ()
  return
}
// -----
func.func @f() {
  // expected-error @below {{'affine.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "affine.if"() ({}, {}) {condition = affine_set<() : (0 >= 0)>} : () -> ()
  return
}
// -----
func.func @f() {
  // expected-error @below {{'tensor.generate' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "tensor.generate"() ({}) : () -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error @below {{'tensor.pad' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  %0 = "tensor.pad"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: 0>, static_high = array<i64: 0>}> ({}) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f() {
  // expected-error @below {{'memref.alloca_scope' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
  "memref.alloca_scope"() ({}) : () -> ()
  return
}
// -----
func.func @f(%i: index, %m: memref<4xf32>) {
  // expected-error @below {{'memref.generic_atomic_rmw' op expected single number of entry block arguments}}
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({}) : (memref<4xf32>, index) -> f32
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.map' op region #0 ('mapper') failed to verify constraint: region with 1 blocks}}
  "linalg.map"(%m, %m) ({}) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.reduce' op region #0 ('combiner') failed to verify constraint: region with 1 blocks}}
  "linalg.reduce"(%m, %m) <{dimensions = array<i64: 0>}> ({}) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.transpose' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "linalg.transpose"(%m, %m) <{permutation = array<i64: 0>}> ({}) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.broadcast' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "linalg.broadcast"(%m, %m) <{dimensions = array<i64: 0>}> ({}) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  %0 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb0(%x: index, %o: tensor<4xf32>):
    // expected-error @below {{'scf.forall.in_parallel' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
    "scf.forall.in_parallel"() ({}) : () -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.generic' op expects to have 1 region with 1 block}}
  "linalg.generic"(%m, %m) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({}) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
// -----
func.func @f(%i: index, %m: memref<4xf32>) {
  // expected-error @below {{'memref.generic_atomic_rmw' op expected single number of entry block arguments}}
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%x: f32, %y: f32):
    "memref.atomic_yield"(%x) : (f32) -> ()
  }) : (memref<4xf32>, index) -> f32
  return
}
// -----
func.func @f(%i: index, %m: memref<4xf32>) {
  // expected-error @below {{'memref.generic_atomic_rmw' op expected block argument of the same type result type}}
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%x: f64):
    "memref.atomic_yield"(%x) : (f64) -> ()
  }) : (memref<4xf32>, index) -> f32
  return
}
// -----
func.func @f(%i: index, %m: memref<4xf32>) {
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%x: f32):
    // expected-error @below {{'memref.atomic_yield' op types mismatch between yield op: 'index' and its parent: 'f32'}}
    "memref.atomic_yield"(%i) : (index) -> ()
  }) : (memref<4xf32>, index) -> f32
  return
}
// -----
func.func @f() {
  // expected-error @below {{'scf.while' op region #1 ('after') failed to verify constraint: region with 1 blocks}}
  "scf.while"() ({
    %c = arith.constant true
    "scf.condition"(%c) : (i1) -> ()
  }, {}) : () -> ()
  return
}
// -----
// expected-error @below {{'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"builtin.module"() ({}) : () -> ()
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.for' dim operand count and affine map dim count must match}}
  affine.for %j = affine_map<(d0) -> (d0)>()[%i] to 8 {
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.for' symbol operand count and affine map symbol count must match}}
  affine.for %j = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%i) {
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.for' lower loop bound affine map with multiple results requires 'max' prefix}}
  affine.for %j = affine_map<(d0) -> (d0, 0)>(%i) to 8 {
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.for' upper loop bound affine map with multiple results requires 'min' prefix}}
  affine.for %j = 0 to affine_map<(d0) -> (d0, 0)>(%i) {
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.if' dim operand count and integer set dim count must match}}
  affine.if affine_set<(d0) : (d0 >= 0)>()[%i] {
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.if' symbol operand count and integer set symbol count must match}}
  affine.if affine_set<(d0)[s0] : (d0 + s0 >= 0)>(%i) {
  }
  return
}
// -----
func.func @f(%i: index, %m: memref<8xf32>) {
  // expected-error @below {{'affine.load' op expects as many subscripts as affine map inputs}}
  "affine.load"(%m, %i, %i) <{map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>, index, index) -> f32
  return
}
// -----
func.func @f(%i: index, %m: memref<8xf32>, %x: f32) {
  // expected-error @below {{'affine.store' op affine map num results must equal memref rank}}
  "affine.store"(%x, %m, %i) <{map = affine_map<(d0) -> (d0, d0)>}> : (f32, memref<8xf32>, index) -> ()
  return
}
// -----
func.func @f(%i: index, %m: memref<8xf32>) {
  // expected-error @below {{custom op 'affine.prefetch' rw specifier has to be 'read' or 'write'}}
  affine.prefetch %m[%i], reed, locality<3>, data : memref<8xf32>
  return
}
// -----
func.func @f(%i: index, %m: memref<8xf32>) {
  // expected-error @below {{custom op 'affine.prefetch' cache type has to be 'data' or 'instr'}}
  affine.prefetch %m[%i], read, locality<3>, date : memref<8xf32>
  return
}
// -----
func.func @f(%i: index, %m: memref<8xf32>) {
  // expected-error @below {{custom op 'memref.prefetch' rw specifier has to be 'read' or 'write'}}
  memref.prefetch %m[%i], reed, locality<3>, data : memref<8xf32>
  return
}
// -----
func.func @f(%i: index, %m: memref<8xf32>) {
  // expected-error @below {{custom op 'memref.prefetch' cache type has to be 'data' or 'instr'}}
  memref.prefetch %m[%i], write, locality<3>, inst : memref<8xf32>
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{custom op 'affine.parallel' invalid reduction value: "add"}}
  %0 = affine.parallel (%i) = (0) to (4) reduce ("add") -> (f32) {
    affine.yield %x : f32
  }
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops}}
  %0 = "affine.parallel"() <{reductions = [99], lowerBoundsMap = affine_map<() -> (0)>, upperBoundsMap = affine_map<() -> (4)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsGroups = dense<1> : tensor<1xi32>, steps = [1]}> ({
  ^bb0(%i: index):
    affine.yield %x : f32
  }) : () -> f32
  return
}
// -----
func.func @f(%x: f32, %n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error @below {{'affine.for' op operand cannot be used as a dimension id}}
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
    }
  }
  return
}
// -----
func.func @f(%x: f32, %n: index) {
  affine.for %i = 0 to 4 {
    // expected-error @below {{'affine.for' op operand cannot be used as a symbol}}
    affine.for %j = 0 to affine_map<()[s0] -> (s0)>()[%i] {
    }
  }
  return
}
// -----
func.func @f(%x: f32, %n: index, %m: memref<8xf32>) {
  scf.for %i = %n to %n step %n {
    // expected-error @below {{'affine.load' op index must be a valid dimension or symbol identifier}}
    %0 = affine.load %m[%i] : memref<8xf32>
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.apply' invalid kind of attribute specified}}
  %0 = affine.apply affine_set<(d0) : (d0 >= 0)>(%i)
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'affine.max' op operand count and affine map dimension and symbol count must match}}
  %0 = "affine.max"(%i, %i) <{map = affine_map<(d0) -> (d0)>}> : (index, index) -> index
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'affine.apply' op mapping must produce one value}}
  %0 = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0, d0)>}> : (index) -> index
  return
}
// -----
func.func @f(%c: vector<4xi1>, %x: vector<5xf32>) {
  // expected-error @below {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %c, %x, %x : vector<4xi1>, vector<5xf32>
  return
}
// -----
func.func @f(%c: tensor<4xi1>, %x: tensor<?xf32>) {
  // expected-error @below {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %c, %x, %x : tensor<4xi1>, tensor<?xf32>
  return
}
// -----
func.func @f() {
  // expected-error @below {{'arith.constant' op integer return type must be signless}}
  %0 = arith.constant 1 : si32
  return
}
// -----
func.func @f(%t: tensor<4xf32>, %v: vector<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op 'dest' must be a tensor or a memref}}
  bufferization.materialize_in_destination %t in %v : (tensor<4xf32>, vector<4xf32>) -> ()
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op 'restrict' is valid only for memref destinations}}
  %0 = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// expected-error @below {{'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'x'}}
module attributes {x = 1} {
}
// -----
// expected-error @below {{custom op 'func.func' expected type instead of SSA identifier}}
func.func @f(f32, %x: f32) {
  return
}
// -----
// expected-error @below {{custom op 'func.func' expected SSA identifier}}
func.func @f(%x: f32, f32) {
  return
}
// -----
// expected-error @below {{custom op 'func.func' 'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @f() attributes {sym_name = "x"} {
  return
}
// -----
// expected-error @below {{custom op 'func.func' 'function_type' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @f() attributes {function_type = () -> ()} {
  return
}
// -----
// expected-error @below {{custom op 'func.func' 'sym_visibility' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @f() attributes {sym_visibility = "private"} {
  return
}
// -----
// expected-error @below {{custom op 'func.func' expected non-empty function body}}
func.func @f() {
}
// -----
// expected-error @below {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"func.func"() <{sym_name = "f", function_type = (f32) -> (), arg_attrs = [1]}> ({
^bb0(%x: f32):
  func.return
}) : () -> ()
// -----
// expected-error @below {{'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 2, but expected 1}}
"func.func"() <{sym_name = "f", function_type = () -> f32, res_attrs = [{}, {}], sym_visibility = "private"}> ({
}) : () -> ()
// -----
// expected-error @below {{'func.func' op results may only have dialect attributes}}
"func.func"() <{sym_name = "f", function_type = () -> f32, res_attrs = [{a = 1}], sym_visibility = "private"}> ({
}) : () -> ()
// -----
// expected-error @below {{'func.func' op type of entry block argument #1('f64') must match the type of the corresponding argument in function signature('f32')}}
"func.func"() <{sym_name = "f", function_type = (f32, f32) -> ()}> ({
^bb0(%x: f32, %y: f64):
  func.return
}) : () -> ()
// -----
// expected-error @below {{'func.func' op entry block must have 2 arguments to match function signature}}
"func.func"() <{sym_name = "f", function_type = (f32, f32) -> ()}> ({
^bb0(%x: f32):
  func.return
}) : () -> ()
// -----
// expected-error @below {{'func.func' op symbol declaration cannot have public visibility}}
func.func @f()
// -----
// expected-error @below {{'func.func' op symbol declaration cannot have public visibility}}
func.func public @f()
// -----
func.func @f(%a: tensor<4x5xf32>, %b: tensor<5x4xf32>) {
  // expected-error @below {{'linalg.transpose' op size of permutation 1 does not match the argument rank 2}}
  %0 = linalg.transpose ins(%a : tensor<4x5xf32>) outs(%b : tensor<5x4xf32>) permutation = [0]
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.generic' op unexpected symbols in indexing_map #0}}
  linalg.generic {indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.generic' op unexpected result less than 0 at expression #0 in (d0) -> (d0 - 1)}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 - 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'linalg.generic' op inferred input/output operand #0 has shape's dimension #0 to be greater than or equal to 5, but found 4}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'memref.collapse_shape' op rank 0 memrefs can only be extended/collapsed with/from ones}}
  %0 = memref.collapse_shape %m [] : memref<4xf32> into memref<f32>
  return
}
// -----
func.func @f(%m: memref<f32>) {
  // expected-error @below {{'memref.expand_shape' op rank 0 memrefs can only be extended/collapsed with/from ones}}
  %0 = memref.expand_shape %m [] output_shape [1, 2] : memref<f32> into memref<1x2xf32>
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{custom op 'scf.while' expected as many input types as operands (expected 1 got 0)}}
  %0 = scf.while (%a = %x) : () -> f32 {
    scf.yield
  } do {
    scf.yield
  }
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{'scf.execute_region' op region needs to have at least one block}}
  "scf.execute_region"() ({}) : () -> ()
  return
}
// -----
func.func @f(%t: tensor<10xf32>, %d: tensor<3x4xf32>) {
  // expected-error @below {{'tensor.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  %0 = tensor.pack %t inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<10xf32> -> tensor<3x4xf32>
  return
}
// -----
func.func @f() {
  // expected-error @below {{'tensor.concat' op requires at least one input}}
  %0 = "tensor.concat"() <{dim = 0 : i64}> : () -> tensor<4xf32>
  return
}
// -----
func.func @f(%c: tensor<*xi1>, %x: tensor<4xf32>) {
  // expected-error @below {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %c, %x, %x : tensor<*xi1>, tensor<4xf32>
  return
}
// -----
func.func @f(%c: tensor<?xi1>, %x: tensor<4xf32>) {
  // expected-error @below {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %c, %x, %x : tensor<?xi1>, tensor<4xf32>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.for' expected valid affine map representation for loop bounds}}
  affine.for %j = "x" to 8 {
  }
  return
}
// -----
func.func @f(%x: i32) {
  cf.switch %x : i32, [
    default: ^bb1,
    // expected-error @below {{custom op 'cf.switch' expected integer value}}
    "x": ^bb1
  ]
^bb1:
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{custom op 'affine.parallel' invalid reduction value: "addd"}}
  %0 = affine.parallel (%i) = (0) to (4) reduce ("addd") -> (f32) {
    affine.yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'memref.assume_alignment' op alignment must be power of 2}}
  memref.assume_alignment %m, 12 : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'memref.assume_alignment' op attribute 'alignment' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  memref.assume_alignment %m, 0 : memref<4xf32>
  return
}
// -----
func.func @f() {
  // expected-error @below {{'arith.constant' op value must be an integer, float, or elements attribute}}
  %0 = "arith.constant"() <{value = "x"}> : () -> none
  return
}
// -----
func.func @f() {
  // expected-error @below {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "arith.constant"() <{value = "x"}> : () -> i32
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{'affine.parallel' op result type cannot match reduction attribute}}
  %0 = affine.parallel (%i) = (0) to (10) reduce ("addi") -> (f32) {
    %1 = affine.load %m[%i] : memref<4xf32>
    affine.yield %1 : f32
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %0 = affine.min affine_map<(d0) -> (d0)>(%i, %i)
  return
}
// -----
func.func @f() {
  // expected-error @below {{'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a vector splat}}
  %0 = arith.constant dense<[0, 1]> : vector<[2]xi32>
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error @below {{'scf.if' op region #0 should have no arguments}}
  "scf.if"(%c) ({
  ^bb0(%x: i32):
    scf.yield
  }, {}) : (i1) -> ()
  return
}
// -----
func.func @f(%i: index) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'scf.parallel' op constant step operand must be positive}}
  scf.parallel (%j) = (%i) to (%i) step (%c0) {
  }
  return
}
// -----
func.func @f(%i: index, %x: f32) {
  %0 = scf.parallel (%j) = (%i) to (%i) step (%i) init (%x) -> f32 {
    // expected-error @below {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
    scf.reduce(%x : f32) {
    ^bb0(%a: f32):
      scf.reduce.return %a : f32
    }
  }
  return
}
// -----
func.func @f(%i: index, %x: f32, %y: i32) {
  %0 = scf.parallel (%j) = (%i) to (%i) step (%i) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      // expected-error @below {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
      scf.reduce.return %y : i32
    }
  }
  return
}
// -----
func.func @f(%t: tensor<4x8xf32>, %i: tensor<1x2xindex>) {
  // expected-error @below {{'tensor.gather' op gather_dims values must be strictly increasing}}
  %0 = tensor.gather %t[%i] gather_dims([1, 0]) : (tensor<4x8xf32>, tensor<1x2xindex>) -> tensor<1x1x1xf32>
  return
}
// -----
func.func @f(%t: tensor<4x8xf32>, %s: tensor<1x1x8xf32>, %i: tensor<1x1xindex>) {
  // expected-error @below {{'tensor.scatter' op requires 'unique' attribute to be set}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) : (tensor<1x1x8xf32>, tensor<4x8xf32>, tensor<1x1xindex>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32, 1>) {
  // expected-error @below {{different memory spaces specified for source memref type 'memref<4xf32, 1>' and result memref type 'memref<8xf32>'}}
  %0 = memref.realloc %m : memref<4xf32, 1> to memref<8xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{missing dimension operand for result type 'memref<?xf32>'}}
  %0 = memref.realloc %m : memref<4xf32> to memref<?xf32>
  return
}
// -----
func.func @f(%m: memref<2048xi8, 2>, %i: index) {
  // expected-error @below {{different memory spaces specified for base memref type 'memref<2048xi8, 2>' and view memref type 'memref<4xf32>'}}
  %0 = memref.view %m[%i][] : memref<2048xi8, 2> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %t: memref<1xi32>, %i: index, %x: i32) {
  // expected-error @below {{'memref.dma_start' op expected source indices to be of index type}}
  "memref.dma_start"(%m, %x, %m, %i, %i, %t, %i) : (memref<4xf32>, i32, memref<4xf32>, index, index, memref<1xi32>, index) -> ()
  return
}
// -----
func.func @f(%t: tensor<2x4x3x5xf32>, %o: tensor<6x6x5x2xf32>) {
  // expected-error @below {{'linalg.winograd_filter_transform' op expect filter height either equals to r or 1}}
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%t : tensor<2x4x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}
// -----
func.func @f(%t: tensor<2x1x10x5xf32>, %o: tensor<1x6x1x3x2x5xf32>) {
  // expected-error @below {{'linalg.winograd_input_transform' op the output shape is not expected}}
  %0 = linalg.winograd_input_transform m(4) r(3) ins(%t : tensor<2x1x10x5xf32>) outs(%o : tensor<1x6x1x3x2x5xf32>) -> tensor<1x6x1x3x2x5xf32>
  return
}
// -----
func.func @f(%t: tensor<5x6x2x2x2x5xf32>, %o: tensor<2x8x8x5xf32>) {
  // expected-error @below {{'linalg.winograd_output_transform' op expect input height equals to input tile size}}
  %0 = linalg.winograd_output_transform m(4) r(3) ins(%t : tensor<5x6x2x2x2x5xf32>) outs(%o : tensor<2x8x8x5xf32>) -> tensor<2x8x8x5xf32>
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{'llvm.inttoptr' op operand #0 must be signless integer or LLVM dialect-compatible vector of signless integer, but got 'f32'}}
  "llvm.inttoptr"(%x) : (f32) -> !llvm.ptr
  return
}
// -----
func.func @f(%x: i64) {
  // expected-error @below {{'llvm.inttoptr' op result #0 must be LLVM pointer type or LLVM dialect-compatible vector of LLVM pointer type, but got 'i64'}}
  "llvm.inttoptr"(%x) : (i64) -> i64
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{'llvm.call_intrinsic' op intrinsic name must start with 'llvm.'}}
  %0 = llvm.call_intrinsic "fabs"(%x) : (f32) -> f32
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'llvm.call_intrinsic' op operand #0 must be variadic of LLVM dialect-compatible type, but got 'tensor<4xf32>'}}
  llvm.call_intrinsic "llvm.a"(%x) : (tensor<4xf32>) -> ()
  return
}
// -----
func.func @f(%x: !llvm.struct<(f32, i32)>) {
  // expected-error @below {{'llvm.extractvalue' op Type mismatch: extracting from '!llvm.struct<(f32, i32)>' should produce 'f32' but this op returns 'i32'}}
  %0 = "llvm.extractvalue"(%x) {position = array<i64: 0>} : (!llvm.struct<(f32, i32)>) -> i32
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @below {{'llvm.extractvalue' op operand #0 must be LLVM aggregate type, but got 'f32'}}
  %0 = "llvm.extractvalue"(%x) {position = array<i64: 0>} : (f32) -> i32
  return
}
// -----
func.func @f(%a: memref<8xf32>, %i: index, %at: vector<4xindex>, %k: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  // expected-error @below {{'vector.mask' op doesn't expect a passthru argument for this maskable operation}}
  %0 = vector.mask %k, %v { vector.gather %a[%i] [%at], %k, %v : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}
