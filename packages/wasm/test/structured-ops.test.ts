import { describe, expect, it } from 'vitest';
import { buffersAfter } from './differential.ts';

/** `@f` with one operation on its arguments. */
const functionOf = (types: readonly string[], operation: string): string =>
  `func.func @f(${types.map((type, i) => `%${i}: memref<${type}>`).join(', ')}) {
    ${operation}
    return
  }`;

/** A named operation: inputs, outputs. */
const named = (name: string, inputs: readonly string[], output: string, attributes = ''): string => {
  const operands = inputs.map((_, i) => `%${i}`).join(', ');
  const types = inputs.map((type) => `memref<${type}>`).join(', ');
  return functionOf(
    [...inputs, output],
    `linalg.${name} ${attributes} ins(${operands} : ${types}) outs(%${inputs.length} : memref<${output}>)`,
  );
};

const same = (text: string): void => {
  const { onWasm, interpreted } = buffersAfter(text);
  expect(onWasm).toEqual(interpreted);
};

describe('named operations, as the interpreter runs them', () => {
  it.each([
    ['add', ['3x5xf32', '3x5xf32'], '3x5xf32'],
    ['sub', ['7xf64', '7xf64'], '7xf64'],
    ['mul', ['5xi8', '5xi8'], '5xi8'],
    ['max', ['5xi16', '5xi16'], '5xi16'],
    ['negf', ['9xf32'], '9xf32'],
    ['abs', ['9xf32'], '9xf32'],
    ['ceil', ['9xf64'], '9xf64'],
    ['sqrt', ['9xf32'], '9xf32'],
    ['copy', ['2x3xi64'], '2x3xi64'],
    ['matmul', ['3x5xf32', '5x4xf32'], '3x4xf32'],
    ['matmul', ['3x5xi8', '5x4xi8'], '3x4xi32'],
    ['matmul', ['3x0xf32', '0x4xf32'], '3x4xf32'],
    ['batch_matmul', ['2x3x4xf64', '2x4x5xf64'], '2x3x5xf64'],
    ['matvec', ['3x5xi32', '5xi32'], '3xi32'],
    ['dot', ['9xf32', '9xf32'], 'f32'],
    ['dot', ['4xi1', '4xi1'], 'i1'],
    ['conv_2d_nhwc_hwcf', ['1x5x6x2xf32', '2x3x2x3xf32'], '1x4x4x3xf32'],
    ['conv_1d', ['9xi64', '3xi64'], '7xi64'],
    ['depthwise_conv_2d_nhwc_hwc', ['1x4x4x3xf32', '2x2x3xf32'], '1x3x3x3xf32'],
    ['pooling_nhwc_max', ['1x4x4x2xf32', '2x2xf32'], '1x3x3x2xf32'],
    ['pooling_nhwc_min', ['1x4x4x2xi8', '2x2xi8'], '1x3x3x2xi8'],
    ['pooling_nhwc_max_unsigned', ['1x4x4x2xi16', '2x2xi16'], '1x3x3x2xi16'],
    ['pooling_nchw_sum', ['1x2x4x4xf64', '2x2xf64'], '1x2x3x3xf64'],
  ])('linalg.%s of %j into %s', (name, inputs, output) => {
    same(named(name, inputs, output));
  });

  it.each([
    ['fill', '%c = arith.constant 2.5 : f32 linalg.fill ins(%c : f32) outs(%0 : memref<3x5xf32>)', ['3x5xf32']],
    ['transpose', 'linalg.transpose ins(%0 : memref<3x5xi16>) outs(%1 : memref<5x3xi16>) permutation = [1, 0]', ['3x5xi16', '5x3xi16']],
    ['broadcast', 'linalg.broadcast ins(%0 : memref<5xi64>) outs(%1 : memref<3x5xi64>) dimensions = [0]', ['5xi64', '3x5xi64']],
    ['reduce', `linalg.reduce ins(%0 : memref<3x5xf32>) outs(%1 : memref<5xf32>) dimensions = [0]
      (%x: f32, %y: f32) { %s = arith.maximumf %x, %y : f32 linalg.yield %s : f32 }`, ['3x5xf32', '5xf32']],
    ['map', `linalg.map ins(%0, %1 : memref<9xf32>, memref<9xf32>) outs(%2 : memref<9xf32>)
      (%x: f32, %y: f32) { %s = arith.subf %x, %y : f32 linalg.yield %s : f32 }`, ['9xf32', '9xf32', '9xf32']],
    ['map without inputs', `linalg.map outs(%0 : memref<3xindex>) () { %i = linalg.index 0 : index linalg.yield %i : index }`, ['3xindex']],
  ])('linalg.%s', (_, operation, types) => {
    same(functionOf(types, operation));
  }); // prettier-ignore
});

/** A generic with maps, iterators, arguments and a body. */
const generic = (
  types: readonly string[],
  inputs: number,
  maps: readonly string[],
  iterators: string,
  body: string,
): string => {
  const kinds = Array.from(iterators, (kind) => (kind === 'p' ? '"parallel"' : '"reduction"'));
  const list = (from: number, to: number): string =>
    `${types.slice(from, to).map((_, i) => `%${from + i}`).join(', ')} : ${types.slice(from, to).map((type) => `memref<${type}>`).join(', ')}`; // prettier-ignore
  const elements = types.map((type, i) => `%${'abcdefgh'[i]!}: ${type.replace(/^(\d+x)*/, '')}`);
  return functionOf(
    types,
    `linalg.generic {indexing_maps = [${maps.map((map) => `affine_map<${map}>`).join(', ')}], iterator_types = [${kinds.join(', ')}]}
      ${inputs === 0 ? '' : `ins(${list(0, inputs)})`} outs(${list(inputs, types.length)}) {
      ^bb0(${elements.join(', ')}):
        ${body}
    }`,
  );
};

describe('generic operations, as the interpreter runs them', () => {
  it.each([
    ['offset and reversed', ['9xf32', '5xf32', '4xf32'], 2, ['(d0) -> (d0 + 3)', '(d0) -> (4 - d0)', '(d0) -> (d0)'], 'p', '%s = arith.addf %a, %b : f32 linalg.yield %s : f32'],
    ['strided', ['9xf32', '4xf32'], 1, ['(d0) -> (d0 * 2)', '(d0) -> (d0)'], 'p', 'linalg.yield %a : f32'],
    ['rounded', ['4x3xf32', '12xf32'], 1, ['(d0) -> (d0 floordiv 3, d0 mod 3)', '(d0) -> (d0)'], 'p', 'linalg.yield %a : f32'],
    ['two results, one transposed', ['3x5xf32', '3x5xf32', '5x3xf32'], 1, ['(d0, d1) -> (d0, d1)', '(d0, d1) -> (d0, d1)', '(d0, d1) -> (d1, d0)'], 'pp', '%s = arith.addf %a, %b : f32 linalg.yield %s, %a : f32, f32'],
    ['two results of two types', ['5xi8', '5xi32', '5xi1'], 1, ['(d0) -> (d0)', '(d0) -> (d0)', '(d0) -> (d0)'], 'p', '%s = arith.extui %a : i8 to i32 %t = arith.cmpi slt, %s, %b : i32 linalg.yield %s, %t : i32, i1'],
    ['a reduction with a result for each row', ['3x5xf64', '3xf64', '3xf64'], 1, ['(d0, d1) -> (d0, d1)', '(d0, d1) -> (d0)', '(d0, d1) -> (d0)'], 'pr', '%s = arith.addf %a, %b : f64 %t = arith.minimumf %a, %c : f64 linalg.yield %s, %t : f64, f64'],
    ['rank 0', ['f32', 'f32'], 1, ['() -> ()', '() -> ()'], '', '%s = arith.mulf %a, %b : f32 linalg.yield %s : f32'],
    ['zero extents', ['0x4xf32', '4xf32'], 1, ['(d0, d1) -> (d0, d1)', '(d0, d1) -> (d1)'], 'rp', '%s = arith.addf %a, %b : f32 linalg.yield %s : f32'],
    ['the last point wins', ['4x5xf32', '5xf32'], 1, ['(d0, d1) -> (d0, d1)', '(d0, d1) -> (d1)'], 'rp', 'linalg.yield %a : f32'],
    ['indices', ['3x4xindex'], 0, ['(d0, d1) -> (d0, d1)'], 'pp', '%i = linalg.index 0 : index %j = linalg.index 1 : index %k = arith.subi %j, %i : index %l = arith.muli %k, %k : index linalg.yield %l : index'],
    ['gathered', ['3xf32', '5xf32'], 0, ['(d0) -> (d0)', '(d0) -> (d0 + 1)'], 'p', '%i = linalg.index 0 : index %x = memref.load %1[%i] : memref<5xf32> linalg.yield %x, %x : f32, f32'],
    ['branches', ['6xi32', '6xi32'], 1, ['(d0) -> (d0)', '(d0) -> (d0)'], 'p', '%z = arith.constant 0 : i32 %c = arith.cmpi sgt, %a, %z : i32 %r = scf.if %c -> (i32) { %m = arith.muli %a, %b : i32 scf.yield %m : i32 } else { scf.yield %z : i32 } linalg.yield %r : i32'],
  ])('%s', (_, types, inputs, maps, iterators, body) => {
    same(generic(types, inputs, maps, iterators, body));
  }); // prettier-ignore
});

describe('copies', () => {
  it.each([
    ['a strided part', 'memref<3x2xf32, strided<[10, 2], offset: 1>>', '[0, 1] [3, 2] [2, 2]', '6x5xf32'],
    ['rows', 'memref<2x5xf32, strided<[5, 1], offset: 5>>', '[1, 0] [2, 5] [1, 1]', '6x5xf32'],
    ['nothing', 'memref<0x5xf32, strided<[5, 1], offset: 5>>', '[1, 0] [0, 5] [1, 1]', '6x5xf32'],
  ])('memref.copy of %s', (_, view, slice, whole) => {
    const [rows, columns] = /<(\d)x(\d)/.exec(view)!.slice(1);
    const flat = `memref<${rows}x${columns}xf32>`;
    same(`func.func @f(%0: memref<${whole}>, %1: ${flat}) {
      %v = memref.subview %0${slice} : memref<${whole}> to ${view}
      memref.copy %v, %1 : ${view} to ${flat}
      return
    }`);
    same(`func.func @f(%0: memref<${whole}>, %1: ${flat}) {
      %v = memref.subview %0${slice} : memref<${whole}> to ${view}
      memref.copy %1, %v : ${flat} to ${view}
      return
    }`);
  });
});

it('constants of every type are as they are written', () => {
  const types = ['f32', 'f64', 'i1', 'i8', 'i16', 'i32', 'i64', 'index'];
  const literal = (type: string): string =>
    type === 'i1' ? '[true, false, true]' : type.startsWith('f') ? '[1.5, -2.0, 3.0]' : '[1, -2, 3]';
  const globals = types.map(
    (type) => `memref.global "private" constant @${type} : memref<3x${type}> = dense<${literal(type)}>
    memref.global "private" constant @splat_${type} : memref<3x${type}> = dense<${literal(type).slice(1).split(',')[0]!}>`,
  );
  const copies = types.flatMap((type, i) =>
    [type, `splat_${type}`].map(
      (name, k) => `%g${i}_${k} = memref.get_global @${name} : memref<3x${type}>
        memref.copy %g${i}_${k}, %${2 * i + k} : memref<3x${type}> to memref<3x${type}>`,
    ),
  );
  same(
    `${globals.join('\n')}\n${functionOf(
      types.flatMap((type) => [`3x${type}`, `3x${type}`]),
      copies.join('\n'),
    )}`,
  );
});
