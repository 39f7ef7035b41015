import { describe, expect, it } from 'vitest';
import { failureOf } from './emit.ts';

describe('emission fails at the operation', () => {
  it.each([
    [
      'a global without a name',
      `func.func @f() {
        %g = "memref.get_global"() : () -> memref<2xf32>
        return
      }`,
      'wasm/unknown-global',
      2,
    ],
    ['a tensor', `func.func @f(%a: tensor<4xf32>) { return }`, 'wasm/unsupported', 1],
    ['an element type', `func.func @f(%a: memref<4xf80>) { return }`, 'wasm/unsupported', 1],
    ['a number of 16 bits that is passed', `func.func @f(%a: f16) { return }`, 'wasm/unsupported', 1],
    [
      'one that is returned',
      `func.func @f() -> bf16 { %a = arith.constant 1.0 : bf16 return %a : bf16 }`,
      'wasm/unsupported',
      1,
    ],
    ['a dynamic argument', `func.func @f(%a: memref<?xf32>) { return }`, 'wasm/dynamic-shape', 1],
    [
      'a dynamic allocation',
      `func.func @f(%n: index) {
        %a = memref.alloc(%n) : memref<?xf32>
        return
      }`,
      'wasm/dynamic-shape',
      2,
    ],
    [
      'more memory than an address reaches',
      `func.func @f() {
        %a = memref.alloc() : memref<65536x65536xf32>
        return
      }`,
      'wasm/memory-limit',
      1,
    ],
    [
      'arguments of more than 4 GiB',
      `func.func @f(%a: memref<2048x1024x1024xf32>) { return }`,
      'wasm/memory-limit',
      1,
    ],
    [
      'constants of terabytes',
      `memref.global "private" constant @z : memref<1000000x1000000xf64> = dense<1.0>
      func.func @f() { return }`,
      'wasm/memory-limit',
      1,
    ],
    [
      'an operation without lowering',
      `func.func @f(%a: f32) -> i32 {
        %b = arith.bitcast %a : f32 to i32
        return %b : i32
      }`,
      'wasm/unsupported',
      2,
    ],
    [
      'an allocation that leaves its loop',
      `func.func @f(%m: memref<2xf32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c9 = arith.constant 9 : index
        %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %m) -> (memref<2xf32>) {
          %a = memref.alloc() : memref<2xf32>
          scf.yield %a : memref<2xf32>
        }
        return
      }`,
      'wasm/escaping-allocation',
      5,
    ],
    [
      'a loop that carries a buffer in another layout',
      `func.func @f(%m: memref<2x3xf32>, %n: index) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %v = memref.cast %m : memref<2x3xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>) {
          %t = memref.reinterpret_cast %x to offset: [%c0], sizes: [%c1, %c1], strides: [%c1, %c1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
          scf.yield %t : memref<?x?xf32, strided<[?, ?], offset: ?>>
        }
        return
      }`,
      'wasm/unsupported',
      5,
    ],
    [
      'an expansion to an open shape',
      `func.func @f(%m: memref<6xf32>, %n: index) {
        %e = "memref.expand_shape"(%m, %n, %n) {reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, -9223372036854775808>} : (memref<6xf32>, index, index) -> memref<?x?xf32>
        return
      }`,
      'wasm/dynamic-shape',
      2,
    ],
    [
      'a bound beyond 32 bits',
      `func.func @f() {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = arith.constant 2147483648 : index
        scf.for %i = %c0 to %n step %c1 {
        }
        return
      }`,
      'wasm/index-overflow',
      5,
    ],
    [
      'a division by zero in a map',
      `func.func @f(%n: index) -> index {
        %r = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%n)[%n]
        %c0 = arith.constant 0 : index
        %s = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%n)[%c0]
        return %s : index
      }`,
      'wasm/index-arithmetic',
      4,
    ],
    [
      'a function without name',
      '"func.func"() ({ func.return }) {function_type = () -> ()} : () -> ()',
      'wasm/invalid-function',
      1,
    ],
    [
      'a function without type',
      '"func.func"() ({ func.return }) {sym_name = "f"} : () -> ()',
      'wasm/invalid-function',
      1,
    ],
    [
      'a global that is not there',
      'func.func @f() {\n %g = memref.get_global @g : memref<2xf32>\n return }',
      'wasm/unknown-global',
      2,
    ],
    ['a global without name', '"memref.global"() {type = memref<2xf32>} : () -> ()', 'wasm/unsupported', 1],
    [
      'a value that nothing defines before',
      `func.func @f(%m: memref<2xf32>, %i: index) {
        memref.store %x, %m[%i] : memref<2xf32>
        %x = arith.constant 1.0 : f32
        return
      }`,
      'wasm/unknown-value',
      2,
    ],
    [
      'a buffer as a number',
      'func.func @f(%m: memref<2xf32>) {\n %x = "arith.negf"(%m) : (memref<2xf32>) -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a number as a buffer',
      'func.func @f(%m: f32) {\n %x = "memref.load"(%m) : (f32) -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a float as an index',
      'func.func @f(%m: memref<2xf32>, %x: f32) {\n %y = "memref.load"(%m, %x) : (memref<2xf32>, f32) -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'an operation without operands',
      'func.func @f() {\n %y = "arith.negf"() : () -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'an operation without results',
      'func.func @f(%x: f32) {\n "arith.negf"(%x) : (f32) -> ()\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'operands of two types',
      'func.func @f(%x: f32, %y: f64) {\n %z = "arith.addf"(%x, %y) : (f32, f64) -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'integers of two types',
      'func.func @f(%x: i32, %y: i64) {\n %z = "arith.addi"(%x, %y) : (i32, i64) -> i32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'floats as integers',
      'func.func @f(%x: f32) {\n %z = "arith.addi"(%x, %x) : (f32, f32) -> i32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a comparison of two types',
      'func.func @f(%x: i32, %y: i64) {\n %z = "arith.cmpi"(%x, %y) {predicate = 0 : i64} : (i32, i64) -> i1\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'an unknown comparison',
      'func.func @f(%x: i32) {\n %z = "arith.cmpi"(%x, %x) {predicate = 10 : i64} : (i32, i32) -> i1\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'an unknown comparison of floats',
      'func.func @f(%x: f32) {\n %z = "arith.cmpf"(%x, %x) {predicate = 16 : i64} : (f32, f32) -> i1\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a selection of two types',
      'func.func @f(%c: i1, %x: f32, %y: f64) {\n %z = "arith.select"(%c, %x, %y) : (i1, f32, f64) -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a constant of no number',
      'func.func @f() {\n %z = "arith.constant"() {value = "text"} : () -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a conversion of floats to indices',
      'func.func @f(%x: f32) {\n %z = "arith.fptosi"(%x) : (f32) -> index\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a conversion of indices to floats',
      'func.func @f(%x: index) {\n %z = "arith.sitofp"(%x) : (index) -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a truncation of f32',
      'func.func @f(%x: f32) {\n %z = "arith.truncf"(%x) : (f32) -> f32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'an extension of f64',
      'func.func @f(%x: f64) {\n %z = "arith.extf"(%x) : (f64) -> f64\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a negation of an integer',
      'func.func @f(%x: i32) {\n %z = "arith.negf"(%x) : (i32) -> i32\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a layout that is not strided',
      'func.func @f() {\n %m = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a slice that is no rank reduction',
      'func.func @f(%m: memref<4x2xf32>) {\n %v = "memref.subview"(%m) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 2>, static_strides = array<i64: 1, 1>} : (memref<4x2xf32>) -> memref<4xf32, strided<[2]>>\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a slice of a larger rank',
      'func.func @f(%m: memref<4xf32>) {\n %v = "memref.subview"(%m) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>} : (memref<4xf32>) -> memref<4x4xf32>\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a reshape without groups',
      'func.func @f(%m: memref<4x2xf32>) {\n %v = "memref.collapse_shape"(%m) : (memref<4x2xf32>) -> memref<8xf32>\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a size of which dimension is not known',
      'func.func @f(%m: memref<4x2xf32>, %i: index) {\n %v = memref.dim %m, %i : memref<4x2xf32>\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a body without return',
      '"func.func"() ({ ^bb0: %c = arith.constant 1 : i32 }) {sym_name = "f", function_type = () -> ()} : () -> ()',
      'wasm/unsupported',
      1,
    ],
    [
      'several blocks',
      '"func.func"() ({ ^bb0: func.return ^bb1: func.return }) {sym_name = "f", function_type = () -> ()} : () -> ()',
      'wasm/unsupported',
      1,
    ],
    ['another operation in the module', 'module { module { } }', 'wasm/unsupported', 1],
    [
      'a choice of buffers',
      'func.func @f(%c: i1, %a: memref<2xf32>, %b: memref<2xf32>) {\n %r = scf.if %c -> (memref<2xf32>) { scf.yield %a : memref<2xf32> } else { scf.yield %b : memref<2xf32> }\n return }',
      'wasm/unsupported',
      2,
    ],
    [
      'a result with gaps',
      `func.func @f(%a: memref<4x4xf32>) -> memref<4x2xf32, strided<[?, 1]>> {
        %v = memref.subview %a[0, 0] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
        %w = memref.cast %v : memref<4x2xf32, strided<[4, 1]>> to memref<4x2xf32, strided<[?, 1]>>
        return %w : memref<4x2xf32, strided<[?, 1]>>
      }`,
      'wasm/unsupported',
      4,
    ],
    [
      'a constant beyond 32 bits as an index',
      'func.func @f(%m: memref<2xindex>) {\n %c = arith.constant 4294967296 : index\n memref.store %c, %m[%c] : memref<2xindex>\n return }',
      'wasm/index-overflow',
      3,
    ],
  ])('%s', (_, text, code, line) => {
    const failure = failureOf(text);
    expect(failure.code).toBe(code);
    expect(failure.location).toMatchObject({ kind: 'file', file: 'test.mlir', line });
  });

  it('when regions are nested too deeply', () => {
    const depth = 220;
    const text = `func.func @f(%c: i1) { ${'scf.if %c {\n'.repeat(depth)} ${'}\n'.repeat(depth)} return }`;
    expect(failureOf(text).code).toBe('wasm/too-deep');
  });

  it('when a function is too large for an engine', () => {
    // Elements of f64 take a local for two, and all are read before the first one is written.
    const [count, length] = [100, 1024];
    const [buffer, vector] = [`memref<${length}xf64>`, `vector<${length}xf64>`];
    const lines = (line: (i: number) => string): string =>
      Array.from({ length: count }, (_, i) => line(i)).join('\n');
    const text = `func.func @f(%a: ${buffer}, %b: ${buffer}) {
      %c0 = arith.constant 0 : index
      ${lines((i) => `%v${i} = vector.load %a[%c0] : ${buffer}, ${vector}`)}
      ${lines((i) => `vector.store %v${i}, %b[%c0] : ${buffer}, ${vector}`)}
      return
    }`;
    expect(failureOf(text).code).toBe('wasm/function-too-large');
  });
});
