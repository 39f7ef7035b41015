import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeMap, permutationMap } from '@sconv/affine';
import { arbitraryMap } from '@sconv/affine/arbitraries';
import type { GenericSpec } from '@sconv/interpreter/testing';
import {
  firstDifference,
  foreignDialect,
  foreignPayload,
  genericPayload,
  operandOver,
} from '@sconv/interpreter/testing';
import { replacementsOf, scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { splitExactlyOp } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';

/** Also checks that each payload still computes the same. */
const apply = scriptTester(transforms, { difference: firstDifference });

const matchOps = (...names: readonly string[]) =>
  `%op = transform.structured.match ops{[${names.map((name) => `"${name}"`).join(', ')}]} in %root : (!transform.any_op) -> !transform.any_op`;

const splitAt = (at: number, dimension = 1, op = 'linalg.generic') => `${matchOps(op)}
%low, %high = transform.structured.split %op after ${at} {dimension = ${dimension} : i64, exact} : !transform.any_op`;

/** A body that adds the position in a dimension to the element. */
const addIndex = (dimension: number): string => `%i = linalg.index ${dimension} : index
%j = arith.index_cast %i : index to i32
%k = arith.sitofp %j : i32 to f32
%s = arith.addf %x0, %k : f32
linalg.yield %s : f32`;

/** A sum into a 2x6 tensor, by default of a 2x6 tensor. */
const matrix = (changes: Partial<GenericSpec> = {}) =>
  genericPayload({
    iterators: ['parallel', 'parallel'],
    inputs: [{ map: 'd0, d1', type: 'tensor<2x6xf32>' }],
    outputs: [{ map: 'd0, d1', type: 'tensor<2x6xf32>' }],
    ...changes,
  });

/** A sum into four elements, of a vector read through a map. */
const vector = (map: string, type: string) =>
  genericPayload({
    iterators: ['parallel'],
    inputs: [{ map, type }],
    outputs: [{ map: 'd0', type: 'tensor<4xf32>' }],
  });

const outputOf = (map: string) => ({
  map,
  type: map.startsWith('d1') ? 'tensor<6x2xf32>' : 'tensor<2x6xf32>',
});

const onBuffers = `func.func @f(%a: memref<2x6xf32>, %b: memref<2x6xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<2x6xf32>) outs(%b : memref<2x6xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}`;

describe('transform.structured.split {exact}', () => {
  it('slices what each part touches and puts the results back', () => {
    expect(apply(matrix(), splitAt(4)).text).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: tensor<2x6xf32>, %arg1: tensor<2x6xf32>) -> tensor<2x6xf32> {
          %extracted_slice = tensor.extract_slice %arg0[0, 0] [2, 4] [1, 1] : tensor<2x6xf32> to tensor<2x4xf32>
          %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [2, 4] [1, 1] : tensor<2x6xf32> to tensor<2x4xf32>
          %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x4xf32>) outs(%extracted_slice_0 : tensor<2x4xf32>) {
          ^bb0(%in: f32, %out: f32):
            %2 = arith.addf %out, %in : f32
            linalg.yield %2 : f32
          } -> tensor<2x4xf32>
          %inserted_slice = tensor.insert_slice %0 into %arg1[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x6xf32>
          %extracted_slice_1 = tensor.extract_slice %arg0[0, 4] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
          %extracted_slice_2 = tensor.extract_slice %inserted_slice[0, 4] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
          %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_1 : tensor<2x2xf32>) outs(%extracted_slice_2 : tensor<2x2xf32>) {
          ^bb0(%in: f32, %out: f32):
            %2 = arith.addf %out, %in : f32
            linalg.yield %2 : f32
          } -> tensor<2x2xf32>
          %inserted_slice_3 = tensor.insert_slice %1 into %inserted_slice[0, 4] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x6xf32>
          return %inserted_slice_3 : tensor<2x6xf32>
        }
      }
      "
    `);
  });

  it('rebases a floordiv/mod map at a cut off a row start, and slices exactly', () => {
    const rows = matrix({
      inputs: [{ map: 'd0, (d1 floordiv 3) * 8 + d1 mod 3', type: 'tensor<2x11xf32>' }],
    });
    const { text } = apply(rows, splitAt(4));
    expect(text).toContain('tensor.extract_slice %arg0[0, 0] [2, 9] [1, 1]');
    expect(text).toContain('tensor.extract_slice %arg0[0, 9] [2, 2] [1, 1]');
    expect(text).toContain('(d0, ((d1 + 4) floordiv 3) * 8 + (d1 + 4) mod 3 - 9)');
  });

  it('keeps what somebody noted on the op in both parts', () => {
    const { text } = apply(matrix({ attributes: '{tag = "keep"}' }), splitAt(4));
    expect(text.match(/tag = "keep"/g)).toHaveLength(2);
  });

  it('makes named ops of a named op', () => {
    const name = 'linalg.conv_2d_nchw_fchw';
    const convolution = `func.func @f(%x: tensor<1x2x9x7xf32>, %k: tensor<3x2x3x3xf32>, %o: tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32> {
  %0 = ${name} {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x2x9x7xf32>, tensor<3x2x3x3xf32>) outs(%o : tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32>
  return %0 : tensor<1x3x4x3xf32>
}`;
    for (const [at, dimension] of [
      [1, 2],
      [3, 2],
      [2, 1],
      [1, 3],
      [1, 4],
    ] as const) {
      const { text, diagnostics } = apply(convolution, splitAt(at, dimension, name));
      expect(diagnostics).toBe('');
      expect(text.match(/linalg.conv_2d_nchw_fchw \{strides/g)).toHaveLength(2);
    }
  });

  it.each([
    ['the index of the split dimension', { body: addIndex(1) }],
    ['the index of another dimension', { body: addIndex(0) }],
    ['several results', { outputs: ['d0, d1', 'd1, d0', 'd0, -d1 + 5'].map(outputOf) }],
    ['a scalar input', { inputs: [{ map: '', type: 'f32' }] }],
    ['an input that the split does not cut', { inputs: [{ map: 'd0', type: 'tensor<2xf32>' }] }],
    [
      'a reduction',
      { iterators: ['parallel', 'reduction'], outputs: [{ map: 'd0', type: 'tensor<2xf32>' }] },
    ],
    [
      'no iterations in another dimension',
      {
        inputs: [{ map: 'd0, d1', type: 'tensor<0x6xf32>' }],
        outputs: [{ map: 'd0, d1', type: 'tensor<0x6xf32>' }],
      },
    ],
    ['a larger output', { outputs: [{ map: 'd0 + 1, d1 * 2', type: 'tensor<4x12xf32>' }] }],
    ['no inputs', { inputs: [], body: '%c = arith.constant 3.0 : f32\nlinalg.yield %c : f32' }],
  ] as const)('keeps what is computed: %s', (_, changes) => {
    for (const at of [1, 3, 5]) expect(apply(matrix(changes), splitAt(at)).diagnostics).toBe('');
  });

  it('splits at every point of every dimension into what the whole computes', () => {
    const payloads = fc
      .record({
        extents: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 3 }),
        seed: fc.nat(),
      })
      .chain(({ extents, seed }) =>
        fc.record({
          extents: fc.constant(extents),
          maps: fc.array(
            arbitraryMap({ numDims: extents.length, numSymbols: 0, maxDepth: 3, maxConstant: 7 }),
            {
              minLength: 1,
              maxLength: 2,
            },
          ),
          output: fc.shuffledSubarray([...extents.keys()], { minLength: 0 }),
          at: fc.constant(1 + (seed % (Math.min(...extents) - 1))),
          dimension: fc.nat(extents.length - 1),
        }),
      );
    fc.assert(
      fc.property(payloads, ({ extents, maps, output, at, dimension }) => {
        const whole = permutationMap([...extents.keys()]);
        const payload = genericPayload({
          iterators: extents.map((_, position) => (output.includes(position) ? 'parallel' : 'reduction')),
          inputs: [whole, ...maps].map((map) => operandOver(map, extents)),
          outputs: [
            operandOver(
              makeMap(
                extents.length,
                0,
                output.map((position) => whole.results[position]!),
              ),
              extents,
            ),
          ],
        });
        expect(apply(payload, splitAt(at, dimension)).diagnostics).toBe('');
      }),
      { numRuns: process.env['THOROUGH'] === undefined ? 15 : 40 },
    );
  });

  it('gives handles to both parts of each target', () => {
    const two = `${matrix()}${matrix().replace('@f', '@g')}`;
    const script = `${splitAt(4)}
%l0, %l1 = transform.split_handle %low : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%ll, %lh = transform.structured.split %l1 after 1 {dimension = 0 : i64, exact} : !transform.any_op
%hl, %hh = transform.structured.split %high after 1 {dimension = 1 : i64, exact} : !transform.any_op`;
    const { text, diagnostics } = apply(two, script);
    expect(diagnostics).toBe('');
    const sizes = [...text.matchAll(/^ *\} -> tensor<(.*)xf32>$/gm)].map(([, size]) => size);
    expect(sizes).toEqual(['2x4', '2x1', '2x1', '1x4', '1x4', '2x1', '2x1']);
  });

  it.each([
    ['dimension-overflow', matrix(), splitAt(1, 2), 'dimension 2 does not exist in target op of 2 loops'],
    ['dimension-overflow', matrix(), splitAt(1, -1), 'dimension -1 does not exist in target op of 2 loops'],
    ['point-outside', matrix(), splitAt(6), 'split point 6 is not inside dimension 1 of extent 6'],
    ['point-outside', matrix(), splitAt(0), 'split point 0 is not inside'],
    ['point-outside', matrix(), splitAt(-1), 'split point -1 is not inside'],
    ['point-outside', matrix(), splitAt(2, 0), 'split point 2 is not inside dimension 0 of extent 2'],
    ['point-outside', vector('d0', 'tensor<0xf32>').replaceAll('4xf32', '0xf32'), splitAt(1, 0), 'extent 0'],
    [
      'not-structured',
      matrix(),
      splitAt(1, 0, 'func.func'),
      "only applies to structured ops, got 'func.func'",
    ],
    ['dynamic', matrix().replaceAll('tensor<2x6xf32>', 'tensor<2x?xf32>'), splitAt(2), 'static tensor type'],
    ['dynamic', matrix().replaceAll('tensor<2x6xf32>', 'tensor<?x6xf32>'), splitAt(2), 'static tensor type'],
    ['dynamic', vector('d0 * 2', 'tensor<?xf32>'), splitAt(2, 0), 'static tensor type'],
    ['dynamic', onBuffers, splitAt(2), 'static tensor type'],
    ['arithmetic', vector('(d0 + 9007199254740991) mod 3', 'tensor<3xf32>'), splitAt(2, 0), '(2^53)'],
    [
      'out-of-bounds',
      vector('d0 mod 3 * 3', 'tensor<4xf32>'),
      splitAt(2, 0),
      'operand 0 is indexed outside of',
    ],
    [
      'out-of-bounds',
      genericPayload({
        iterators: ['parallel'],
        inputs: [{ map: 'd0', type: 'tensor<4xf32>' }],
        outputs: [{ map: '(d0 * 2) mod 3 * 2 + d0 mod 2', type: 'tensor<3xf32>' }],
      }),
      splitAt(2, 0),
      'operand 1 is indexed outside of its sizes [3]',
    ],
  ])('refuses %s: %#', (code, payload, script, message) => {
    const { status, diagnostics } = apply(payload, script);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[split/${code}]`);
    expect(diagnostics).toContain(message);
    expect(diagnostics).toContain('payload.mlir');
  });

  it('refuses to split an op of another dialect whose map would be another', () => {
    const ofForeign = scriptTester(transforms, { dialects: [foreignDialect] });
    const { diagnostics } = ofForeign(foreignPayload, splitAt(2, 0, 'foreign.add_next'));
    expect(diagnostics).toContain(
      "otherwise than 'foreign.add_next' does: generalize it first [split/named-map]",
    );
  });

  it('computes the same, or refuses an op whose iterations would run in another order', () => {
    const kept = new Set<string>();
    const bodies = {
      sum: '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32',
      shift: '%d = arith.addi %y0, %y0 : i32\n%s = arith.addi %d, %x0 : i32\nlinalg.yield %s : i32',
    };
    fc.assert(
      fc.property(
        fc.constantFrom('sum', 'shift'),
        fc.constantFrom(['d0, d1', '2x6x'], ['d0', '2x'], ['d1', '6x'], ['', '']),
        fc.constantFrom([0, 1], [1, 1], [1, 4]),
        (body, [map, shape], [dimension, at]) => {
          const payload = genericPayload({
            iterators: [
              map.includes('d0') ? 'parallel' : 'reduction',
              map.includes('d1') ? 'parallel' : 'reduction',
            ],
            inputs: [{ map: 'd0, d1', type: 'tensor<2x6xi32>' }],
            outputs: [{ map: map, type: `tensor<${shape}i32>` }],
            body: bodies[body],
          });
          const { diagnostics } = apply(payload, splitAt(at, dimension));
          const isReordered = body === 'shift' && map === '' && dimension === 1;
          expect(diagnostics === '').toBe(!isReordered);
          if (isReordered) expect(diagnostics).toContain('[split/order]');
          else kept.add(`${body} ${map}`);
        },
      ),
    );
    expect(kept.size).toBe(8);
  });

  it('leaves a body that uses the index of the dimension, unless it is told how to renumber it', () => {
    const splitting = () =>
      replacementsOf(matrix({ body: addIndex(1) }), 'linalg.generic', (rewriter, operation) =>
        splitExactlyOp(rewriter, operation, 1, 4),
      );
    const failure = expect.objectContaining({ code: 'split/index' }) as object;
    expect(splitting).toThrow(expect.objectContaining({ diagnostics: [failure] }));
  });

  it('says that both parts stand for the op', () => {
    const parts = replacementsOf(matrix(), 'linalg.generic', (rewriter, operation) =>
      splitExactlyOp(rewriter, operation, 1, 4),
    );
    expect(parts.map(({ results }) => results[0]!.type)).toMatchObject([
      { shape: [2, 4] },
      { shape: [2, 2] },
    ]);
  });

  it.each([
    '%first, %second = transform.structured.split %root after 4  {dimension = 1 : i64} : !transform.any_op',
    '%first, %second = transform.structured.split %root after 4  {dimension = 0 : i64, tag = "kept", unit} : !transform.any_op',
    '%first, %second = transform.structured.split %root after %root  {dimension = 0 : i64, multiway} : !transform.any_op, !transform.any_op',
    '%first, %second = transform.structured.split %root after -4  {dimension = -1 : i64} : !transform.any_op',
  ])('prints what it reads: %s', (line) => {
    expect(scriptPrinter(transforms)(line)).toEqual([line]);
  });

  it('prints the type of its handles', () => {
    const lines = [
      '%0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.op<"linalg.generic">',
      '%first, %second = transform.structured.split %0 after 4  {dimension = 1 : i64} : !transform.op<"linalg.generic">',
    ];
    expect(scriptPrinter(transforms)(lines.join('\n'))).toEqual(lines);
  });
});
