import { describe, expect, it } from 'vitest';
import { affineMap, printExpr } from '@sconv/affine';
import { tileOperand } from '../src/tile-operand.ts';

/** `tileOperand` in an op of 4x6x3 iterations, with expressions as text. */
const operand = (map: string, shape: readonly number[], tileSizes: readonly number[]) => {
  const tile = tileOperand(affineMap(map), shape, [4, 6, 3], tileSizes);
  if (!('results' in tile))
    return tile.kind === 'not-linear' ? { ...tile, expr: printExpr(tile.expr) } : tile;
  return {
    results: tile.results.map((result) => printExpr(result)).join(', '),
    offsets: tile.slice?.offsets.map((offset) => (offset === 0 ? '-' : printExpr(offset))).join(', '),
    sizes: tile.slice?.sizes,
  };
};

describe('tileOperand', () => {
  it.each([
    // Each dimension of the operand on its own.
    ['(d0, d1, d2) -> (d0, d1)', [4, 6], [2, 3, 0], 'd0, d1', 'd0, d1', [2, 3]],
    ['(d0, d1, d2) -> (d1, d0)', [6, 4], [2, 0, 0], 'd1, d0', '-, d0', [6, 2]],
    // An untiled dimension covers its whole range in each tile.
    ['(d0, d1, d2) -> (d0 + d1)', [9], [2, 0, 0], 'd0 + d1', 'd0', [7]],
    ['(d0, d1, d2) -> (d0 * 2 + d2 * 3)', [13], [2, 0, 1], 'd0 * 2 + d2 * 3', 'd0 * 2 + d2 * 3', [3]],
    // A constant only affects the offset.
    ['(d0, d1, d2) -> (d0 + 5)', [9], [2, 0, 0], 'd0', 'd0 + 5', [2]],
    // A slice begins at its smallest element, even if the last iteration reads it.
    ['(d0, d1, d2) -> (-d0 + 3)', [4], [2, 0, 0], '-d0 + 1', '-d0 + 2', [2]],
    ['(d0, d1, d2) -> (d1 - d2 + 2)', [8], [0, 2, 0], 'd1 - d2 + 2', 'd1', [4]],
    // A quotient of an untiled dimension moves with the rest.
    ['(d0, d1, d2) -> (d0 + d1 mod 4)', [7], [2, 0, 0], 'd0 + d1 mod 4', 'd0', [5]],
    // Operand dimensions that no loop moves are not sliced.
    ['(d0, d1, d2) -> (d0, 7, d1 mod 2)', [4, 9, 5], [2, 0, 0], 'd0, 7, d1 mod 2', 'd0, -, -', [2, 9, 5]],
  ])('%s of %j in tiles of %j', (map, shape, tileSizes, results, offsets, sizes) => {
    expect(operand(map, shape, tileSizes)).toEqual({ results, offsets, sizes });
  });

  it.each([
    ['(d0, d1, d2) -> (d1, 2)', [6, 9], [2, 0, 1], 'd1, 2'],
    ['(d0, d1, d2) -> ((d1 + d2) floordiv 2)', [9], [2, 0, 0], '(d1 + d2) floordiv 2'],
    ['(d0, d1, d2) -> ()', [], [2, 3, 1], ''],
  ])('takes whole what no loop moves: %s of %j in tiles of %j', (map, shape, tileSizes, results) => {
    expect(operand(map, shape, tileSizes)).toEqual({ results, offsets: undefined, sizes: undefined });
  });

  it.each([
    ['(d0, d1, d2) -> (d0 floordiv 2)', [2, 0, 0], 'd0 floordiv 2'],
    ['(d0, d1, d2) -> (d0 mod 2)', [2, 0, 0], 'd0 mod 2'],
    ['(d0, d1, d2) -> (d0 ceildiv 2)', [2, 0, 0], 'd0 ceildiv 2'],
    ['(d0, d1, d2) -> ((d0 + d1) floordiv 2)', [2, 0, 0], '(d0 + d1) floordiv 2'],
    ['(d0, d1, d2) -> ((d0 + d1) floordiv 2)', [0, 3, 0], '(d0 + d1) floordiv 2'],
    ['(d0, d1, d2) -> ((d0 + d1) floordiv 2)', [2, 3, 0], '(d0 + d1) floordiv 2'],
    ['(d0, d1, d2) -> (d0, d1 + (d2 mod 2) * 3)', [0, 0, 1], 'd1 + (d2 mod 2) * 3'],
    ['(d0, d1, d2) -> (d0, (d2 mod 2) * 3 + d1)', [2, 0, 1], '(d2 mod 2) * 3 + d1'],
    // The first of several.
    ['(d0, d1, d2) -> (d0 mod 2, d1 floordiv 3)', [2, 3, 0], 'd0 mod 2'],
  ])('refuses what restarts: %s in tiles of %j', (map, tileSizes, expr) => {
    expect(operand(map, [99, 99], tileSizes)).toMatchObject({ kind: 'not-linear', expr });
  });

  it.each([
    ['below', '(d0, d1, d2) -> (d0 - 1)', [9], [2, 0, 0], 0],
    ['above', '(d0, d1, d2) -> (d0 + 1)', [4], [2, 0, 0], 0],
    ['in a later dimension', '(d0, d1, d2) -> (d0, d1 * 2)', [4, 10], [2, 3, 0], 1],
    ['in its last tile only', '(d0, d1, d2) -> (d1 * 2)', [10], [0, 2, 0], 0],
    ['in its first tile only', '(d0, d1, d2) -> (d1 * 2 - 1)', [99], [0, 2, 0], 0],
  ])('refuses a slice that reaches outside %s: %s', (_, map, shape, tileSizes, position) => {
    expect(operand(map, shape, tileSizes)).toEqual({ kind: 'out-of-bounds', position });
  });

  it.each([
    ['(d0, d1, d2) -> (d1 * 2)', [11], [0, 2, 0], [3]],
    ['(d0, d1, d2) -> (d1 * 2 + 1)', [12], [0, 6, 0], [11]],
  ])('reaches the last element: %s of %j in tiles of %j', (map, shape, tileSizes, sizes) => {
    expect(operand(map, shape, tileSizes)).toMatchObject({ sizes });
  });

  it('slices nothing for no iterations', () => {
    const tile = tileOperand(affineMap('(d0, d1) -> (d0 + d1)'), [4], [0, 4], [0, 2]);
    expect(tile).toMatchObject({ slice: { sizes: [0] } });
  });
});
