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
    ['a float of many bits', 'func.func @f() { %0 = arith.constant 1.0 : f80 return }', 'unsupported type'],
    ['a conversion to it', 'func.func @f(%a: f32) { %0 = arith.extf %a : f32 to f128 return }', 'is not supported on f32', [1]],
    ['a conversion of no float', 'func.func @f(%a: i32) { %0 = "arith.extf"(%a) : (i32) -> f64 return }', 'is not supported on i32', [1]],
    ['a conversion of a float as an integer', 'func.func @f(%a: f32) { %0 = "arith.extsi"(%a) : (f32) -> i32 return }', 'is not supported on f32', [1]],
    ['an extension to no integer', 'func.func @f(%a: i32) { %0 = "arith.extsi"(%a) : (i32) -> f32 return }', 'is not supported on i32', [1]],
    ['an integer of an integer', 'func.func @f(%a: i32) { %0 = "arith.fptosi"(%a) : (i32) -> i32 return }', 'is not supported on i32', [1]],
    ['a float of a float', 'func.func @f(%a: f32) { %0 = "arith.sitofp"(%a) : (f32) -> f32 return }', 'is not supported on f32', [1]],
    ['an integer to an integer as a float', 'func.func @f(%a: i32) { %0 = "arith.sitofp"(%a) : (i32) -> i32 return }', 'is not supported on i32', [1]],
    ['a comparison of integers as floats', 'func.func @f(%a: i32) { %0 = "arith.cmpf"(%a, %a) {predicate = 1 : i64} : (i32, i32) -> i1 return }', 'is not supported on i32', [1]],
    ['an unknown comparison of integers', 'func.func @f(%a: i32) { %0 = "arith.cmpi"(%a, %a) {predicate = 10 : i64} : (i32, i32) -> i1 return }', 'is not supported on i32', [1]],
    ['an unknown comparison of floats', 'func.func @f(%a: f32) { %0 = "arith.cmpf"(%a, %a) {predicate = 16 : i64} : (f32, f32) -> i1 return }', 'is not supported on f32', [1]],
    ['a comparison by nothing', 'func.func @f(%a: f32) { %0 = "arith.cmpf"(%a, %a) : (f32, f32) -> i1 return }', 'is not supported on f32', [1]],
    ['a layout that is not strided', 'func.func @f() { %0 = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout that is another order', 'func.func @f() { %0 = memref.alloc() : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout of a sum', 'func.func @f() { %0 = memref.alloc() : memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout of a sum in its place', 'func.func @f() { %0 = memref.alloc() : memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1 + 1)>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout of one dimension more', 'func.func @f() { %0 = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0, 0)>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout of symbols', 'func.func @f() { %0 = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout of an open offset', 'func.func @f() { %0 = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32, strided<[1], offset: ?>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout of open strides', 'func.func @f() { %0 = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32, strided<[?], offset: 0>> return }', 'allocates with a layout that is not static and strided'],
    ['a layout that goes below zero', 'func.func @f() { %0 = memref.alloc() : memref<4xf32, strided<[-1], offset: 2>> return }', 'allocates with a layout that begins below zero'],
  ])('%s', (_, text, message, values) => {
    const [code, found] = trapOf(text, values);
    expect([code, found]).toEqual(['interpreter/unsupported-type', expect.stringContaining(message)]);
  }); // prettier-ignore
});

it.each(['2', '99', '"addf"'])(
  'reductions of affine.parallel without a neutral value are refused: %s',
  (kind) => {
    const text =
      'func.func @f(%a: index) { %0 = "affine.parallel"() ({ ^bb0(%i: index): affine.yield }) {lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (2)>, upperBoundsGroups = dense<1> : tensor<1xi32>, reductions = [KIND], steps = [1]} : () -> f32 return }';
    expect(trapOf(text.replace('KIND', kind), [1])).toEqual([
      'interpreter/unsupported-op',
      expect.stringContaining("'affine.parallel' combines values in a way that has no neutral one"),
    ]);
  },
);

it('a terminator that branches in a way that the interpreter does not know is refused', () => {
  const text = `func.func @f(%a: i32) {
    "test.jump"(%a)[^end] : (i32) -> ()
  ^end:
    return
  }`;
  expect(trapOf(text, [1])).toEqual([
    'interpreter/unsupported-op',
    expect.stringContaining("'test.jump' is not a branch that the interpreter can execute"),
  ]);
});

describe('what is not valid is refused, not executed', () => {
  it.each<Row>([
    ['a missing operand', 'func.func @f() -> f32 { %0 = "arith.negf"() : () -> f32 return %0 : f32 }', 'has no operand 0'],
    ['no operands', 'func.func @f() { %0 = "tensor.extract"() : () -> f32 return }', "'tensor.extract' has no operand 0"],
    ['no target', 'func.func @f(%x: f32) { %0 = "tensor.insert"(%x) : (f32) -> tensor<f32> return }', "'tensor.insert' has no operand 1", [1]],
    ['no buffer to load from', 'func.func @f() { %0 = "memref.load"() : () -> f32 return }', "'memref.load' has no operand 0"],
    ['no buffer to store to', 'func.func @f(%x: f32) { "memref.store"(%x) : (f32) -> () return }', "'memref.store' has no operand 1", [1]],
    ['no buffer to load from by a map', 'func.func @f() { %0 = "affine.load"() {map = affine_map<() -> ()>} : () -> f32 return }', "'affine.load' has no operand 0"],
    ['no buffer to store to by a map', 'func.func @f(%x: f32) { "affine.store"(%x) {map = affine_map<() -> ()>} : (f32) -> () return }', "'affine.store' has no operand 1", [1]],
    ['no index to delinearize', 'func.func @f() { %0 = "affine.delinearize_index"() : () -> index return }', "'affine.delinearize_index' has no operand 0"],
    ['no buffer to describe', 'func.func @f(%m: memref<2xf32>) { "memref.extract_strided_metadata"(%m) : (memref<2xf32>) -> () return }', 'has no result', [memref([2], new Float32Array(2))]],
    ['no condition', 'func.func @f() { scf.while : () -> () { "scf.condition"() : () -> () } do { scf.yield } return }', "'scf.condition' has no operand 0"],
    ['a loop without a variable', 'func.func @f(%a: index) { "scf.for"(%a, %a, %a) ({ ^bb0: scf.yield }) : (index, index, index) -> () return }', 'has no induction variable', [1]],
    ['a loop without blocks', 'func.func @f(%a: index) { "scf.for"(%a, %a, %a) ({ }) : (index, index, index) -> () return }', 'has a region without blocks', [1]],
    ['a parallel loop without blocks', 'func.func @f() { "scf.parallel"() ({ }) {operandSegmentSizes = array<i32: 0, 0, 0, 0>} : () -> () return }', 'has a region without blocks'],
    ['more reductions than values', 'func.func @f(%a: index) { scf.parallel (%i) = (%a) to (%a) step (%a) { "scf.reduce"() ({ ^bb0(%x: f32, %y: f32): scf.reduce.return %x : f32 }) : () -> () } return }', "'scf.reduce' has no operand 0", [1]],
    ['more reductions than results', 'func.func @f(%a: index, %x: f32) { scf.parallel (%i) = (%a) to (%a) step (%a) { "scf.reduce"(%x) ({ ^bb0(%y: f32, %z: f32): scf.reduce.return %y : f32 }) : (f32) -> () } return }', 'has more reductions than results', [1, 1]],
    ['a map without results', 'func.func @f() { %0 = "affine.apply"() {map = affine_map<() -> ()>} : () -> index return }', 'has a map without results'],
    ['a map without results in a body', `func.func @f(%o: tensor<2xindex>) {
        %0 = "linalg.generic"(%o) ({ ^bb0(%x: index): %i = "affine.apply"() {map = affine_map<() -> ()>} : () -> index linalg.yield %i : index }) {indexing_maps = [${id}], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2xindex>) -> tensor<2xindex>
        return }`, 'has a map without results', [tensor([2], new Float64Array(2), { kind: 'index' })]],
    ['steps that are no integers', 'func.func @f() { "affine.parallel"() ({ ^bb0(%i: index): affine.yield }) {lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (2)>, upperBoundsGroups = dense<1> : tensor<1xi32>, reductions = [], steps = ["1"]} : () -> () return }', 'has no valid steps'],
    ['a reassociation of no numbers', 'func.func @f(%t: tensor<2x2xf32>) { %0 = "tensor.collapse_shape"(%t) {reassociation = [["0", "1"]]} : (tensor<2x2xf32>) -> tensor<4xf32> return }', 'has no valid reassociation', [floats(2, 2)]],
    ['a reassociation without groups', 'func.func @f(%t: tensor<2x2xf32>) { %0 = "tensor.collapse_shape"(%t) {reassociation = [0, 1]} : (tensor<2x2xf32>) -> tensor<4xf32> return }', 'has no valid reassociation', [floats(2, 2)]],
    ['a tensor for a buffer', 'func.func @f() { %0 = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> tensor<2xf32> return }', 'gives tensor<2xf32> for a memref'],
    ['a buffer for a tensor', 'func.func @f() { %0 = "tensor.empty"() : () -> memref<2xf32> return }', 'gives memref<2xf32> for a tensor'],
    ['a clone of a buffer as a tensor', 'func.func @f(%m: memref<2xf32>) { %0 = "bufferization.clone"(%m) : (memref<2xf32>) -> tensor<2xf32> return }', 'gives no memref', [memref([2], new Float32Array(2))]],
    ['an allocation of a tensor as a buffer', 'func.func @f() { %0 = "bufferization.alloc_tensor"() {operandSegmentSizes = array<i32: 0, 0, 0>} : () -> memref<2xf32> return }', 'gives no tensor'],
    ['a deallocation of a number', 'func.func @f(%x: f32) { "memref.dealloc"(%x) : (f32) -> () return }', 'deallocates what is no buffer', [1]],
    ['a deallocation of a tensor', 'func.func @f(%t: tensor<2xf32>) { "memref.dealloc"(%t) : (tensor<2xf32>) -> () return }', 'deallocates what is no buffer', [floats(2)]],
    ['a global of a tensor', '"memref.global"() {sym_name = "g", type = tensor<2xf32>} : () -> () func.func @f() { %0 = memref.get_global @g : memref<2xf32> return }', 'is no memref'],
    ['a call of other results', 'func.func @g() -> f32 { %0 = arith.constant 1.0 : f32 return %0 : f32 } func.func @f() { "func.call"() {callee = @g} : () -> () return }', 'takes 0 of 1 results'],
    ['a structured operation without a body', `func.func @f(%o: tensor<2xf32>) { %0 = "linalg.generic"(%o) ({ }) {indexing_maps = [${id}], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2xf32>) -> tensor<2xf32> return }`, 'has no body', [floats(2)]],
    ['a structured operation with an empty body', `func.func @f(%o: tensor<2xf32>) { %0 = "linalg.generic"(%o) ({ ^bb0(%x: f32): }) {indexing_maps = [${id}], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2xf32>) -> tensor<2xf32> return }`, 'has an empty body', [floats(2)]],
    ['a structured operation that yields too little', `func.func @f(%o: tensor<2xf32>) { %0 = "linalg.generic"(%o) ({ ^bb0(%x: f32): linalg.yield }) {indexing_maps = [${id}], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2xf32>) -> tensor<2xf32> return }`, 'does not yield one value for each output', [floats(2)]],
    ['a structured operation of other results', `func.func @f(%o: tensor<2xf32>) { "linalg.generic"(%o) ({ ^bb0(%x: f32): linalg.yield %x : f32 }) {indexing_maps = [${id}], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>} : (tensor<2xf32>) -> () return }`, 'has 0 results for 1 output tensors', [floats(2)]],
    ['a block without operations', 'func.func @f() { "scf.execute_region"() ({ ^bb0: }) : () -> () return }', 'has a block without a terminator'],
    ['a missing result', 'func.func @f(%a: f32) { "arith.addf"(%a, %a) : (f32, f32) -> () return }', 'has no result', [1]],
    ['a missing region', 'func.func @f(%a: index) { "scf.for"(%a, %a, %a) : (index, index, index) -> () return }', 'has no region 0', [1]],
    ['an empty region', 'func.func @f() { "scf.execute_region"() ({ }) : () -> () return }', 'has a region without blocks'],
    ['a missing attribute', 'func.func @f() { %0 = "memref.get_global"() : () -> memref<2xf32> return }', "has no valid attribute 'name'"],
    ['a name that no buffer has', 'func.func @f() { %0 = memref.get_global @g : memref<2xf32> return }', 'names @g, which is no memref.global'],
    ['a load of another rank', 'func.func @f(%m: memref<2x2xf32>, %i: index) { %0 = "memref.load"(%m, %i) : (memref<2x2xf32>, index) -> f32 return }', 'has 1 indices for a rank of 2', [memref([2, 2], new Float32Array(4)), 0]],
    ['an extraction of another rank', 'func.func @f(%t: tensor<2x2xf32>, %i: index) { %0 = "tensor.extract"(%t, %i) : (tensor<2x2xf32>, index) -> f32 return }', 'has 1 indices for a rank of 2', [floats(2, 2), 0]],
    ['an insertion of another rank', 'func.func @f(%t: tensor<2x2xf32>, %i: index, %x: f32) { %0 = "tensor.insert"(%x, %t, %i) : (f32, tensor<2x2xf32>, index) -> tensor<2x2xf32> return }', 'has 1 indices for a rank of 2', [floats(2, 2), 0, 1]],
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
    ['interpreter/division-by-zero', 'func.func @f(%a: index) { %0:2 = affine.delinearize_index %a into (%a, %a) : index, index return }', 'has a basis of 0', [0]],
    ['interpreter/division-by-zero', 'func.func @f(%a: index) { %0 = affine.apply affine_map<(d0)[s0] -> (7 ceildiv s0 + d0)>(%a)[%a] return }', 'divides by -2 in its map', [-2]],
    ['interpreter/overflow', 'func.func @f(%a: index) { %0 = affine.apply affine_map<(d0) -> (d0 mod 7)>(%a) return }', 'divides an index beyond 2^52: -4503599627370497', [-(2 ** 52) - 1]],
    ['interpreter/overflow', 'func.func @f(%a: index) { %0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%a) return }', 'gives an index beyond 2^53', [2 ** 52]],
    ['interpreter/overflow', 'func.func @f(%a: f32) { %0 = arith.fptosi %a : f32 to i64 return }', 'converts Infinity, which i64 does not hold', [Infinity]],
    ['interpreter/zero-step', 'func.func @f(%a: index) { affine.for %i = 0 to 5 step 1 { } scf.for %i = %a to %a step %a { } return }', 'has the step -3', [-3]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: index) { %0 = tensor.empty(%a) : tensor<?x2xf32> return }', "'tensor.empty' has a negative size: -1x2", [-1]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: index, %t: tensor<4xf32>) { %0 = tensor.extract_slice %t[0] [%a] [1] : tensor<4xf32> to tensor<?xf32> return }', 'has the negative size -1', [-1, floats(4)]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: index, %t: tensor<4xf32>) { %c = arith.constant 0.0 : f32 %0 = tensor.pad %t low[%a] high[0] { ^bb0(%i: index): tensor.yield %c : f32 } : tensor<4xf32> to tensor<?xf32> return }', 'has a negative padding', [-1, floats(4)]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: index, %t: tensor<4xf32>) { %c = arith.constant 0.0 : f32 %0 = tensor.pad %t low[0] high[%a] { ^bb0(%i: index): tensor.yield %c : f32 } : tensor<4xf32> to tensor<?xf32> return }', 'has a negative padding', [-1, floats(4)]],
    ['interpreter/shape-mismatch', 'func.func @f(%t: tensor<?xf32>) { %c = arith.constant 0.0 : f32 %0 = tensor.pad %t low[1] high[0] { ^bb0(%i: index): tensor.yield %c : f32 } : tensor<?xf32> to tensor<4xf32> return }', "'tensor.pad' has a value of 5 for tensor<4xf32>", [floats(4)]],
    ['interpreter/shape-mismatch', 'func.func @f(%t: tensor<?xf32>) { %0 = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32> return }', "'tensor.concat' has a value of 8 for tensor<4xf32>", [floats(4)]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: index, %t: tensor<?xf32>) { %0 = tensor.expand_shape %t [[0, 1]] output_shape [2, %a] : tensor<?xf32> into tensor<2x?xf32> return }', 'has a source of 4 for 2x3', [3, floats(4)]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: index, %s: tensor<?xf32>, %t: tensor<4xf32>) { %0 = tensor.insert_slice %s into %t[0] [%a] [1] : tensor<?xf32> into tensor<4xf32> return }', 'has a source of 2 for 3', [3, floats(2), floats(4)]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: index, %m: memref<?xf32>) { %0 = memref.expand_shape %m [[0, 1]] output_shape [2, %a] : memref<?xf32> into memref<2x?xf32> return }', 'expands 4 elements to 2x3', [3, memref([4], new Float32Array(4))]],
    ['interpreter/shape-mismatch', 'func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) { memref.copy %a, %b : memref<?xf32> to memref<?xf32> return }', "'memref.copy' copies 4 to 2", [memref([4], new Float32Array(4)), memref([2], new Float32Array(2))]],
    ['interpreter/unknown-function', 'func.func @f() { call @g() : () -> () return }', 'calls @g, which is not there'],
    ['interpreter/assertion', 'func.func @f(%c: i1) { cf.assert %c, "no" return }', "'cf.assert' failed: no", [0]],
    ['interpreter/division-by-zero', 'func.func @f(%a: i32) { %0 = arith.remsi %a, %a : i32 return }', 'divides 0 by zero', [0]],
    ['interpreter/overflow', 'func.func @f(%a: i8, %b: i8) { %0 = arith.divsi %a, %b : i8 return }', 'divides -128 by -1, which i8 does not hold', [-128, -1]],
    ['interpreter/overflow', 'func.func @f(%a: i64, %b: i64) { %0 = arith.floordivsi %a, %b : i64 return }', 'which i64 does not hold', [-(2n ** 63n), -1n]],
    ['interpreter/overflow', 'func.func @f(%a: index) { %0 = arith.divsi %a, %a : index return }', 'divides an index beyond 2^52: 4503599627370497', [2 ** 52 + 1]],
    ['interpreter/overflow', 'func.func @f(%a: f32) { %0 = arith.fptosi %a : f32 to i8 return }', 'converts 128, which i8 does not hold', [128]],
    ['interpreter/zero-step', 'func.func @f(%a: index) { scf.for %i = %a to %a step %a { } return }', 'has the step 0, which is not positive', [0]],
    ['interpreter/zero-step', 'func.func @f(%a: index) { scf.parallel (%i) = (%a) to (%a) step (%a) { scf.reduce } return }', 'has the step 0, which is not positive', [0]],
    ['interpreter/zero-step', 'func.func @f(%a: index) { scf.parallel (%i) = (%a) to (%a) step (%a) { scf.reduce } return }', 'has the step -1, which is not positive', [-1]],
    ['interpreter/out-of-bounds', 'func.func @f(%m: memref<4xf32>, %i: index) { %0 = memref.load %m[%i] : memref<4xf32> return }', '[4]', [memref([4], new Float32Array(4)), 4]],
  ])('%s', (code, text, message, values) => {
    expect(trapOf(text, values)).toEqual([code, expect.stringContaining(message)]);
  }); // prettier-ignore

  it('but not an assertion that holds', () => {
    expect(trapOf('func.func @f(%c: i1) { cf.assert %c, "no" return }', [1])[0]).toBe('success');
  });
});
