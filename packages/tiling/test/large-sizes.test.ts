/** Tile sizes beyond what there is to tile. */
import { describe, expect, it } from 'vitest';
import { apply, matchOps, matrix, tileTypes } from './payloads.ts';

const forLoops = (sizes: string, loops: number): string =>
  `${matchOps()}\n%t, %l:${loops} = transform.structured.tile_using_for %op tile_sizes [${sizes}] : ${tileTypes(loops)}`;

/** Sums of the rows of a 4x6 tensor. */
const rows = matrix({
  iterators: ['parallel', 'reduction'],
  outputs: [{ map: 'd0', type: 'tensor<4xf32>' }],
});

const reduction = (how: string): string =>
  `${matchOps()}\n%f, %p, %c, %l = transform.structured.tile_reduction_using_${how} : ${tileTypes(3)}`;

const threads = (counts: string): string =>
  `${matchOps()}\n%t, %l = transform.structured.tile_using_forall %op num_threads [${counts}] : ${tileTypes(1)}`;

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
    [
      'multitile_sizes',
      `${matchOps()}\n%l, %h, %p = transform.structured.multitile_sizes %op {dimension = 1, target_size = 7} : (!transform.any_op) -> !transform.param<i64>`,
      7,
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

  it('of a reduction is taken, with a warning', () => {
    const { status, diagnostics } = apply(rows, reduction('for %op by tile_sizes = [0, 7]'));
    expect(status).toBe('success');
    expect(diagnostics).toContain('[tile/beyond-extent]');
    expect(diagnostics).toContain('tile size 7 of dimension 1, whose extent is 6');
    expect(apply(rows, reduction('for %op by tile_sizes = [0, 6]')).diagnostics).toBe('');
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

describe('more threads than iterations', () => {
  it.each([
    ['tile_using_forall', matrix(), threads('2, 7')],
    ['tile_reduction_using_forall', rows, reduction('forall %op by num_threads = [0, 7]')],
  ])('of %s are taken, with a warning', (_, payload, script) => {
    const { status, diagnostics } = apply(payload, script);
    expect(status).toBe('success');
    expect(diagnostics).toContain('[tile/idle-threads]');
    expect(diagnostics).toContain('number of threads 7 of dimension 1, whose extent is 6');
    expect(apply(payload, script.replace('7]', '6]')).diagnostics).toBe('');
  });
});
