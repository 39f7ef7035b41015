func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.if' expected an integer set}}
  affine.if affine_map<(d0) -> (d0)>(%i) {
  }
  return
}
// -----
func.func @f(%i: index, %m: memref<8xf32>) {
  // expected-error @below {{'affine.prefetch' op expects as many subscripts as affine map inputs}}
  "affine.prefetch"(%m) <{map = affine_map<(d0) -> (d0)>, isWrite = false, isDataCache = true, localityHint = 3 : i32}> : (memref<8xf32>) -> ()
  return
}
// -----
func.func @f(%i: index) {
  %0 = affine.apply affine_map<(d0, d1) -> (d0)>(%i)
  // expected-error @below {{custom op 'affine.apply' dimension or symbol index mismatch}}
  return
}
// -----
func.func @f(%i: index) {
  %0 = affine.apply affine_map<(d0) -> (d0)>()[%i]
  // expected-error @below {{custom op 'affine.apply' dimension or symbol index mismatch}}
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'affine.min' op affine map expect at least one result}}
  %0 = "affine.min"(%i) <{map = affine_map<(d0) -> ()>}> : (index) -> index
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'affine.max' op affine map expect at least one result}}
  %0 = "affine.max"(%i) <{map = affine_map<(d0) -> ()>}> : (index) -> index
  return
}
// -----
func.func @f(%c: vector<4xi1>, %x: f32) {
  // expected-error @below {{'arith.select' op expected condition to be a signless i1, but got 'vector<4xi1>'}}
  %0 = arith.select %c, %x, %x : vector<4xi1>, f32
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error @below {{custom op 'linalg.generic' expected dictionary attribute}}
  linalg.generic 1 ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) {
  // expected-error @below {{base type 'memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>' is not strided}}
  %0 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>> to memref<2x2xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  // expected-error @below {{expected result rank to be smaller or equal to the source rank. }}
  %0 = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4x1xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  // expected-error @below {{expected result type to have strided layout but found 'memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>) {
  // expected-error @below {{custom op 'memref.transpose' expected dimensional identifier}}
  %0 = memref.transpose %m (a, b) -> (b, c) : memref<4x8xf32> to memref<8x4xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  // expected-error @below {{custom op 'memref.subview' expected SSA value or integer}}
  %0 = memref.subview %m[x] [4] [1] : memref<8xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%t: tensor<10xf32>, %d: tensor<2x4xf32>) {
  // expected-error @below {{the shape of output is not large enough to hold the packed data. Expected at least 'tensor<3x4xf32>', got 'tensor<2x4xf32>'}}
  %0 = tensor.pack %t inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<10xf32> -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%t: tensor<10xf32>) {
  // expected-error @below {{'tensor.parallel_insert_slice' op expected ParallelCombiningOpInterface parent}}
  tensor.parallel_insert_slice %t into %t[0] [10] [1] : tensor<10xf32> into tensor<10xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{custom op 'affine.dma_wait' expected one type for each buffer}}
  affine.dma_wait %m[%i], %i : memref<8xf32>, memref<8xf32>
  return
}
// -----
func.func @f(%c: tensor<4xi1>, %x: vector<4xf32>) {
  // expected-error @below {{'arith.select' op expected condition type to have the same shape as the result type, expected 'vector<4xi1>', but got 'tensor<4xi1>'}}
  %0 = arith.select %c, %x, %x : tensor<4xi1>, vector<4xf32>
  return
}
// -----
func.func @f(%c: vector<[4]xi1>, %x: vector<4xf32>) {
  // expected-error @below {{'arith.select' op expected condition type to have the same shape as the result type, expected 'vector<4xi1>', but got 'vector<[4]xi1>'}}
  %0 = arith.select %c, %x, %x : vector<[4]xi1>, vector<4xf32>
  return
}
// -----
// expected-error @below {{alignment attribute value 12 is not a power of 2}}
memref.global @g : memref<4xf32> {alignment = 12}
// -----
func.func @f(%i: index) {
  // expected-error @below {{custom op 'affine.for' expected step to be representable as a positive signed integer}}
  affine.for %j = 0 to 4 step 0 {
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{'affine.for' op expected step to be representable as a positive signed integer}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>, step = 0 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%j: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f() {
  // expected-error @below {{'arith.constant' op attribute 'value' failed to satisfy constraint: TypedAttr instance}}
  %0 = "arith.constant"() <{value = unit}> : () -> i32
  return
}
// -----
func.func @f(%x: i32) {
  // expected-error @below {{'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%x, %x) <{predicate = 3 : i32}> : (i32, i32) -> i1
  return
}
// -----
func.func @f(%x: !llvm.struct<(f32, i32)>) {
  // expected-error @+2 {{custom op 'llvm.extractvalue' position out of bounds: 2}}
  %0 = llvm.extractvalue %x[2] : !llvm.struct<(f32, i32)>
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error @+2 {{custom op 'llvm.extractvalue' expected LLVM IR structure/array type, got: 'f32'}}
  %0 = llvm.extractvalue %x[0] : f32
  return
}
