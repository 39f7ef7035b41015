import { describe, expect, it } from 'vitest';
import { memref, tensor } from '../src/index.ts';
import type { RuntimeValue } from '../src/index.ts';
import { trapOf } from './run.ts';

/** Texts, and arguments of `@f`. */
type Row = [string, string, string, values?: readonly RuntimeValue[]];

const floats = (...shape: number[]): RuntimeValue =>
  tensor(shape, new Float32Array(shape.reduce((product, size) => product * size, 1)));

const id = 'affine_map<(d0) -> (d0)>';

describe('what the interpreter does not hold or know is refused', () => {
  it.each<Row>([
    ['a type of elements', 'func.func @f() { %0 = tensor.empty() : tensor<2xcomplex<f32>> return }', 'has elements of the unsupported type complex<f32>'],
    ['a wide integer', 'func.func @f() { %0 = memref.alloc() : memref<2xi65> return }', 'has elements of the unsupported type i65'],
    ['an operation on a type', 'func.func @f(%a: i32) -> f32 { %0 = "arith.addf"(%a, %a) : (i32, i32) -> f32 return %0 : f32 }', "'arith.addf' is not supported on i32", [1]],
    ['a comparison of floats as integers', 'func.func @f(%a: f32) -> i1 { %0 = "arith.cmpi"(%a, %a) {predicate = 0 : i64} : (f32, f32) -> i1 return %0 : i1 }', "'arith.cmpi' is not supported on f32", [1]],
    ['a bitcast', 'func.func @f(%a: i16) -> f16 { %0 = arith.bitcast %a : i16 to f16 return %0 : f16 }', "'arith.bitcast' is not supported on i16", [1]],
    ['a bound that is no number', 'func.func @f(%a: i64) { "scf.if"(%a) ({ scf.yield }, { scf.yield }) : (i64) -> () return }', 'takes i64 where only a number will do', [1n]],
    ['a constant of another type', 'func.func @f() { %0 = arith.constant dense<["a"]> : tensor<1x!test.string> return }', 'unsupported'],
    ['a layout that is not strided', 'func.func @f() { %0 = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout of open strides', 'func.func @f() { %0 = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32, strided<[?], offset: 0>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout that goes below zero', 'func.func @f() { %0 = memref.alloc() : memref<4xf32, strided<[-1], offset: 2>> return }', 'allocates with a layout that begins below zero'],
  ])('%s', (_, text, message, values) => {
    const [code, found] = trapOf(text, values);
    expect([code, found]).toEqual(['interpreter/unsupported-type', expect.stringContaining(message)]);
  }); // prettier-ignore
});

it('a terminator that branches in a way that the interpreter does not know is refused', () => {
  const text = `func.func @f(%a: i32) {
    "cf.switch"(%a)[^end] {case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
  ^end:
    return
  }`;
  expect(trapOf(text, [1])).toEqual([
    'interpreter/unsupported-op',
    expect.stringContaining("'cf.switch' is not a branch that the interpreter can execute"),
  ]);
});

describe('what is not valid is refused, not executed', () => {
  it.each<Row>([
    ['a missing operand', 'func.func @f() -> f32 { %0 = "arith.negf"() : () -> f32 return %0 : f32 }', 'has no operand 0'],
    ['a missing result', 'func.func @f(%a: f32) { "arith.addf"(%a, %a) : (f32, f32) -> () return }', 'has no result', [1]],
    ['a missing region', 'func.func @f(%a: index) { "scf.for"(%a, %a, %a) : (index, index, index) -> () return }', 'has no region 0', [1]],
    ['an empty region', 'func.func @f() { "scf.execute_region"() ({ }) : () -> () return }', 'has a region without blocks'],
    ['a missing attribute', 'func.func @f() { %0 = "memref.get_global"() : () -> memref<2xf32> return }', "has no valid attribute 'name'"],
    ['a name that no buffer has', 'func.func @f() { %0 = memref.get_global @g : memref<2xf32> return }', 'names @g, which is no memref.global'],
    ['a load of another rank', 'func.func @f(%m: memref<2x2xf32>, %i: index) { %0 = "memref.load"(%m, %i) : (memref<2x2xf32>, index) -> f32 return }', 'has 1 indices for a rank of 2', [memref([2, 2], new Float32Array(4)), 0]],
    ['a store of another rank', 'func.func @f(%m: memref<2x2xf32>, %i: index, %x: f32) { "memref.store"(%x, %m, %i) : (f32, memref<2x2xf32>, index) -> () return }', 'has 1 indices for a rank of 2', [memref([2, 2], new Float32Array(4)), 0, 1]],
    ['too few bounds', `func.func @f() { "scf.forall"() ({ ^bb0(%i: index): scf.forall.in_parallel { } }) {operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>} : () -> () return }`, 'has too few operands for staticUpperBound'],
    ['a constant without value', 'func.func @f() { %0 = "arith.constant"() : () -> f32 return }', "has no constant 'value' that the interpreter understands"],
    ['a constant of a kind', 'func.func @f() { %0 = "arith.constant"() {value = "text"} : () -> f32 return }', "has no constant 'value' that the interpreter understands"],
    ['a number for a tensor', 'func.func @f(%a: f32) { %0 = "tensor.dim"(%a, %a) : (f32, f32) -> index return }', 'for a tensor', [1]],
    ['a number for a memref', 'func.func @f(%a: f32) { %0 = "memref.load"(%a) : (f32) -> f32 return }', 'takes f32 for a memref', [1]],
    ['a map of fewer operands', `func.func @f(%a: index) -> index { %0 = "affine.apply"(%a) {map = affine_map<(d0, d1) -> (d0 + d1)>} : (index) -> index return %0 : index }`, 'has a map of more operands than it has', [1]],
    ['a loop that linalg.index has not', `func.func @f(%o: tensor<2xindex>) {
        %0 = "linalg.generic"(%o) ({ ^bb0(%x: index): %i = linalg.index 3 : index linalg.yield %i : index }) {indexing_maps = [${id}], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2xindex>) -> tensor<2xindex>
        return }`, 'asks for loop 3 of 1', [tensor([2], new Float64Array(2), { kind: 'index' })]],
    ['a loop of unknown size', `func.func @f(%o: tensor<2xf32>) {
        %0 = "linalg.generic"(%o) ({ ^bb0(%x: f32): linalg.yield %x : f32 }) {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2xf32>) -> tensor<2xf32>
        return }`, 'has no operand that gives the size of d0', [floats(2)]],
    ['a map of another rank', `func.func @f(%o: tensor<2x2xf32>) {
        %0 = "linalg.generic"(%o) ({ ^bb0(%x: f32): linalg.yield %x : f32 }) {indexing_maps = [${id}], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
        return }`, 'indexes operand #0 of 2x2 by another rank', [floats(2, 2)]],
    ['a slice of another rank', 'func.func @f(%t: tensor<2x2xf32>) { %0 = "tensor.extract_slice"(%t) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>} : (tensor<2x2xf32>) -> tensor<1xf32> return }', 'slices 1 dimensions of a rank of 2', [floats(2, 2)]],
    ['a slice of another type', 'func.func @f(%t: tensor<4xf32>) { %0 = "tensor.extract_slice"(%t) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32> return }', 'has sizes that do not fit its type', [floats(4)]],
    ['a slice of a larger rank', 'func.func @f(%t: tensor<4xf32>) { %0 = "tensor.extract_slice"(%t) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2x2xf32> return }', 'has sizes that do not fit its type', [floats(4)]],
    ['fewer values than elements', 'func.func @f(%a: index, %b: f32) { %0:2 = "scf.execute_region"() ({ scf.yield %b : f32 }) : () -> (f32, f32) return }', 'passes on 1 values that do not fit the 2 expected', [1, 1]],
  ])('%s', (_, text, message, values) => {
    const [code, found] = trapOf(text, values);
    expect([code, found]).toEqual(['interpreter/invalid-ir', expect.stringContaining(message)]);
  }); // prettier-ignore
});

describe('what a program does wrong ends its execution', () => {
  it.each<Row>([
    ['interpreter/assertion', 'func.func @f(%c: i1) { cf.assert %c, "no" return }', "'cf.assert' failed: no", [0]],
    ['interpreter/division-by-zero', 'func.func @f(%a: i32) { %0 = arith.remsi %a, %a : i32 return }', 'divides 0 by zero', [0]],
    ['interpreter/overflow', 'func.func @f(%a: i8, %b: i8) { %0 = arith.divsi %a, %b : i8 return }', 'divides -128 by -1, which i8 does not hold', [-128, -1]],
    ['interpreter/overflow', 'func.func @f(%a: i64, %b: i64) { %0 = arith.floordivsi %a, %b : i64 return }', 'which i64 does not hold', [-(2n ** 63n), -1n]],
    ['interpreter/overflow', 'func.func @f(%a: index) { %0 = arith.divsi %a, %a : index return }', 'divides an index beyond 2^52: 4503599627370497', [2 ** 52 + 1]],
    ['interpreter/overflow', 'func.func @f(%a: f32) { %0 = arith.fptosi %a : f32 to i8 return }', 'converts 128, which i8 does not hold', [128]],
    ['interpreter/zero-step', 'func.func @f(%a: index) { scf.for %i = %a to %a step %a { } return }', 'has the step 0, which is not positive', [0]],
    ['interpreter/zero-step', 'func.func @f(%a: index) { scf.parallel (%i) = (%a) to (%a) step (%a) { scf.reduce } return }', 'has the step -1, which is not positive', [-1]],
    ['interpreter/out-of-bounds', 'func.func @f(%m: memref<4xf32>, %i: index) { %0 = memref.load %m[%i] : memref<4xf32> return }', '[4]', [memref([4], new Float32Array(4)), 4]],
  ])('%s', (code, text, message, values) => {
    expect(trapOf(text, values)).toEqual([code, expect.stringContaining(message)]);
  }); // prettier-ignore

  it('but not an assertion that holds', () => {
    expect(trapOf('func.func @f(%c: i1) { cf.assert %c, "no" return }', [1])[0]).toBe('success');
  });
});
