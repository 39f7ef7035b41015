import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleConvolution } from '@sconv/transform/testing';
import { replacementsOf } from '@sconv/transform/testing';
import { linearizeOp as linearizeOf } from '../src/index.ts';
import {
  apply,
  generalize,
  genericConvolution,
  linearize,
  matchOps,
  namedConvolution,
  nearMisses,
  printed,
  replaced,
} from './payloads.ts';

const steps = `${matchOps('linalg.conv_2d_nchw_fchw')}\n${generalize}\n${linearize('%g')}`;

const upTo = (max: number) => fc.integer({ min: 1, max });
const pair = (max: number) => fc.tuple(upTo(max), upTo(max));
const convolutions = fc
  .record({
    batch: upTo(2),
    channels: upTo(3),
    filters: upTo(3),
    filter: pair(3),
    output: pair(5),
    strides: pair(3),
    dilations: pair(3),
    slack: fc.tuple(fc.nat(2), fc.nat(2)),
  })
  .map(namedConvolution);

describe('transform.structured.linearize', () => {
  it('collapses H and W and expands the result', () => {
    expect(apply(exampleConvolution, steps).text).toMatchInlineSnapshot(`
      "module {
        func.func @conv(%arg0: tensor<1x2x7x8xf32>, %arg1: tensor<4x2x3x3xf32>, %arg2: tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32> {
          %collapsed = tensor.collapse_shape %arg2 [[0], [1], [2, 3]] : tensor<1x4x5x6xf32> into tensor<1x4x30xf32>
          %collapsed_0 = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<1x2x7x8xf32> into tensor<1x2x56xf32>
          %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, (d2 floordiv 6 + d4) * 8 + d2 mod 6 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%collapsed_0, %arg1 : tensor<1x2x56xf32>, tensor<4x2x3x3xf32>) outs(%collapsed : tensor<1x4x30xf32>) {
          ^bb0(%in: f32, %in_1: f32, %out: f32):
            %1 = arith.mulf %in, %in_1 : f32
            %2 = arith.addf %out, %1 : f32
            linalg.yield %2 : f32
          } -> tensor<1x4x30xf32>
          %expanded = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [1, 4, 5, 6] : tensor<1x4x30xf32> into tensor<1x4x5x6xf32>
          return %expanded : tensor<1x4x5x6xf32>
        }
      }
      "
    `);
  });

  it.each([
    [
      'nchw_fchw',
      '2x3x7x8',
      '4x3x3x2',
      '2x4x3x4',
      ['d0, d4, d2 * 2 + d5, d3 * 2 + d6', 'd1, d4, d5, d6', 'd0, d1, d2, d3'],
    ],
    [
      'nhwc_hwcf',
      '2x7x8x3',
      '3x2x3x4',
      '2x3x4x4',
      ['d0, d2 * 2 + d5, d3 * 2 + d6, d4', 'd5, d6, d4, d1', 'd0, d2, d3, d1'],
    ],
  ] as const)('keeps rows and columns of conv_2d_%s apart', (layout, input, filters, output, maps) => {
    const [x, f, y] = [input, filters, output].map((size) => `tensor<${size}xf32>`);
    const op = `linalg.conv_2d_${layout}`;
    const payload = `func.func @conv(%x: ${x!}, %f: ${f!}, %y: ${y!}) -> ${y!} {
  %0 = ${op} {strides = dense<2> : tensor<2xi64>} ins(%x, %f : ${x!}, ${f!}) outs(%y : ${y!}) -> ${y!}
  return %0 : ${y!}
}`;
    const apart = linearize('%g').replace('%g :', '%g {apart} :');
    const { text, diagnostics } = apply(payload, `${matchOps(op)}\n${generalize}\n${apart}`);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('_shape');
    for (const map of maps) expect(text).toContain(`(d0, d1, d2, d3, d4, d5, d6) -> (${map})>`);
  });

  it.each([
    ['of one tap', '4x5', '1x1', '4x5', 1, '(d0, d3, d2 + d4 * 5 + d5)'],
    ['of one column', '7x1', '3x1', '3x1', 2, '(d0, d3, d2 * 2 + d4 + d5)'],
  ])(
    'counts windows at equal distances without rows and columns: %s',
    (_, image, taps, windows, stride, map) => {
      const [x, f, y] = [`tensor<1x2x${image}xf32>`, `tensor<3x2x${taps}xf32>`, `tensor<1x3x${windows}xf32>`];
      const payload = `func.func @conv(%x: ${x}, %f: ${f}, %y: ${y}) -> ${y} {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<${stride}> : tensor<2xi64>} ins(%x, %f : ${x}, ${f}) outs(%y : ${y}) -> ${y}
  return %0 : ${y}
}`;
      const { text, diagnostics } = apply(payload, steps);
      expect(diagnostics).toBe('');
      expect(text).toContain(`-> ${map}>`);
    },
  );

  it.each([
    ['nhwc_hwcf', 'tensor<2x7x8x3xf32>', 'tensor<3x2x3x4xf32>', 'tensor<2x3x7x4xf32>', '(d4, d5, d3, d1)'],
    ['nhwc_fhwc', 'tensor<2x7x8x3xf32>', 'tensor<4x3x2x3xf32>', 'tensor<2x3x7x4xf32>', '(d1, d4, d5, d3)'],
  ])('keeps what conv_2d_%s computes', (layout, input, filters, output, map) => {
    const op = `linalg.conv_2d_${layout}`;
    const payload = `func.func @f(%in: ${input}, %f: ${filters}, %out: ${output}) -> ${output} {
  %0 = ${op} {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%in, %f : ${input}, ${filters}) outs(%out : ${output}) -> ${output}
  return %0 : ${output}
}`;
    const { diagnostics, text } = apply(payload, `${matchOps(op)}\n${generalize}\n${linearize('%g')}`);
    expect(diagnostics).toBe('');
    expect(text).toContain('[[0], [1, 2], [3]] : tensor<2x7x8x3xf32> into tensor<2x56x3xf32>');
    expect(text).toContain(`affine_map<(d0, d1, d2, d3, d4, d5) -> ${map}>`);
    expect(text).toContain('affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1)>');
  });

  it.each([
    ['matmul', '2x3', '3x4', '[[0], [1, 2, 3]]', '[[0, 1], [2]]', '(d1, d3, d4, d5)', '(d0, d3, d2)'],
    [
      'matmul_transpose_a',
      '3x2',
      '3x4',
      '[[0, 1, 2], [3]]',
      '[[0, 1], [2]]',
      '(d3, d4, d5, d1)',
      '(d0, d3, d2)',
    ],
    [
      'matmul_transpose_b',
      '2x3',
      '4x3',
      '[[0], [1, 2, 3]]',
      '[[0, 1], [2]]',
      '(d1, d3, d4, d5)',
      '(d0, d2, d3)',
    ],
  ])('keeps what a %s computes, whose operands change places', (name, a, b, ofA, ofB, ...maps) => {
    const [left, right, sums] = [a, b, '2x4'].map((sizes) => `tensor<${sizes}xf32>`);
    const payload = `func.func @f(%a: ${left!}, %b: ${right!}, %c: ${sums!}) -> ${sums!} {
  %0 = linalg.${name} ins(%a, %b : ${left!}, ${right!}) outs(%c : ${sums!}) -> ${sums!}
  return %0 : ${sums!}
}`;
    const { diagnostics, text } = apply(
      payload,
      `${matchOps(`linalg.${name}`)}\n${generalize}\n${linearize('%g')}`,
    );
    expect(diagnostics).toBe('');
    expect(text).toContain(`tensor.expand_shape %arg0 ${ofA}`);
    expect(text).toContain(`tensor.expand_shape %arg1 ${ofB}`);
    const [filters, input] = maps.map((map) => `affine_map<(d0, d1, d2, d3, d4, d5) -> ${map}>`);
    expect(text).toContain(`[${input!}, ${filters!}, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>]`);
    expect(text).toContain('tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x2x4xf32> into tensor<2x4xf32>');
  });

  it('refuses indices of a matrix product, all of which are numbered anew', () => {
    const maps = ['m, k', 'k, n', 'm, n'].map((map) => `affine_map<(m, n, k) -> (${map})>`).join(', ');
    const payload = `func.func @f(%a: tensor<2x3xi32>, %b: tensor<3x4xi32>, %c: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %0 = linalg.generic {indexing_maps = [${maps}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x3xi32>, tensor<3x4xi32>) outs(%c : tensor<2x4xi32>) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %product = arith.muli %x, %j : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}`;
    expect(apply(payload, `${matchOps()}\n${linearize()}`).diagnostics).toContain('[linearize/index]');
  });

  it('keeps what a convolution computes', () => {
    fc.assert(
      fc.property(convolutions, (payload) => {
        expect(apply(payload, steps)).toMatchObject({ status: 'success', diagnostics: '' });
      }),
      { numRuns: 50 },
    );
  });

  it('divides by the width of the output where it is not square, and strides rows of the input', () => {
    // 3x6 windows over an input 9 wide: row = w floordiv 6, column = w mod 6.
    const { text } = apply(genericConvolution, `${matchOps()}\n${linearize()}`);
    expect(text).toContain('(d0, d3, ((d2 floordiv 6) * 2 + d4) * 9 + d2 mod 6 + d5 * 3)');
  });

  it('keeps what somebody noted on the op', () => {
    const tagged = replaced(genericConvolution, [
      '(%out : tensor<1x4x3x6xf32>)',
      '(%out : tensor<1x4x3x6xf32>) attrs = {tag = "keep"}',
    ]);
    expect(apply(tagged, `${matchOps()}\n${linearize()}`).text).toContain('attrs =  {tag = "keep"}');
  });

  it('says that the linearised op stands for the op', () => {
    const linear = replacementsOf(genericConvolution, 'linalg.generic', linearizeOf);
    expect(linear).toMatchObject([{ name: 'linalg.generic', results: [{ type: { shape: [1, 4, 18] } }] }]);
  });

  it('gives handles to the linearised ops', () => {
    const two = `${genericConvolution}${genericConvolution.replace('@conv', '@other')}`;
    const again = `${matchOps()}
${linearize()}
%l0, %l1 = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
${linearize('%l0').replace('%l =', '%m =')}`;
    expect(apply(two, again).diagnostics).toContain('[linearize/not-a-convolution]');
  });

  const withIndex = (dimension: number) =>
    replaced(
      genericConvolution,
      [
        '%product =',
        `%i = linalg.index ${dimension} : index
%int = arith.index_cast %i : index to i32
%float = arith.sitofp %int : i32 to f32
%own = arith.mulf %float, %x : f32
%product =`,
      ],
      ['arith.addf %sum, %product', 'arith.addf %sum, %own'],
    );

  it.each([2, 3, 4, 5, 6])('refuses a body that uses index %i, which is numbered anew', (dimension) => {
    const { status, diagnostics } = apply(withIndex(dimension), `${matchOps()}\n${linearize()}`);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`the body uses linalg.index ${dimension}`);
    expect(diagnostics).toContain('[linearize/index]');
  });

  it.each([0, 1])('keeps index %i, which stays', (dimension) => {
    const { text } = apply(withIndex(dimension), `${matchOps()}\n${linearize()}`);
    expect(text).toContain(`linalg.index ${dimension} : index`);
  });

  /** A convolution whose body subtracts sums from products, so that the order of reductions matters. */
  const subtracting = (
    iterations: string,
    maps: readonly string[],
    types: readonly string[],
  ): string => `func.func @f(%a: ${types[0]!}, %b: ${types[1]!}, %c: ${types[2]!}) -> ${types[2]!} {
  %0 = linalg.generic {indexing_maps = [${maps.map((map) => `affine_map<(${iterations}) -> (${map})>`).join(', ')}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a, %b : ${types[0]!}, ${types[1]!}) outs(%c : ${types[2]!}) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.subf %product, %sum : f32
    linalg.yield %next : f32
  } -> ${types[2]!}
  return %0 : ${types[2]!}
}`;

  it('keeps the order of reductions in NCHW', () => {
    const payload = replaced(genericConvolution, ['arith.addf %sum, %product', 'arith.subf %product, %sum']);
    expect(apply(payload, `${matchOps()}\n${linearize()}`).diagnostics).toBe('');
  });

  it.each([
    ['HWCF', 'h, w, c, f', 'tensor<2x2x3x4xf32>'],
    ['FHWC', 'f, h, w, c', 'tensor<4x2x2x3xf32>'],
  ])('refuses to run channels before the taps of filters in %s', (_, ofFilters, filters) => {
    const payload = subtracting(
      'n, i, j, f, h, w, c',
      ['n, i + h, j + w, c', ofFilters, 'n, i, j, f'],
      ['tensor<2x4x5x3xf32>', filters, 'tensor<2x3x4x4xf32>'],
    );
    const { diagnostics } = apply(payload, `${matchOps()}\n${linearize()}`);
    expect(diagnostics).toContain('[linearize/order]');
  });

  const misses = nearMisses.map(([name, payload]) => ({ name, payload, op: 'linalg.generic' }));
  it.each([
    ...misses,
    { name: 'a named convolution', payload: exampleConvolution, op: 'linalg.conv_2d_nchw_fchw' },
    { name: 'a function', payload: exampleConvolution, op: 'func.func' },
  ])('refuses $name', ({ payload, op }) => {
    const { status, diagnostics } = apply(payload, `${matchOps(op)}\n${linearize()}`);
    expect(status).toBe('definite');
    expect(diagnostics).toContain('[linearize/not-a-convolution]');
  });

  const huge = 'x134217728x134217728xf32';
  it.each([
    { name: 'no columns', changes: [['x3x6xf32', 'x3x0xf32']] },
    { name: 'an input of 2^54 elements in a channel', changes: [['x8x9xf32', huge]] },
    {
      name: 'an output of 2^54 elements in a channel',
      changes: [
        ['x3x6xf32', huge],
        ['x8x9xf32', 'x536870912x536870912xf32'],
      ],
    },
  ] as const)('refuses $name', ({ changes }) => {
    const { status, diagnostics } = apply(
      replaced(genericConvolution, ...changes),
      `${matchOps()}\n${linearize()}`,
    );
    expect(status).toBe('definite');
    expect(diagnostics).toContain('[linearize/arithmetic]');
  });

  it('linearises what has no rows', () => {
    const payload = replaced(genericConvolution, ['x3x6xf32', 'x0x6xf32']);
    expect(apply(payload, `${matchOps()}\n${linearize()}`).diagnostics).toBe('');
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `%0 = transform.structured.linearize %root${attributes} : (!transform.any_op) -> !transform.op<"linalg.generic">`;
    expect(printed(line)).toEqual([line]);
  });
});
