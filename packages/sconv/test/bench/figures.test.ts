import { describe, expect, it } from 'vitest';
import type { Row, SideFigures } from '../../src/bench/figures.ts';
import { meansOf } from '../../src/bench/figures.ts';
import { rowOf, sideOf } from './rows.ts';

const ratios = (...values: readonly number[]): readonly Row[] =>
  values.map((ratio) =>
    rowOf([sideOf('ours', { gflops: 10 }), sideOf('peer', { gflops: 10 / ratio, ratio })]),
  );

const means = (rows: readonly Row[], name: string) => meansOf({ rows }).find((each) => each.name === name);

describe('the means of a group', () => {
  it('are geometric ones, of each side', () => {
    const rows = ratios(2, 8);
    expect(meansOf({ rows }).map(({ name }) => name)).toEqual(['ours', 'peer']);
    expect(means(rows, 'peer')?.ratio).toBeCloseTo(4, 12);
    expect(means(rows, 'peer')?.gflops).toBeCloseTo(2.5, 12);
    expect(means(rows, 'ours')).toMatchObject({ rows: 2, ratio: null, comparedRows: 0, slowerRows: 0 });
  });
  it('say where the first side is slower', () => {
    expect(means(ratios(2, 0.5, 0.9, 1), 'peer')).toMatchObject({
      leastRatio: 0.5,
      comparedRows: 4,
      slowerRows: 2,
    });
  });
  it('leave out rows without figures of the side', () => {
    const alone = rowOf([sideOf('ours', { gflops: 40 })]);
    expect(means([...ratios(3), alone], 'peer')).toMatchObject({ rows: 1 });
    expect(means([...ratios(3), alone], 'ours')?.gflops).toBeCloseTo(20, 12);
  });
  it.each(['peakShare', 'bandwidthShare'] as const)('take the %s of rows that have one', (share) => {
    const withShare = (value: number): SideFigures => ({
      ...sideOf('ours', {}),
      [share]: { median: value, low: value, high: value, samples: 1 },
    });
    const rows = [rowOf([withShare(0.4)]), rowOf([withShare(0.9)]), rowOf([sideOf('ours', {})])];
    expect(means(rows, 'ours')?.[share]).toBeCloseTo(0.6, 12);
  });
});
