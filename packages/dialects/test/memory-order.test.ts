import { unwrap } from '@sconv/diagnostics';
import { edit } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { accessesIn, countersOf, differWith, mayConflict } from '../src/index.ts';
import { inFunction, parse, registry } from './support.ts';

/** Whether what a loop writes at `first` is not written at `second` in another iteration. */
const areApart = (first: string, second: string): boolean => {
  const lines = `%c0 = arith.constant 0 : index
%c8 = arith.constant 8 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %c8 step %c1 {
  %a = ${first}
  %b = ${second}
  memref.store %x, %m[%a] : memref<64xf32>
  memref.store %x, %m[%b] : memref<64xf32>
}`;
  const text = inFunction(`%m: memref<64xf32>, %x: f32, %n: index`, lines);
  return edit(unwrap(parse(text)), { registry }, (rewriter) => {
    const loop = rewriter.walk(rewriter.root).find(({ name }) => name === 'scf.for')!;
    const counters = countersOf(rewriter, loop);
    const [one, other] = accessesIn(rewriter, loop);
    return !mayConflict(rewriter, one!, other!, (a, b) =>
      differWith(rewriter, [a, counters], [b, counters], loop),
    );
  }).results;
};

describe('accesses of two iterations are of different elements', () => {
  const applied = (map: string, operands = '%i'): string => `affine.apply affine_map<${map}>(${operands})`;
  const itself = applied('(d0) -> (d0)');

  it.each([
    ['at the counter', itself, itself],
    ['at a multiple of it', applied('(d0) -> (d0 * 2)'), applied('(d0) -> (d0 * 2)')],
    ['at one behind a multiple', applied('(d0) -> (d0 * 2 + 1)'), applied('(d0) -> (d0 * 2 + 1)')],
    ['backwards', applied('(d0) -> (-d0 + 8)'), applied('(d0) -> (-d0 + 8)')],
  ])('%s', (_, first, second) => {
    expect(areApart(first, second)).toBe(true);
  });

  it.each([
    ['one behind the other', itself, applied('(d0) -> (d0 + 1)')],
    ['at other multiples', applied('(d0) -> (d0 * 2)'), applied('(d0) -> (d0 * 3)')],
    ['all at one element', applied('(d0) -> (d0 * 0)'), applied('(d0) -> (d0 * 0)')],
    ['in pairs', applied('(d0) -> (d0 floordiv 2)'), applied('(d0) -> (d0 floordiv 2)')],
    [
      'with another number',
      applied('(d0, d1) -> (d0 + d1)', '%i, %n'),
      applied('(d0, d1) -> (d0 + d1)', '%i, %n'),
    ],
    ['at another number', applied('(d0) -> (d0)', '%n'), applied('(d0) -> (d0)', '%n')],
  ])('but maybe not %s', (_, first, second) => {
    expect(areApart(first, second)).toBe(false);
  });
});
