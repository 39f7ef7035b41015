import { describe, expect, it } from 'vitest';
import { failureOf, instanceOf } from './emit.ts';
import { expectSame, vectorProgram } from './vector-program.ts';

const elements = ['i1', 'i8', 'i16', 'i32', 'i64', 'index', 'f32', 'f64'];

describe.each(elements)('of %s', (element) => {
  it.each(['', '1x', '3x', '4x', '17x', '2x3x', '2x1x4x'])('vector<%s…> is read and written', (shape) => {
    expectSame(
      vectorProgram(
        [`${shape}${element}`],
        `%c = arith.constant true
      %r0 = arith.select %c, %v0, %v0 : vector<${shape}${element}>`,
        [`${shape}${element}`],
      ),
    );
  });

  it.each([
    ['vector.broadcast %v0 : vector<1x3xT> to vector<2x4x3xT>', '1x3xT', '2x4x3xT'],
    ['vector.broadcast %v0 : vector<T> to vector<5xT>', 'T', '5xT'],
    ['vector.shape_cast %v0 : vector<3x4xT> to vector<2x6xT>', '3x4xT', '2x6xT'],
    ['vector.shape_cast %v0 : vector<1xT> to vector<T>', '1xT', 'T'],
    ['vector.transpose %v0, [1, 0] : vector<4x4xT> to vector<4x4xT>', '4x4xT', '4x4xT'],
    ['vector.transpose %v0, [2, 0, 1] : vector<2x3x5xT> to vector<5x2x3xT>', '2x3x5xT', '5x2x3xT'],
    ['vector.shuffle %v0, %v0 [3, 9, 0, 5, 3] : vector<5xT>, vector<5xT>', '5xT', '5xT'],
    ['vector.interleave %v0, %v0 : vector<5xT> -> vector<10xT>', '5xT', '10xT'],
    [
      'vector.extract_strided_slice %v0 {offsets = [1, 2], sizes = [2, 3], strides = [1, 1]} : vector<4x5xT> to vector<2x3xT>',
      '4x5xT',
      '2x3xT',
    ],
    [
      'vector.insert_strided_slice %v1, %v0 {offsets = [1, 2], strides = [1]} : vector<3xT> into vector<2x6xT>',
      '2x6xT 3xT',
      '2x6xT',
    ],
    ['vector.extract %v0[1] : vector<5xT> from vector<3x5xT>', '3x5xT', '5xT'],
    ['vector.extract %v0[%c1] : vector<5xT> from vector<3x5xT>', '3x5xT', '5xT'],
    ['vector.extract %v0[%c1, 2] : T from vector<3x5xT>', '3x5xT', 'number T'],
    ['vector.extractelement %v0[%c3 : index] : vector<5xT>', '5xT', 'number T'],
    ['vector.insert %v1, %v0[2] : vector<3xT> into vector<3x3xT>', '3x3xT 3xT', '3x3xT'],
    ['vector.insert %v1, %v0[%c1] : vector<3xT> into vector<3x3xT>', '3x3xT 3xT', '3x3xT'],
  ])('%s', (operation, given, result) => {
    const of = (text: string): string => text.replaceAll(/\bT\b|(?<=x)T\b/g, element);
    expectSame(vectorProgram(of(given).split(' '), `%r0 = ${of(operation)}`, [of(result)]));
  });

  it('numbers become vectors, and vectors numbers', () => {
    expectSame(
      vectorProgram(
        [`3x${element}`],
        `%a = vector.extract %v0[0] : ${element} from vector<3x${element}>
         %b = vector.extractelement %v0[%c2 : index] : vector<3x${element}>
         %r0 = vector.from_elements %a, %b, %b, %a, %b : vector<5x${element}>
         %r1 = vector.splat %b : vector<2x3x${element}>
         %r2 = vector.broadcast %a : ${element} to vector<5x${element}>
         %r3 = vector.insert %b, %v0[%c1] : ${element} into vector<3x${element}>
         %r4 = vector.insertelement %b, %v0[%c0 : index] : vector<3x${element}>`,
        ['5x', '2x3x', '5x', '3x', '3x'].map((shape) => `${shape}${element}`),
      ),
    );
  });
});

it.each([
  ['dense<[1.5, -0.0, 3.0, 4.0, 1.0e30]> : vector<5xf32>', '5xf32'],
  ['dense<0.1> : vector<5xf64>', '5xf64'],
  ['dense<[[1, -2, 3], [-128, 127, 0]]> : vector<2x3xi8>', '2x3xi8'],
  ['dense<-9223372036854775807> : vector<3xi64>', '3xi64'],
  ['dense<[true, false, true]> : vector<3xi1>', '3xi1'],
  ['dense<true> : vector<33xi1>', '33xi1'],
  ['dense<7> : vector<index>', 'index'],
])('arith.constant %s', (constant, type) => {
  expectSame(vectorProgram([], `%r0 = arith.constant ${constant}`, [type]));
});

it.each([
  ['vector.create_mask %c2 : vector<5xi1>', '5xi1'],
  ['vector.create_mask %c2, %c3 : vector<3x5xi1>', '3x5xi1'],
  ['vector.create_mask %c0, %c3 : vector<3x5xi1>', '3x5xi1'],
  ['vector.create_mask %c1 : vector<i1>', 'i1'],
  ['vector.constant_mask [2, 3] : vector<3x5xi1>', '3x5xi1'],
  ['vector.step : vector<6xindex>', '6xindex'],
])('%s', (operation, type) => {
  expectSame(vectorProgram([], `%r0 = ${operation}`, [type]));
});

it.each([
  ['4xi8', '1xi32'],
  ['3xi32', '12xi8'],
  ['3xi32', '6xi16'],
  ['2xi64', '4xi32'],
  ['3xf32', '3xi32'],
  ['6xi32', '3xf64'],
])('vector.bitcast of %s to %s', (from, to) => {
  expectSame(vectorProgram([from], `%r0 = vector.bitcast %v0 : vector<${from}> to vector<${to}>`, [to]));
});

it.each(['f16', 'bf16'])('vectors of %s have the bits that memory has', (half) => {
  const text = vectorProgram(
    ['13xi16'],
    `%h = vector.bitcast %v0 : vector<13xi16> to vector<13x${half}>
       %n = arith.negf %h : vector<13x${half}>
       %r0 = vector.bitcast %n : vector<13x${half}> to vector<13xi16>`,
    ['13xi16'],
  );
  const bits = Int16Array.from({ length: 13 }, (_, i) => i * 1000);
  const negated = new Int16Array(13);
  instanceOf(text).run('f', bits, negated);
  expect(negated).toEqual(bits.map((each) => each | 0x8000));
});

it('every other element', () => {
  const body = `%r0, %r1 = vector.deinterleave %v0 : vector<2x6xi16> -> vector<2x3xi16>`;
  expectSame(vectorProgram(['2x6xi16'], body, ['2x3xi16', '2x3xi16']));
});

it.each([
  ['too large', '4097xf32', 'a vector of 4097 elements cannot be emitted as WebAssembly: tile'],
  ['of an element type that is not compiled', '4xf80', 'a vector of f80'],
  ['scalable', '[4]xf32', 'a scalable vector'],
])('a vector that is %s is refused', (_, type, message) => {
  const text = `func.func @f() {
    %c = arith.constant dense<0.0> : vector<${type}>
    return
  }`;
  expect(failureOf(text)).toMatchObject({ code: 'wasm/unsupported', location: { line: 2 } });
  expect(failureOf(text).message).toContain(message);
});

it('a position that is one of too many is refused', () => {
  const text = `func.func @f(%m: memref<512xf32>, %i: index) -> f32 {
    %v = vector.load %m[%i] : memref<512xf32>, vector<512xf32>
    %r = vector.extractelement %v[%i : index] : vector<512xf32>
    return %r : f32
  }`;
  expect(failureOf(text).message).toContain('one of 512 positions');
});
