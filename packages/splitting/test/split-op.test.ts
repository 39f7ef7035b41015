import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { bodyOf, children, printType } from '@sconv/ir';
import { schedule } from '@sconv/transform';
import { scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { split, transforms } from '../src/transforms.ts';

/** Also checks that each payload still computes the same. */
const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const param = '!transform.param<i64>';
const match = (op: string): string =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}\n`;
const splitAfter = (point: number | string, attributes: string, op = 'linalg.generic'): string =>
  `${match(op)}%low, %high = transform.structured.split %op after ${point} {${attributes}} : ${any}`;
const params = (...values: readonly number[]): string =>
  `${values.map((value, i) => `%p${i} = transform.param.constant ${value} : i64 -> ${param}\n`).join('')}%points = transform.merge_handles ${values.map((_, i) => `%p${i}`).join(', ')} : ${param}\n`;

const sum = (type: string, body = '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32'): string =>
  genericPayload({
    iterators: ['parallel', 'reduction'],
    inputs: [{ map: 'd0, d1', type: `tensor<${type}xi32>` }],
    outputs: [{ map: 'd0', type: `tensor<${type.split('x')[0]!}xi32>` }],
    body,
  });

/** A table read at a remainder of the second dimension, whose size is dynamic. */
const remainders = genericPayload({
  iterators: ['parallel', 'parallel'],
  inputs: [
    { map: 'd1 mod 2, d0', type: 'tensor<2x4xi32>' },
    { map: 'd0, d1', type: 'tensor<4x?xi32>' },
  ],
  outputs: [{ map: 'd0, d1', type: 'tensor<4x?xi32>' }],
  body: '%s = arith.addi %x0, %x1 : i32\nlinalg.yield %s : i32',
});

/** A sum of 2x`size` elements that is doubled before each is added, so that their order matters; and an unknown size. */
const doubling = (size: string): string =>
  genericPayload({
    iterators: ['reduction', 'reduction'],
    inputs: [{ map: 'd0, d1', type: `tensor<2x${size}xi32>` }],
    outputs: [{ map: '', type: 'tensor<i32>' }],
    body: '%d = arith.addi %y0, %y0 : i32\n%s = arith.addi %d, %x0 : i32\nlinalg.yield %s : i32',
  }).replace(
    '{\n',
    `{\n%c1 = arith.constant 1 : index\n%size = tensor.dim %a0, %c1 : tensor<2x${size}xi32>\n`,
  );

const indexed = `%i = linalg.index 1 : index
%j = arith.index_cast %i : index to i32
%s = arith.addi %y0, %j : i32
linalg.yield %s : i32`;

const buffers = `func.func @f(%a: memref<?x6xf32>, %b: memref<6x5xf32>, %c: memref<?x5xf32>) {
  linalg.matmul ins(%a, %b : memref<?x6xf32>, memref<6x5xf32>) outs(%c : memref<?x5xf32>)
  return
}`;

const convolution = `func.func @f(%x: tensor<1x2x9x7xf32>, %k: tensor<3x2x3x3xf32>, %o: tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32> {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x2x9x7xf32>, tensor<3x2x3x3xf32>) outs(%o : tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32>
  return %0 : tensor<1x3x4x3xf32>
}`;

/** A vector and its half, which the payload computes. */
const halved = `func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %a, %c0 : tensor<?xf32>
  %c2 = arith.constant 2 : index
  %half = arith.ceildivsi %size, %c2 : index
  %0 = linalg.negf ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}`;

/** Two vectors of the given lengths. */
const two = (lengths: readonly number[]): string =>
  lengths
    .map(
      (n, i) => `func.func @f${i}(%a: tensor<${n}xf32>, %b: tensor<${n}xf32>) -> tensor<${n}xf32> {
  %0 = linalg.negf ins(%a : tensor<${n}xf32>) outs(%b : tensor<${n}xf32>) -> tensor<${n}xf32>
  return %0 : tensor<${n}xf32>
}`,
    )
    .join('\n');

const counted = (text: string, op: string): number => text.split(`${op} ins`).length - 1;

/** `extent` sums, split where a dynamic size of 4 says: each reads two elements, or the same twice, as `map` says. */
const strided = (map: string, input: number, extent: number): string =>
  `func.func @f(%n: memref<?xi32>, %a: tensor<${input}xi32>, %b: tensor<2xi32>, %o: tensor<${extent}xi32>) -> tensor<${extent}xi32> {
  %c0 = arith.constant 0 : index
  %size = memref.dim %n, %c0 : memref<?xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (${map})>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<${input}xi32>, tensor<2xi32>) outs(%o : tensor<${extent}xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %p = arith.muli %x, %y : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<${extent}xi32>
  return %0 : tensor<${extent}xi32>
}`;

describe('a part that is empty when it runs', () => {
  it.each([
    ['d0 * 3', 1, 1, true],
    ['d0 * 3', 10, 4, true],
    ['d0 * 4 + d1', 6, 2, true],
    // The windows of an empty part are not less than nothing.
    ['d0 + d1', 4, 3, false],
    ['d0 * 2 + d1', 8, 4, false],
  ])('has no size below 0 of an operand read at %s, of %d elements', (map, input, extent, isClamped) => {
    const script = `${match('linalg.generic')}%point = transform.structured.match ops{["memref.dim"]} in %root : (${any}) -> ${any}
%low, %high = transform.structured.split %op after %point {dimension = 0 : i64} : ${any}, ${any}`;
    const { text, diagnostics } = apply(strided(map, input, extent), script);
    expect(diagnostics).toBe('');
    expect(text.includes('affine.max')).toBe(isClamped);
  });
});

describe('transform.structured.split', () => {
  it.each([
    ['a sum, across what is summed', sum('4x6'), 'linalg.generic', 'dimension = 1', 2],
    ['a sum, along what it gives', sum('4x6'), 'linalg.generic', 'dimension = 0', 2],
    ['unknown sizes', sum('?x?'), 'linalg.generic', 'dimension = 1', 2],
    ['a body that asks for the index', sum('4x6', indexed), 'linalg.generic', 'dimension = 1', 2],
    ['buffers', buffers, 'linalg.matmul', 'dimension = 0', 2],
    ['a convolution with strides', convolution, 'linalg.conv_2d_nchw_fchw', 'dimension = 2', 2],
    ['its filters', convolution, 'linalg.conv_2d_nchw_fchw', 'dimension = 1', 2],
    [
      'a remainder in a dimension of unknown size that is not cut',
      remainders,
      'linalg.generic',
      'dimension = 0',
      2,
    ],
  ])('keeps what is computed: %s', (_, payload, op, attributes, parts) => {
    const { diagnostics, text } = apply(payload, splitAfter(2, attributes, op));
    expect(diagnostics).toBe('');
    const ops = op === 'linalg.generic' ? text.split('linalg.generic').length - 1 : text.split(op).length - 1;
    expect(ops).toBe(parts);
  });

  it.each([
    [sum('4x6'), 6, 'dimension = 1', '6 is the end of dimension 1, whose extent is 6'],
    [sum('4x6'), 200, 'dimension = 1', '200 is behind the end of dimension 1, whose extent is 6'],
    [sum('1x6'), 2, 'dimension = 0', '2 is behind the end of dimension 0, whose extent is 1'],
    [sum('0x6'), 2, 'dimension = 0', '2 is behind the end of dimension 0, whose extent is 0'],
    [sum('4x6'), 9, 'dimension = 0, multiway', '9 is behind the end of dimension 0, whose extent is 4'],
  ])('warns where the point is not inside', (payload, point, attributes, reason) => {
    const { diagnostics, text } = apply(payload, splitAfter(point, attributes));
    expect(diagnostics).toContain(`warning: nothing is split: ${reason} [split/beyond-extent]`);
    expect(text.split('linalg.generic')).toHaveLength(2);
    expect(text).not.toContain('extract_slice');
  });

  it('says nothing where a parameter is the extent: the second part may be empty', () => {
    const script = `${match('linalg.negf')}${params(8)}%low, %high = transform.structured.split %op after %points {dimension = 0} : ${any}, ${param}`;
    expect(apply(two([8]), script).diagnostics).toBe('');
  });

  it('leaves an op as it is where the point is not inside, and has no second part', () => {
    const script = `${splitAfter(6, 'dimension = 1')}
transform.annotate %low "first" : ${any}
transform.annotate %high "second" : ${any}`;
    const { diagnostics, text } = apply(sum('4x6'), script);
    expect(diagnostics).toContain('[split/beyond-extent]');
    expect(text).not.toContain('extract_slice');
    expect(text).toContain('{first}');
    expect(text).not.toContain('second');
  });

  it('splits where an operation of the payload says', () => {
    const script = `${match('linalg.negf')}%half = transform.structured.match ops{["arith.ceildivsi"]} in %root : (${any}) -> ${any}
%low, %high = transform.structured.split %op after %half {dimension = 0} : ${any}, ${any}`;
    const { diagnostics, text } = apply(halved, script);
    expect(diagnostics).toBe('');
    expect(text).toContain('affine.min');
    expect(counted(text, 'linalg.negf')).toBe(2);
  });

  it('splits each target where its parameter says', () => {
    const script = `${match('linalg.negf')}${params(2, 5)}%low, %high = transform.structured.split %op after %points {dimension = 0} : ${any}, ${param}`;
    const { diagnostics, text } = apply(two([8, 8]), script);
    expect(diagnostics).toBe('');
    expect([...text.matchAll(/outs.* -> tensor<(\d+)xf32>/g)].map(([, size]) => size)).toEqual([
      '2',
      '6',
      '5',
      '3',
    ]);
  });

  it.each([
    [
      [2, 3],
      ['2', '3', '3'],
    ],
    [
      [2, 6],
      ['2', '6'],
    ],
    // Nothing of 8 remains after 4 and 4, so the 9 splits nothing.
    [
      [4, 4, 9],
      ['4', '4'],
    ],
    [[8, 1], ['8']],
  ])('splits one target after %j more iterations each', (points, sizes) => {
    const script = `${match('linalg.negf')}${params(...points)}%parts, %none = transform.structured.split %op after %points {dimension = 0, multiway} : ${any}, ${param}
transform.annotate %parts "part" : ${any}`;
    const { diagnostics, text } = apply(two([8]), script);
    expect(diagnostics).toBe('');
    const found = [...text.matchAll(/\{part\}.* -> tensor<(\d+)xf32>/g)].map(([, size]) => size);
    expect(found).toEqual(sizes);
  });

  it.each([
    ['split/not-structured', sum('4x6'), splitAfter(1, 'dimension = 0', 'func.func')],
    ['split/dimension-overflow', sum('4x6'), splitAfter(1, 'dimension = 2')],
    ['split/point', sum('4x6'), splitAfter(0, 'dimension = 0')],
    ['split/point', sum('?x6'), splitAfter(-1, 'dimension = 0')],
    [
      'split/points',
      two([8, 8]),
      `${match('linalg.negf')}${params(2)}%low, %high = transform.structured.split %op after %points {dimension = 0} : ${any}, ${param}`,
    ],
    [
      'split/point-result',
      halved,
      `${match('linalg.negf')}%two = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
%low, %high = transform.structured.split %op after %two {dimension = 0} : ${any}, ${any}`,
    ],
    ['split/targets', two([8, 8]), splitAfter(2, 'dimension = 0, multiway', 'linalg.negf')],
    ['split/no-second', two([8, 2]), splitAfter(2, 'dimension = 0', 'linalg.negf')],
    [
      'tile/unsound-slice',
      genericPayload({
        iterators: ['parallel'],
        inputs: [{ map: 'd0 mod 3', type: 'tensor<3xf32>' }],
        outputs: [{ map: 'd0', type: 'tensor<4xf32>' }],
      }),
      splitAfter(2, 'dimension = 0'),
    ],
    ['tile/order', doubling('6'), splitAfter(2, 'dimension = 1')],
    ['tile/order', doubling('?'), splitAfter(8, 'dimension = 1')],
    [
      'tile/order',
      doubling('6'),
      `${match('tensor.dim')}%g = transform.structured.match ops{["linalg.generic"]} in %root : (${any}) -> ${any}
%low, %high = transform.structured.split %g after %op {dimension = 1} : ${any}, ${any}`,
    ],
  ])('refuses with %s: %#', (code, payload, script) => {
    expect(apply(payload, script).diagnostics).toContain(`[${code}]`);
  });

  it('is not exact in many parts', () => {
    expect(() =>
      scriptPrinter(transforms)(
        `%f, %s = transform.structured.split %root after 4 {dimension = 1 : i64, exact, multiway} : ${any}`,
      ),
    ).toThrow('expects an exact split to be in two');
  });
});

it('is recorded with parts that are of the same name as the target', () => {
  const { module } = schedule(($) => {
    split({ target: $.match('linalg.generic') }, { dimension: 0, staticChunkSizes: 2 });
  });
  const { operations } = bodyOf(children(module.root)[0]!);
  const recorded = operations.find(({ name }) => name === 'transform.structured.split')!;
  const generic = '!transform.op<"linalg.generic">';
  expect(recorded.results.map(({ type }) => printType(type))).toEqual([generic, generic]);
});
