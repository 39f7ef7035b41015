import { contractionOf, parseShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { parseScheme, printScheme } from '@sconv/schemes';
import { machineFromFigures, type KernelFamily } from '@sconv/targets';
import { expect, it } from 'vitest';
import { rankSchemes, schemeMetric, schemeSpace, strategies } from '../src/index.ts';

const machine = machineFromFigures({
  name: 'small caches',
  cacheBytes: [4096, 65_536, 0],
  lineBytes: 64,
  latencyCycles: [4, 14, 50, 200],
  source: 'a test',
});
const family: KernelFamily = {
  lanes: 4,
  source: 'a test',
  classes: [{ unroll: { channels: 1, tapRows: 1, tapColumns: 1 }, vectors: 2, heights: [3, 4] }],
};
const contraction = contractionOf(parseShape('1x32x9x9,32x32x3x3'), {
  input: 'nhwgc',
  filters: 'ghwcf',
  output: 'nhwgf',
});
const inPlace = { input: 'never', filters: 'never' } as const;
const space = schemeSpace(contraction, family, { levels: 1, packs: inPlace });
const metric = schemeMetric(contraction, machine);

const seeded = (seed: number) => (): number => {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
};

it.each([
  ['[T(k,4), T(w,7), lambda(h; b; [(1,3),(1,4)]), T(c,32), T(r,3), T(s,3), U(h,b), U(k,2), V(k,4)]', 288],
  ['[T(k,4), T(s,3), T(r,3), T(w,7), lambda(h; b; [(1,3),(1,4)]), T(c,32), U(h,b), U(k,2), V(k,4)]', 32],
  [
    '[T(k,4), T(c,8), T(w,7), lambda(h; b; [(1,3),(1,4)]), T(c,4), T(r,3), U(s,3), U(h,b), U(k,2), V(k,4)]',
    12,
  ],
])('%s sums up %i times above the microkernel', (text, reduction) => {
  expect(metric(unwrap(parseScheme(text))).reduction).toBe(reduction);
});

it('says what is moved into each cache', () => {
  const text =
    '[T(k,4), T(w,7), lambda(h; b; [(1,3),(1,4)]), T(c,32), T(r,3), T(s,3), U(h,b), U(k,2), V(k,4)]';
  const { volume, cycles, intensity } = metric(unwrap(parseScheme(text)));
  expect(volume.l1).toBeGreaterThan(volume.l2);
  // All operands at least; there is no third cache.
  expect(volume.l2).toBeGreaterThanOrEqual(4 * (32 * 81 + 32 * 32 * 9 + 32 * 49));
  expect(volume.l3).toBe(0);
  expect(cycles).toBeCloseTo(((volume.l1 - volume.l2) / 64) * 14 + (volume.l2 / 64) * 200);
  expect(intensity).toBeCloseTo((2 * 32 * 49 * 32 * 9) / (volume.l1 + volume.l2));
});

it.each(['paper', 'volume', 'random'] as const)('ranks by %s, the same for the same seed', (strategy) => {
  const of = (seed: number) =>
    rankSchemes(space, machine, { strategy, count: 20, looked: 60, random: seeded(seed) });
  const ranked = of(5);
  expect(ranked).toHaveLength(20);
  expect(new Set(ranked.map(({ scheme }) => printScheme(scheme))).size).toBe(20);
  expect(of(5)).toEqual(ranked);
  expect(of(6)).not.toEqual(ranked);
  expect(ranked.every(({ index, scheme }) => space.indexOf(scheme) === index)).toBe(true);
});

it('takes the 40 % with the largest reductions first, as TT does, or those of no small one', () => {
  const all = rankSchemes(space, machine, { strategy: 'random', count: 10_000, random: seeded(1) });
  expect(BigInt(all.length)).toBe(space.count);
  const reductions = all.map(({ reduction }) => reduction).sort((a, b) => b - a);
  const paper = rankSchemes(space, machine, { strategy: 'paper', count: 10_000, looked: 10_000 });
  expect(paper).toHaveLength(Math.ceil(0.4 * all.length));
  expect(Math.min(...paper.map(({ reduction }) => reduction))).toBe(reductions[paper.length - 1]);
  const volume = rankSchemes(space, machine, { count: 10_000, looked: 10_000 });
  expect(volume).toHaveLength(all.filter(({ reduction }) => reduction >= 0.1 * reductions[0]!).length);
  for (const ranked of [paper, volume])
    expect(ranked.map(({ cycles }) => cycles)).toEqual(
      ranked.map(({ cycles }) => cycles).sort((a, b) => a - b),
    );
});

it('ranks those of equal cycles by their numbers, in whatever order they were drawn', () => {
  const drawn = rankSchemes(space, machine, { strategy: 'random', count: 200, random: seeded(2) });
  expect(new Set(drawn.map(({ cycles }) => cycles)).size).toBeLessThan(drawn.length);
  expect(strategies.volume(drawn.toReversed())).toEqual(strategies.volume(drawn));
});

it.each([
  [() => rankSchemes(space, machine, { strategy: 'best' as 'paper' }), 'spaces/strategy'],
  [() => rankSchemes(space, machine, { count: 0 }), 'spaces/extent'],
  [() => rankSchemes(space, machine, { looked: 1e9 }), 'spaces/extent'],
  [
    () => schemeMetric({ ...contraction, dimensions: contraction.dimensions.slice(1) }, machine),
    'spaces/contraction',
  ],
])('refuses %s', (make, code) => {
  expect(make).toThrow(expect.objectContaining({ name: 'SpaceError', code }));
});
