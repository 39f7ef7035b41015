import { identityMap, makeMap, dim } from '@sconv/affine';
import { foreignDialect, foreignPayload, genericPayload, operandOver } from '@sconv/interpreter/testing';
import { replacementsOf, scriptTester } from '@sconv/transform/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tileExactlyUsingForallOp } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';
import { apply, bodyWithIndices, codesIn, matchOps, matrix, printed, vector } from './payloads.ts';

const types = '(!transform.any_op) -> (!transform.any_op, !transform.any_op)';
const forall = (how: string, op = 'linalg.generic') =>
  `${matchOps(op)}\n%t, %l = transform.structured.tile_using_forall %op ${how} {exact} : ${types}`;

const outputOf = (map: string) => ({
  map,
  type: map === 'd1, d0' ? 'tensor<6x4xf32>' : 'tensor<4x6xf32>',
});

const convolution = `func.func @f(%x: tensor<2x3x9x9xf32>, %k: tensor<4x3x3x3xf32>, %o: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, tag} ins(%x, %k : tensor<2x3x9x9xf32>, tensor<4x3x3x3xf32>) outs(%o : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}`;

describe('transform.structured.tile_using_forall {exact}', () => {
  it('puts a named op on slices into one loop', () => {
    const { text } = apply(convolution, forall('num_threads [2, 0, 2]', 'linalg.conv_2d_nchw_fchw'));
    expect(text).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: tensor<2x3x9x9xf32>, %arg1: tensor<4x3x3x3xf32>, %arg2: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
          %0 = scf.forall (%arg3, %arg4) = (0, 0) to (2, 4) step (1, 2) shared_outs(%arg5 = %arg2) -> (tensor<2x4x4x4xf32>) {
            %1 = affine.apply affine_map<(d0) -> (d0 * 2)>(%arg4)
            %extracted_slice = tensor.extract_slice %arg0[%arg3, 0, %1, 0] [1, 3, 5, 9] [1, 1, 1, 1] : tensor<2x3x9x9xf32> to tensor<1x3x5x9xf32>
            %extracted_slice_0 = tensor.extract_slice %arg5[%arg3, 0, %arg4, 0] [1, 4, 2, 4] [1, 1, 1, 1] : tensor<2x4x4x4xf32> to tensor<1x4x2x4xf32>
            %2 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, tag} ins(%extracted_slice, %arg1 : tensor<1x3x5x9xf32>, tensor<4x3x3x3xf32>) outs(%extracted_slice_0 : tensor<1x4x2x4xf32>) -> tensor<1x4x2x4xf32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %2 into %arg5[%arg3, 0, %arg4, 0] [1, 4, 2, 4] [1, 1, 1, 1] : tensor<1x4x2x4xf32> into tensor<2x4x4x4xf32>
            }
          }
          return %0 : tensor<2x4x4x4xf32>
        }
      }
      "
    `);
    expect(text).toBe(apply(convolution, forall('tile_sizes [1, 0, 2]', 'linalg.conv_2d_nchw_fchw')).text);
  });

  it('computes what the whole computes, with every divisor', () => {
    const tiles = fc.record({
      size: fc.integer({ min: 1, max: 3 }),
      count: fc.integer({ min: 1, max: 3 }),
      isTiled: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(tiles, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom(1, 2),
        (drawn, bySize, scale) => {
          const dimensions = [{ size: 2, count: 1, isTiled: true }, ...drawn];
          const extents = dimensions.map(({ size, count }) => size * count);
          const rank = extents.length;
          const scaled = makeMap(
            rank,
            0,
            identityMap(rank).results.map((expr) => expr.mul(scale)),
          );
          const payload = genericPayload({
            iterators: extents.map(() => 'parallel'),
            inputs: [scaled, makeMap(rank, 0, [dim(0)])].map((map) => operandOver(map, extents)),
            outputs: [operandOver(identityMap(rank), extents)],
          });
          const numbers = dimensions.map(({ size, count, isTiled }) =>
            isTiled ? (bySize ? size : count) : 0,
          );
          const how = `${bySize ? 'tile_sizes' : 'num_threads'} [${numbers.join(', ')}]`;
          expect(apply(payload, forall(how)).diagnostics).toBe('');
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ['indices', { body: bodyWithIndices }],
    ['a scalar input', { inputs: [{ map: '', type: 'f32' }] }],
    ['several results', { outputs: ['d0, d1', 'd1, d0'].map(outputOf) }],
  ] as const)('keeps what is computed: %s', (_, changes) => {
    for (const sizes of ['2, 3', '4', '0, 1']) {
      expect(apply(matrix(changes), forall(`tile_sizes [${sizes}]`)).diagnostics).toBe('');
    }
  });

  const reduction = matrix({
    iterators: ['parallel', 'reduction'],
    outputs: [{ map: 'd0', type: 'tensor<4xf32>' }],
  });
  const shared = matrix({ outputs: [{ map: 'd0', type: 'tensor<4xf32>' }] });

  it.each([
    ['not-structured', matrix(), 'tile_sizes [1]', "expected a structured op, got 'func.func'"],
    ['sizes', matrix(), 'tile_sizes [1, 1, 1]', 'expected up to 2 numbers of at least 0, not all of them 0'],
    ['sizes', matrix(), 'num_threads [-2, 1]', 'got [-2, 1]'],
    ['sizes', matrix(), 'num_threads [0, 0]', 'got [0, 0]'],
    ['dynamic', matrix().replaceAll('4x6', '?x6'), 'tile_sizes [0, 2]', 'static tensor type'],
    ['reduction', reduction, 'tile_sizes [0, 2]', 'dimension 1 is reduced'],
    ['race', shared, 'tile_sizes [0, 2]', 'no dimension of a result is dimension 1'],
    ['remainder', matrix(), 'tile_sizes [3]', '3 does not divide dimension 0 of extent 4: split it first'],
    ['remainder', matrix(), 'num_threads [0, 4]', '4 does not divide dimension 1 of extent 6'],
    [
      'out-of-bounds',
      matrix({ inputs: [{ map: 'd0 * 5 - d1 * 3', type: 'tensor<8xf32>' }] }),
      'tile_sizes [2]',
      'dimension 0 of operand 0',
    ],
    ['unsound-slice', vector('d0 ceildiv 2', 'tensor<3xf32>'), 'tile_sizes [2]', "'d0 ceildiv 2' at 0"],
  ])('refuses %s: %#', (code, payload, how, message) => {
    const op = code === 'not-structured' ? 'func.func' : 'linalg.generic';
    const { status, diagnostics } = apply(payload, forall(how, op));
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[tile/${code}]`);
    expect(diagnostics).toContain(message);
  });

  it('refuses to tile an op of another dialect whose map would be another', () => {
    const ofForeign = scriptTester(transforms, { dialects: [foreignDialect] });
    const { diagnostics } = ofForeign(foreignPayload, forall('tile_sizes [2]', 'foreign.add_next'));
    expect(diagnostics).toContain(
      "otherwise than 'foreign.add_next' does: generalize it first [tile/named-map]",
    );
  });

  it('says that the tile stands for the op', () => {
    const tiles = replacementsOf(matrix(), 'linalg.generic', (rewriter, operation) =>
      tileExactlyUsingForallOp(rewriter, operation, { tileSizes: [2, 3] }),
    );
    expect(tiles).toMatchObject([{ name: 'linalg.generic', results: [{ type: { shape: [2, 3] } }] }]);
  });
});

describe('the text of transform.structured.tile_using_forall', () => {
  const op = 'transform.structured.tile_using_forall %root';

  it.each([
    `%tiled_op, %forall_op = ${op} num_threads [0, 2] : ${types}`,
    `%tiled_op, %forall_op = ${op} tile_sizes [1, 0, 4] {tag} : ${types}`,
    `%tiled_op, %forall_op = ${op} num_threads [4] tile_sizes [2] : ${types}`,
    `%tiled_op, %forall_op = ${op} tile_sizes *(%root) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)`,
  ])('is printed as it is read: %s', (line) => {
    expect(printed(line)).toEqual([line]);
  });

  it.each([
    [`%t, %l = ${op} : ${types}`, 'either (packed_)num_threads or (packed_)tile_sizes must be specified'],
    [`%t, %l = ${op} num_threads [] : ${types}`, 'must be specified'],
    [`%t, %l = ${op} num_threads [1] tile_sizes [1] : ${types}`, '[transform/not-implemented]'],
  ])('refuses %s', (line, message) => {
    expect(apply(matrix(), line).diagnostics).toContain(message);
  });
});

describe('transform.structured.tile_using_forall num_threads', () => {
  const script = (threads: number): string =>
    `${matchOps()}\n%t, %l = transform.structured.tile_using_forall %op num_threads [${threads}] : ${types}`;
  const windows = genericPayload({
    iterators: ['parallel', 'reduction'],
    inputs: [
      { map: 'd0 + d1', type: 'tensor<7xf32>' },
      { map: 'd1', type: 'tensor<3xf32>' },
    ],
    outputs: [{ map: 'd0', type: 'tensor<5xf32>' }],
  });

  it.each([
    ['of no window', vector('d0', 'tensor<5xf32>', 5), 4],
    ['of no window', vector('d0', 'tensor<5xf32>', 5), 9],
    ['that all have windows', windows, 3],
    ['that all have windows', windows, 5],
  ])('keeps what is computed by threads %s: %#', (_, payload, threads) => {
    const idle = threads > 5 ? ['tile/idle-threads'] : [];
    expect(codesIn(apply(payload, script(threads)).diagnostics)).toEqual(idle);
  });

  it.each([
    [4, 'the last of 4 threads would get none of 5 iterations'],
    [6, "and read outside of an operand at 'd0 + d1': take 5"],
  ])('refuses %d threads, some without windows', (threads, message) => {
    const { diagnostics } = apply(windows, script(threads));
    expect(diagnostics).toContain('[tile/out-of-bounds]');
    expect(diagnostics).toContain(message);
  });

  it.each([
    // Four windows of 3 in steps of 1, 2 and 4: no, one and no elements in common, one and none between.
    [1, 3],
    [1, 5],
    [2, 3],
    [4, 3],
    [4, 7],
  ])('gives nothing to read to threads without windows, in steps of %d, of %d threads', (stride, threads) => {
    const payload = `func.func @f(%o: tensor<?xf32>, %k: tensor<3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  %size = tensor.dim %o, %c0 : tensor<?xf32>
  %end = affine.apply affine_map<(d0) -> (d0 * ${stride} + ${3 - stride})>(%size)
  %e = tensor.empty(%end) : tensor<?xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * ${stride} + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %k : tensor<?xf32>, tensor<3xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%u: f32, %v: f32, %w: f32):
    %1 = arith.mulf %u, %v : f32
    %2 = arith.addf %w, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}`;
    expect(apply(payload, script(threads)).diagnostics).toBe('');
  });
});
