/** Tile sizes beyond what there is to tile. */
import { describe, expect, it } from 'vitest';
import { apply, matchOps, matrix, tileTypes } from './payloads.ts';

const forLoops = (sizes: string, loops: number): string =>
  `${matchOps()}\n%t, %l:${loops} = transform.structured.tile_using_for %op tile_sizes [${sizes}] : ${tileTypes(loops)}`;

describe('a tile size beyond the extent', () => {
  it.each([
    ['tile_using_for', forLoops('9, 2', 2), 9, 0, 4],
    ['tile_using_for', forLoops('0, 7', 1), 7, 1, 6],
    [
      'tile_using_forall',
      `${matchOps()}\n%t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 12] : ${tileTypes(1)}`,
      12,
      1,
      6,
    ],
    ['fuse', `${matchOps()}\n%t, %l = transform.structured.fuse %op [5] : ${tileTypes(1)}`, 5, 0, 4],
  ])('of %s is taken, with a warning', (_, script, size, dimension, extent) => {
    const { status, diagnostics } = apply(matrix(), script);
    expect(status).toBe('success');
    expect(diagnostics).toContain('[tile/beyond-extent]');
    expect(diagnostics).toContain(`tile size ${size} of dimension ${dimension}, whose extent is ${extent}`);
  });

  it.each([
    ['as large as the extent', matrix(), forLoops('4, 6', 2)],
    [
      'a parameter: it may be computed',
      matrix(),
      `%p = transform.param.constant 8 : i64 -> !transform.param<i64>
${matchOps()}
%t, %l = transform.structured.tile_using_for %op tile_sizes [%p] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)`,
    ],
    ['of an extent that is not known', matrix().replaceAll('4x6', '?x6'), forLoops('9, 2', 2)],
  ])('is none where it is %s', (_, payload, script) => {
    expect(apply(payload, script).diagnostics).toBe('');
  });
});
