import type { GenericSpec } from '@sconv/interpreter/testing';
import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';
import { codesIn } from './payloads.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const tile = (how: string, fills = 1, op = 'linalg.generic'): string => {
  const names = Array.from({ length: fills }, (_, i) => `%fill${i}`);
  const handles = [...names, '%tile', '%merging', '%loop'];
  return `%op = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}
${handles.join(', ')} = transform.structured.tile_reduction_using_${how} : (${any}) -> (${handles.map(() => any).join(', ')})
${handles.map((handle) => `transform.annotate ${handle} "${handle.slice(1)}" : ${any}`).join('\n')}`;
};

const sum = '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32';

/** Row sums of a 4x12 tensor. */
const rows = (changes: Partial<GenericSpec> = {}): string =>
  genericPayload({
    iterators: ['parallel', 'reduction'],
    inputs: [{ map: 'd0, d1', type: 'tensor<4x12xi32>' }],
    outputs: [{ map: 'd0', type: 'tensor<4xi32>' }],
    body: sum,
    ...changes,
  });

const columns = rows({
  iterators: ['reduction', 'parallel'],
  outputs: [{ map: 'd1', type: 'tensor<12xi32>' }],
});

/** Reduces the middle dimension; the output is transposed. */
const transposed = genericPayload({
  iterators: ['parallel', 'reduction', 'parallel'],
  inputs: [{ map: 'd1, d0, d2', type: 'tensor<7x3x5xi32>' }],
  outputs: [{ map: 'd2, d0', type: 'tensor<5x3xi32>' }],
  body: sum,
});

const twice = genericPayload({
  iterators: ['parallel', 'reduction', 'reduction'],
  inputs: [{ map: 'd0, d1, d2', type: 'tensor<3x4x5xi32>' }],
  outputs: [{ map: 'd0', type: 'tensor<3xi32>' }],
  body: sum,
});

/** A sum and a maximum. */
const two = rows({
  outputs: [
    { map: 'd0', type: 'tensor<4xi32>' },
    { map: 'd0', type: 'tensor<4xi32>' },
  ],
  body: '%s = arith.addi %y0, %x0 : i32\n%t = arith.maxsi %y1, %x0 : i32\nlinalg.yield %s, %t : i32, i32',
});

const buffers = `func.func @f(%a: memref<4x6xf32>, %b: memref<6x5xf32>, %c: memref<4x5xf32>) {
  linalg.matmul ins(%a, %b : memref<4x6xf32>, memref<6x5xf32>) outs(%c : memref<4x5xf32>)
  return
}`;

describe('transform.structured.tile_reduction_using_for', () => {
  it.each([
    ['[0, 4]', rows(), 1],
    ['[0, 5]', rows(), 1],
    ['[3, 5]', rows(), 1],
    ['[0, 5]', rows().replaceAll('4x12x', '?x?x').replaceAll('4x', '?x'), 1],
    ['[0, 5]', rows().replaceAll('x12x', 'x0x'), 1],
    ['[3]', columns, 1],
    ['[0, 4]', transposed, 1],
    ['[2, 4, 3]', transposed, 1],
    ['[0, 2, 3]', twice, 1],
    ['[0, 5]', two, 2],
  ])('keeps what is computed by tiles of %s, and gives what it made', (sizes, payload, fills) => {
    const { diagnostics, text } = apply(payload, tile(`for %op by tile_sizes = ${sizes}`, fills));
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.fill {fill0}');
    expect(text).toMatch(/linalg.generic .*tile\}/);
    expect(text).toMatch(/linalg.reduce .*merging\}/);
    expect(text).toMatch(/\} \{loop\}/);
  });

  it('keeps what is computed by one tile', () => {
    const { diagnostics, text } = apply(rows(), tile('for %op by tile_sizes = [0, 20]'));
    expect(codesIn(diagnostics)).toEqual(['tile/beyond-extent']);
    expect(text).toMatch(/linalg.generic .*tile\}/);
  });

  it.each(['for %op by tile_sizes = [0, 4]', 'forall %op by num_threads = [0, 3], tile_sizes = []'])(
    'adds in another order without the overflow flags of the first: %s',
    (how) => {
      const payload = rows({ body: sum.replace(' : i32\n', ' overflow<nsw, nuw> : i32\n') });
      const { diagnostics, text } = apply(payload, tile(how));
      expect(diagnostics).toBe('');
      expect(text.match(/arith.addi .*/g)).toEqual([
        expect.not.stringContaining('<'),
        expect.not.stringContaining('<'),
      ]);
    },
  );

  it.each([
    ['not-structured', buffers, tile('for %op by tile_sizes = [0, 0, 2]', 1, 'linalg.matmul')],
    ['not-structured', rows(), tile('for %op by tile_sizes = [0, 2]', 1, 'func.func')],
    [
      'none',
      rows({ iterators: ['parallel', 'parallel'], outputs: [{ map: 'd0, d1', type: 'tensor<4x12xi32>' }] }),
      tile('for %op by tile_sizes = [0, 2]'),
    ],
    [
      'index',
      rows({
        body: '%i = linalg.index 1 : index\n%j = arith.index_cast %i : index to i32\n%s = arith.addi %y0, %j : i32\nlinalg.yield %s : i32',
      }),
      tile('for %op by tile_sizes = [0, 2]'),
    ],
    [
      'output-map',
      rows({ outputs: [{ map: 'd0, d1', type: 'tensor<4x12xi32>' }] }),
      tile('for %op by tile_sizes = [0, 2]'),
    ],
    [
      'combiner',
      rows({ body: '%s = arith.subi %y0, %x0 : i32\nlinalg.yield %s : i32' }),
      tile('for %op by tile_sizes = [0, 2]'),
    ],
    ['results', two, tile('for %op by tile_sizes = [0, 2]')],
    ['sizes', rows(), tile('for %op by tile_sizes = [2, 0]')],
    ['sizes', rows(), tile('for %op by tile_sizes = [2]')],
    ['sizes', rows(), tile('for %op by tile_sizes = [0, -2]')],
    ['sizes', rows(), tile('for %op by tile_sizes = [0, 2, 2]')],
  ])('refuses with %s: %#', (code, payload, script) => {
    expect(apply(payload, script).diagnostics).toContain(`[reduction/${code}]`);
  });
});

describe('transform.structured.tile_reduction_using_forall', () => {
  it.each([
    ['[0, 4]', rows()],
    ['[0, 5]', rows()],
    ['[3, 5]', rows()],
    ['[0, 5]', rows().replaceAll('4x12x', '?x?x').replaceAll('4x', '?x')],
    ['[0, 5]', rows().replaceAll('x12x', 'x0x')],
    ['[3]', columns],
    ['[3, 2]', columns],
    ['[0, 4]', transposed],
    ['[2, 4, 3]', transposed],
  ])('keeps what is computed by threads %s, and gives what it made', (threads, payload) => {
    const { diagnostics, text } = apply(payload, tile(`forall %op by num_threads = ${threads}`));
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.fill {fill0}');
    expect(text).toMatch(/linalg.reduce .*merging\}/);
    expect(text).toMatch(/\} \{loop\}/);
  });

  it.each([
    ['reduction/one', two, tile('forall %op by num_threads = [0, 2]', 2)],
    ['reduction/one', twice, tile('forall %op by num_threads = [0, 2, 2]')],
    ['reduction/results', rows(), tile('forall %op by num_threads = [0, 2]', 2)],
    ['reduction/sizes', rows(), tile('forall %op by num_threads = [2, 0]')],
    ['reduction/sizes', rows(), tile('forall %op by num_threads = [-1, 2]')],
    ['transform/not-implemented', rows(), tile('forall %op by num_threads = [0, 2], tile_sizes = [0, 2]')],
    [
      'tile/unsound-slice',
      rows({
        inputs: [
          { map: 'd0, -d1 + 11', type: 'tensor<4x12xi32>' },
          { map: 'd0, d1', type: 'tensor<4x12xi32>' },
        ],
      }),
      tile('forall %op by num_threads = [0, 2]'),
    ],
    [
      'tile/race',
      twice.replace('["parallel", "reduction",', '["parallel", "parallel",'),
      tile('forall %op by num_threads = [0, 2, 4]'),
    ],
    // Of 5 sums, 2 each: the last of 4 threads gets none.
    [
      'tile/out-of-bounds',
      rows({
        inputs: [
          { map: 'd0, d0 + d1', type: 'tensor<4x8xi32>' },
          { map: 'd1', type: 'tensor<5xi32>' },
        ],
      }),
      tile('forall %op by num_threads = [0, 4]'),
    ],
  ])('refuses with %s: %#', (code, payload, script) => {
    expect(apply(payload, script).diagnostics).toContain(`[${code}]`);
  });
});
