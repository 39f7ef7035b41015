import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affineMap, constant, dim, identityMap, makeMap } from '@sconv/affine';
import { genericPayload, operandOver } from '@sconv/interpreter/testing';
import { bodyOf, children } from '@sconv/ir';
import { schedule } from '@sconv/transform';
import { replacementsOf } from '@sconv/transform/testing';
import { tileUsingForExamples } from './examples.ts';
import { tileExactlyUsingForOp } from '../src/index.ts';
import { tileUsingFor } from '../src/transforms.ts';
import {
  apply,
  bodyWithIndices,
  bodyWithProduct,
  matchOps,
  matrix,
  tile,
  tileTypes,
  vector,
} from './payloads.ts';

const tiled = (payload: string, sizes: readonly number[], interchange: readonly number[] = []) =>
  apply(payload, `${matchOps()}\n${tile(sizes, interchange)}`);

const withoutResults = `func.func @f(%a: memref<4x6xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a : memref<4x6xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}`;

/** Both corners of the domain read element 0; other points are out of bounds. */
const skewed = matrix({ inputs: [{ map: 'd0 * 5 - d1 * 3', type: 'tensor<8xf32>' }] });

/** Windows of a linearised image with rows of 8, four windows a row. */
const rows = tileUsingForExamples[0]!.payload;

const twoInQuotient = matrix({ inputs: [{ map: '(d0 + d1) floordiv 2', type: 'tensor<5xf32>' }] });

/** A map that is linear in the leading dimensions, and divides only the last. */
const maps = (rank: number) =>
  fc
    .array(
      fc.record({
        factors: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: rank, maxLength: rank }),
        divisor: fc.integer({ min: 1, max: 3 }),
        offset: fc.integer({ min: -3, max: 3 }),
      }),
      { maxLength: 3 },
    )
    .map((results) =>
      makeMap(
        rank,
        0,
        results.map(({ factors, divisor, offset }) =>
          factors
            .map((factor, position) =>
              position === rank - 1 ? dim(position).mod(divisor).mul(factor) : dim(position).mul(factor),
            )
            .reduce((sum, term) => sum.add(term), constant(offset)),
        ),
      ),
    );

/** Extents, a divisor of each, 0 for the last, a loop order, and input maps. */
const nests = fc.integer({ min: 1, max: 3 }).chain((rank) =>
  fc.record({
    tiles: fc.array(
      fc.record({
        size: fc.integer({ min: 0, max: 3 }),
        count: fc.integer({ min: 1, max: 3 }),
        iterator: fc.constantFrom('parallel', 'reduction'),
      }),
      { minLength: rank, maxLength: rank },
    ),
    last: fc.integer({ min: 1, max: 4 }),
    inputs: fc.array(maps(rank + 1), { minLength: 1, maxLength: 2 }),
    interchange: fc.shuffledSubarray([...Array(rank).keys()], { minLength: rank }),
  }),
);

describe('transform.structured.tile_using_for {exact}', () => {
  it('makes a loop for each size that is not 0, with slices in and out', () => {
    expect(tiled(matrix(), [2, 0]).text).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> tensor<4x6xf32> {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %c2 = arith.constant 2 : index
          %0 = scf.for %arg2 = %c0 to %c4 step %c2 iter_args(%arg3 = %arg1) -> (tensor<4x6xf32>) {
            %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
            %extracted_slice_0 = tensor.extract_slice %arg3[%arg2, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
            %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x6xf32>) outs(%extracted_slice_0 : tensor<2x6xf32>) {
            ^bb0(%in: f32, %out: f32):
              %2 = arith.addf %out, %in : f32
              linalg.yield %2 : f32
            } -> tensor<2x6xf32>
            %inserted_slice = tensor.insert_slice %1 into %arg3[%arg2, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<4x6xf32>
            scf.yield %inserted_slice : tensor<4x6xf32>
          }
          return %0 : tensor<4x6xf32>
        }
      }
      "
    `);
  });

  it('computes what the whole computes, with every divisor in every order', () => {
    fc.assert(
      fc.property(nests, ({ tiles, last, inputs, interchange }) => {
        const extents = [...tiles.map(({ size, count }) => Math.max(1, size) * count), last];
        const whole = identityMap(extents.length);
        const kept = tiles.flatMap(({ iterator }, position) =>
          iterator === 'parallel' ? [dim(position)] : [],
        );
        const payload = genericPayload({
          iterators: [...tiles.map(({ iterator }) => iterator), 'reduction'],
          inputs: [whole, ...inputs].map((map) => operandOver(map, extents)),
          outputs: [operandOver(makeMap(extents.length, 0, kept), extents)],
        });
        const { status, text } = tiled(
          payload,
          tiles.map(({ size }) => size),
          interchange,
        );
        expect(status).toBe('success');
        expect(text.split('scf.for').length - 1).toBe(tiles.filter(({ size }) => size > 0).length);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [
      'several results',
      {
        outputs: [
          { map: 'd0 + 1, -d1 + 6', type: 'tensor<5x7xf32>' },
          { map: 'd1, d0', type: 'tensor<6x4xf32>' },
        ],
      },
    ],
    ['a scalar input', { inputs: [{ map: '', type: 'f32' }] }],
    ['an input that no loop slices', { inputs: [{ map: '2', type: 'tensor<3xf32>' }] }],
    ['indices', { body: bodyWithIndices }],
    ['a product of indices', { body: bodyWithProduct }],
    [
      'a reduction',
      { iterators: ['parallel', 'reduction'], outputs: [{ map: 'd0', type: 'tensor<4xf32>' }] },
    ],
    ['no inputs', { inputs: [], body: '%c = arith.constant 3.0 : f32\nlinalg.yield %c : f32' }],
  ] as const)('keeps what is computed: %s', (_, changes) => {
    for (const sizes of [[2, 3], [4], [0, 1], [1, 6]])
      expect(tiled(matrix(changes), sizes).diagnostics).toBe('');
  });

  it('tiles one dimension where another has no iterations', () => {
    const nothing = matrix().replaceAll('4x6', '0x6');
    expect(tiled(nothing, [0, 2]).diagnostics).toBe('');
  });

  it('adds the induction variables to indices, in one map', () => {
    const { text } = tiled(matrix({ body: bodyWithIndices }), [2, 3]);
    expect(text).toContain('affine_map<(d0, d1, d2, d3) -> (d0 + d1 + (d2 + d3) * 5)>');
    expect(text.match(/affine\.apply/g)).toHaveLength(1);
  });

  it('leaves the index of a dimension that is not tiled', () => {
    const { text } = tiled(matrix({ body: bodyWithIndices }), [0, 3]);
    expect(text).toContain('affine_map<(d0, d1, d2) -> (d0 + (d1 + d2) * 5)>');
  });

  it.each([[[]], [[0]], [[0, 0]]])('leaves the op as it is without sizes: %j', (sizes) => {
    const { status, text } = tiled(matrix({ attributes: '{tag = "keep"}' }), sizes);
    expect([status, text.includes('scf.for'), text.includes('tag')]).toEqual(['success', false, true]);
  });

  it.each([
    ['sizes', matrix(), tile([1, 1, 1]), 'expected up to 2 tile sizes of at least 0, got [1, 1, 1]'],
    ['sizes', matrix(), tile([-2, 1]), 'got [-2, 1]'],
    ['interchange', matrix(), tile([1, 1], [0, 0]), '[0, 0] does not permute the 2 loops'],
    ['interchange', matrix(), tile([1, 1], [0, 1, 0]), '[0, 1, 0] does not permute the 2 loops'],
    ['interchange', matrix(), tile([1, 1], [0, 2]), '[0, 2] does not permute the 2 loops'],
    ['interchange', matrix(), tile([1, 1], [1]), '[1] does not permute the 2 loops'],
    ['remainder', matrix(), tile([3]), 'tile size 3 does not divide dimension 0 of extent 4'],
    ['remainder', matrix(), tile([4, 12]), 'tile size 12 exceeds dimension 1 of extent 6'],
    ['remainder', vector('d0', 'tensor<0xf32>', 0), tile([2]), 'tile size 2 exceeds dimension 0 of extent 0'],
    ['not-generic', matrix(), tile([1]), "expected a linalg.generic, got 'func.func'"],
    ['dynamic', matrix().replaceAll('4x6', '?x6'), tile([0, 2]), 'static tensor type'],
    ['dynamic', vector('d0 * 2', 'tensor<?xf32>'), tile([2]), 'static tensor type'],
    [
      'dynamic',
      genericPayload({
        iterators: ['parallel'],
        inputs: [{ map: 'd0, 2', type: 'tensor<4x?xf32>' }],
        outputs: [{ map: 'd0', type: 'tensor<4xf32>' }],
      }),
      tile([2]),
      'static tensor type',
    ],
    ['dynamic', withoutResults, tile([2]), 'static tensor type'],
    ['out-of-bounds', skewed, tile([2]), 'dimension 0 of operand 0, a tensor<8xf32>'],
    ['unsound-slice', rows, tile([0, 3]), "'(d1 floordiv 4) * 8 + d1 mod 4' at 0"],
    ['unsound-slice', vector('d0 ceildiv 2', 'tensor<3xf32>'), tile([2]), "'d0 ceildiv 2' at 0"],
    ['unsound-slice', vector('d0 mod 2', 'tensor<2xf32>'), tile([4]), "'d0 mod 2' at 0"],
    ['unsound-slice', twoInQuotient, tile([2]), "'(d0 + d1) floordiv 2' at 0"],
    ['unsound-slice', twoInQuotient, tile([0, 3]), "'(d0 + d1) floordiv 2' at 0"],
    ['unsound-slice', twoInQuotient, tile([2, 3]), "'(d0 + d1) floordiv 2' at 0"],
  ])('refuses %s: %#', (code, payload, script, message) => {
    const op = code === 'not-generic' ? 'func.func' : 'linalg.generic';
    const { status, diagnostics } = apply(payload, `${matchOps(op)}\n${script}`);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[tile/${code}]`);
    expect(diagnostics).toContain(message);
  });

  it('slices what only divides dimensions without a loop', () => {
    const payload = matrix({
      inputs: [{ map: 'd0, (d1 floordiv 4) * 8 + d1 mod 4', type: 'tensor<4x10xf32>' }],
    });
    const { text, diagnostics } = tiled(payload, [2]);
    expect(diagnostics).toBe('');
    expect(text).toContain('extract_slice %arg0[%arg2, 0] [2, 10] [1, 1]');
  });

  it.each([
    ['d0 + 1', '(d0) -> (d0 + 1)', '(d0) -> (d0)'],
    ['-d0 + 3', '(d0) -> (-d0 + 2)', '(d0) -> (-d0 + 1)'],
    ['d0 * 2 + 1', '(d0) -> (d0 * 2 + 1)', '(d0) -> (d0 * 2)'],
  ])('slices what %s reads, its constant counted once', (map, offset, inTile) => {
    const { text, diagnostics } = tiled(vector(map, 'tensor<8xf32>'), [2]);
    expect(diagnostics).toBe('');
    const applied = [...text.matchAll(/affine.apply affine_map<(.*?)>\(/g)].map(([, found]) => found);
    expect(applied).toEqual([offset]);
    expect(text).toContain(`indexing_maps = [affine_map<${inTile}>`);
  });

  const cube = genericPayload({
    iterators: ['parallel', 'parallel', 'parallel'],
    inputs: [operandOver(affineMap('(d0, d1, d2) -> (d2, d0, d1)'), [2, 4, 6])],
    outputs: [operandOver(identityMap(3), [2, 4, 6])],
  });

  it.each([
    [
      [1, 2, 3],
      [2, 0, 1],
      ['%c6 step %c3', '%c2 step %c1', '%c4 step %c2'],
    ],
    [
      [1, 0, 3],
      [2, 1, 0],
      ['%c6 step %c3', '%c2 step %c1'],
    ],
    [[1, 2, 3], [], ['%c2 step %c1', '%c4 step %c2', '%c6 step %c3']],
  ])('orders loops of sizes %j under interchange %j', (sizes, interchange, expected) => {
    const { text } = tiled(cube, sizes, interchange);
    const loops = [...text.matchAll(/scf\.for .* to (%c\d)\w* step (%c\d)/g)].map(
      ([, to, step]) => `${to!} step ${step!}`,
    );
    expect(loops).toEqual(expected);
  });

  it.each([
    [
      [0, 2],
      [1, 0],
    ],
    [
      [0, 4, 2],
      [1, 2, 0],
    ],
    [[1], [2, 1, 0]],
  ])(
    'warns that sizes %j under interchange %j have the order that they would have without',
    (sizes, order) => {
      const { status, diagnostics } = tiled(cube, sizes, order);
      expect(status).toBe('success');
      expect(diagnostics).toContain(
        `warning: interchange [${order.join(', ')}] leaves the tiled dimensions in their order`,
      );
    },
  );

  it.each([
    [
      [0, 4, 2],
      [0, 2, 1],
    ],
    [
      [1, 2],
      [1, 0],
    ],
    [
      [1, 2],
      [0, 1, 2],
    ],
    [[1, 2], [0]],
    [[1, 2], []],
  ])('is content with sizes %j under interchange %j', (sizes, order) => {
    expect(tiled(cube, sizes, order).diagnostics).toBe('');
  });

  it('keeps what somebody noted on the op', () => {
    expect(tiled(matrix({ attributes: '{tag = "keep"}' }), [2]).text).toContain('attrs =  {tag = "keep"}');
  });

  it('says that the tile stands for the op', () => {
    const tiles = replacementsOf(matrix(), 'linalg.generic', (rewriter, operation) =>
      tileExactlyUsingForOp(rewriter, operation, [2, 3]),
    );
    expect(tiles).toMatchObject([{ name: 'linalg.generic', results: [{ type: { shape: [2, 3] } }] }]);
  });

  it('gives handles to tiles and loops, the loops of each depth together, the outermost first', () => {
    const two = `${matrix()}${matrix().replace('@f', '@g')}`;
    const script = `${matchOps()}
${tile([2, 3])}
%t0, %t1 = transform.split_handle %t : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%o0, %o1 = transform.split_handle %l#0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%i0, %i1 = transform.split_handle %l#1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
transform.loop.swap_induction_vars %o1 : !transform.any_op
%tt, %tl = transform.structured.tile_using_for %t0 tile_sizes [1] {exact} : ${tileTypes(1)}`;
    const { text, diagnostics } = apply(two, script);
    expect(diagnostics).toBe('');
    const loops = [...text.matchAll(/scf\.for .* to %c(\d)\w* step %c(\d)/g)].map(
      ([, to, step]) => `${to!}/${step!}`,
    );
    expect(loops).toEqual(['4/2', '6/3', '2/1', '6/3', '4/2']);
  });

  it('gives empty handles for no targets', () => {
    const script = `${matchOps('linalg.matmul')}
${tile([2, 3])}
%again, %none:2 = transform.structured.tile_using_for %t tile_sizes [2, 3] {exact} : ${tileTypes(2)}
transform.loop.swap_induction_vars %l#1 : !transform.any_op`;
    expect(apply(matrix(), script).status).toBe('success');
  });

  const sized = (value: string, count = 1) => `%p = transform.param.constant ${value} -> !transform.any_param
%all = transform.merge_handles ${Array(count).fill('%p').join(', ')} : !transform.any_param
${matchOps()}
%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%all, 3] {exact} : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op, !transform.any_op)`;

  it('takes sizes that parameters hold', () => {
    expect(apply(matrix(), sized('2 : i64'))).toEqual(apply(matrix(), `${matchOps()}\n${tile([2, 3])}`));
  });

  it.each([
    ['"two"', 1, 'expected a positive integer for each of 1 targets, got ["two"]'],
    ['0 : i64', 1, 'expected a positive integer for each of 1 targets, got [0 : i64]'],
    ['2 : i64', 2, 'expected a positive integer for each of 1 targets, got [2 : i64, 2 : i64]'],
    ['5 : i64', 1, 'tile size 5 exceeds dimension 0 of extent 4'],
  ])('refuses a parameter of %s, %d times', (value, count, message) => {
    expect(apply(matrix(), sized(value, count)).diagnostics).toContain(message);
  });

  it('refuses a parameter that does not hold a size for one of two targets', () => {
    const two = `${matrix()}${matrix().replace('@f', '@g')}`;
    const script = `%p = transform.param.constant 2 : i64 -> !transform.any_param
%z = transform.param.constant 0 : i64 -> !transform.any_param
%both = transform.merge_handles %p, %z : !transform.any_param
${matchOps()}
%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%both, 3] : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op, !transform.any_op)`;
    expect(apply(two, script).diagnostics).toContain('for each of 2 targets, got [2 : i64, 0 : i64]');
  });

  it('is recorded with parameters, and refuses as sizes what is none', () => {
    const record = (sizes: unknown) =>
      schedule(($) => {
        const staticSizes = (typeof sizes === 'number' ? [$.param(sizes), 0, 3] : sizes) as readonly number[];
        tileUsingFor({ target: $.match('linalg.generic') }, { staticSizes });
      });
    const { operations } = bodyOf(children(record(2).module.root)[0]!);
    expect(operations.at(-2)).toMatchObject({
      operands: [{}, { type: { body: 'param<i64>' } }],
      results: [{}, {}, {}],
    });
    expect(() => record('23')).toThrow("as 'staticSizes', got '23' [schedule/option]");
    const misspelt = { tileSizes: [2] } as object;
    expect(() => schedule(($) => void tileUsingFor({ target: $.match('linalg.generic') }, misspelt))).toThrow(
      "transform.structured.tile_using_for has no option 'tileSizes'",
    );
    expect(() => record(['2'])).toThrow(
      /tile-using-for-op\.test\.ts:.* expects a list of handles as 'dynamicSizes', got \['2'\] \[schedule\/operand\]/,
    );
  });
});
