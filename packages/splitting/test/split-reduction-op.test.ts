import type { GenericSpec } from '@sconv/interpreter/testing';
import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

/** Also checks that each payload still computes the same. */
const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const split = (attributes: string, op = 'linalg.generic'): string =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}
%init, %fill, %split, %combining = transform.structured.split_reduction %op {${attributes}} : (${any}) -> (${any}, ${any}, ${any}, ${any})
transform.annotate %init "init" : ${any}
transform.annotate %fill "fill" : ${any}
transform.annotate %split "split" : ${any}
transform.annotate %combining "combining" : ${any}`;

/** Sums over the second dimension of a tensor of 4x12. */
const rows = (changes: Partial<GenericSpec> = {}): string =>
  genericPayload({
    iterators: ['parallel', 'reduction'],
    inputs: [{ map: 'd0, d1', type: 'tensor<4x12xi32>' }],
    outputs: [{ map: 'd0', type: 'tensor<4xi32>' }],
    body: '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32',
    ...changes,
  });

const combined = (name: string, type: string, flags = ''): string =>
  rows({
    inputs: [{ map: 'd0, d1', type: `tensor<4x12x${type}>` }],
    outputs: [{ map: 'd0', type: `tensor<4x${type}>` }],
    body: `%s = ${name} %x0, %y0${flags} : ${type}\nlinalg.yield %s : ${type}`,
  });

const matmul = `func.func @f(%a: tensor<3x8xf32>, %b: tensor<8x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x8xf32>, tensor<8x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}`;

const both = genericPayload({
  iterators: ['reduction', 'parallel', 'reduction'],
  inputs: [
    { map: 'd0, d1, d2', type: 'tensor<6x2x4xi32>' },
    { map: 'd2', type: 'tensor<4xi32>' },
  ],
  outputs: [{ map: 'd1', type: 'tensor<2xi32>' }],
  body: '%m = arith.muli %x0, %x1 : i32\n%s = arith.addi %m, %y0 : i32\nlinalg.yield %s : i32',
});

describe('transform.structured.split_reduction', () => {
  it.each([
    ['split_factor = 3, insert_split_dimension = 0', rows(), 'linalg.generic'],
    ['split_factor = 3, insert_split_dimension = 1', rows(), 'linalg.generic'],
    ['split_factor = 4, insert_split_dimension = 0, inner_parallel', rows(), 'linalg.generic'],
    ['split_factor = 12, insert_split_dimension = 1, inner_parallel, use_alloc', rows(), 'linalg.generic'],
    ['split_factor = 4, insert_split_dimension = 1', matmul, 'linalg.matmul'],
    ['split_factor = 2, insert_split_dimension = 2, inner_parallel', matmul, 'linalg.matmul'],
    ['split_factor = 2, insert_split_dimension = 0, use_scaling_algorithm', matmul, 'linalg.matmul'],
    [
      'split_factor = 8, insert_split_dimension = 2, use_scaling_algorithm, use_alloc',
      matmul,
      'linalg.matmul',
    ],
    ['split_factor = 3, insert_split_dimension = 1, use_scaling_algorithm', both, 'linalg.generic'],
    [
      'split_factor = 3, insert_split_dimension = 1, use_scaling_algorithm',
      rows().replaceAll('4x', '?x'),
      'linalg.generic',
    ],
    ['split_factor = 3, insert_split_dimension = 1', rows().replaceAll('4x', '?x'), 'linalg.generic'],
    ['split_factor = 3, insert_split_dimension = 0', rows().replaceAll('x12x', 'x0x'), 'linalg.generic'],
  ])('keeps what is computed, and gives what it made: {%s}', (attributes, payload, op) => {
    const { diagnostics, text } = apply(payload, split(attributes, op));
    expect(diagnostics).toBe('');
    const isAlloc = attributes.includes('use_alloc');
    expect(text).toMatch(isAlloc ? /alloc_tensor\(.*\) \{init\}/ : /tensor.empty\(.*\) \{init\}/);
    expect(text).toMatch(/linalg.fill \{fill\}/);
    expect(text).toMatch(/linalg.generic .*split\}/);
    expect(text).toMatch(/linalg.generic .*combining\}/);
  });

  it.each([
    ['arith.addi', 'i32', '0 : i32'],
    ['arith.muli', 'i32', '1 : i32'],
    ['arith.ori', 'i32', '0 : i32'],
    ['arith.xori', 'i32', '0 : i32'],
    ['arith.andi', 'i32', '-1 : i32'],
    ['arith.maxsi', 'i32', '-2147483648 : i32'],
    ['arith.minsi', 'i8', '127 : i8'],
    ['arith.maxui', 'i32', '0 : i32'],
    ['arith.minui', 'i32', '-1 : i32'],
    ['arith.andi', 'i1', 'true'],
    ['arith.addf', 'f32', '0.000000e+00 : f32'],
    ['arith.mulf', 'f32', '1.000000e+00 : f32'],
    ['arith.maximumf', 'f32', '0xFF800000 : f32'],
    ['arith.minimumf', 'f32', '0x7F800000 : f32'],
    ['arith.maxnumf', 'f32', '0xFFC00000 : f32'],
    ['arith.minnumf', 'f32', '0x7FC00000 : f32'],
  ])('begins with what makes no difference to %s of %s: %s', (name, type, neutral) => {
    const { diagnostics, text } = apply(combined(name, type), split('split_factor = 4'));
    expect(diagnostics).toBe('');
    expect(text).toContain(`arith.constant ${neutral}`);
  });

  it.each([
    ['arith.minimumf', 'ninf', '3.40282347E+38'],
    ['arith.minnumf', 'nnan', '0x7F800000'],
    ['arith.maxnumf', 'nnan', '0xFF800000'],
    ['arith.maxnumf', 'nnan,ninf', '-3.40282347E+38'],
    ['arith.minnumf', 'fast', '3.40282347E+38'],
  ])('begins with what the flags allow: %s fastmath<%s>', (name, flags, neutral) => {
    const { text } = apply(combined(name, 'f32', ` fastmath<${flags}>`), split('split_factor = 4'));
    expect(text).toContain(`arith.constant ${neutral} : f32`);
  });

  it.each(['split_factor = 4', 'split_factor = 4, use_scaling_algorithm'])(
    'adds in another order without the overflow flags of the first: {%s}',
    (attributes) => {
      const { diagnostics, text } = apply(
        combined('arith.addi', 'i32', ' overflow<nsw, nuw>'),
        split(attributes),
      );
      expect(diagnostics).toBe('');
      expect(text.match(/arith.addi.*/g)).toEqual([
        'arith.addi %in, %out : i32',
        'arith.addi %in, %out : i32',
      ]);
    },
  );

  it.each([
    ['not-structured', rows(), split('split_factor = 4', 'func.func')],
    [
      'no-reduction',
      rows({ iterators: ['parallel', 'parallel'], outputs: [{ map: 'd0, d1', type: 'tensor<4x12xi32>' }] }),
      split('split_factor = 4'),
    ],
    ['dimensions', both, split('split_factor = 2')],
    [
      'output',
      rows({
        outputs: [
          { map: 'd0', type: 'tensor<4xi32>' },
          { map: 'd0', type: 'tensor<4xi32>' },
        ],
        body: '%s = arith.addi %y0, %x0 : i32\n%t = arith.addi %y1, %x0 : i32\nlinalg.yield %s, %t : i32, i32',
      }),
      split('split_factor = 2'),
    ],
    ['factor', rows(), split('split_factor = 5')],
    ['factor', rows(), split('split_factor = 1')],
    ['factor', rows().replaceAll('x12x', 'x?x'), split('split_factor = 2')],
    ['position', rows(), split('split_factor = 2, insert_split_dimension = 2')],
    ['position', rows(), split('split_factor = 2, insert_split_dimension = -1')],
    ['inner-parallel', rows(), split('split_factor = 2, inner_parallel, use_scaling_algorithm')],
    [
      'map',
      rows({
        inputs: [
          { map: 'd0 + d1', type: 'tensor<15xi32>' },
          { map: 'd0, d1', type: 'tensor<4x12xi32>' },
        ],
      }),
      split('split_factor = 2'),
    ],
    [
      'factor',
      rows({
        inputs: [
          { map: 'd0, d1', type: 'tensor<4x12xi32>' },
          { map: 'd1', type: 'tensor<?xi32>' },
        ],
      }),
      split('split_factor = 2'),
    ],
    [
      'output-map',
      rows({ outputs: [{ map: 'd0, d1', type: 'tensor<4x12xi32>' }] }),
      split('split_factor = 2'),
    ],
    [
      'index',
      rows({
        body: '%i = linalg.index 1 : index\n%j = arith.index_cast %i : index to i32\n%s = arith.addi %y0, %j : i32\nlinalg.yield %s : i32',
      }),
      split('split_factor = 2'),
    ],
    ['combiner', combined('arith.subi', 'i32'), split('split_factor = 2')],
    [
      'combiner',
      rows({
        body: '%d = arith.addi %y0, %y0 : i32\n%s = arith.addi %d, %x0 : i32\nlinalg.yield %s : i32',
      }),
      split('split_factor = 2'),
    ],
  ])('refuses with %s: %#', (code, payload, script) => {
    expect(apply(payload, script).diagnostics).toContain(`[split-reduction/${code}]`);
  });
});
