import { describe, expect, it } from 'vitest';
import type { Group } from '../../src/bench/figures.ts';
import { drawBenchmark } from '../../src/bench/picture.ts';
import { rowOf, sideOf } from './rows.ts';

const names = ['sconv', 'sconv relaxed', 'peer <1>', 'peer 2', 'peer 3'];
const groups: readonly Group[] = [
  {
    set: 'a-set',
    filters: 'bound',
    rows: [1, 2, 3].map((i) => rowOf(names.map((name, j) => sideOf(name, { gflops: i * (j + 1) })))),
  },
  { set: '', filters: null, rows: [rowOf([sideOf('a', {}), sideOf('b', { seconds: 2 })], { flop: null })] },
];
const svg = drawBenchmark(groups);
const attributes = (element: string, name: string): readonly number[] =>
  [...svg.matchAll(new RegExp(`<${element} [^>]*\\b${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    Number(value),
  );

describe('the picture', () => {
  it('has a dot for each side of each row, and a name for each', () => {
    expect(attributes('circle', 'cx')).toHaveLength(3 * 5 + 2);
    for (const name of ['sconv relaxed', 'peer &lt;1&gt;', 'a-set, filters: bound', 'calls per s'])
      expect(svg).toContain(`>${name}</text>`);
  });
  it('draws nothing outside of itself', () => {
    const [, width = 0, height = 0] = (/viewBox="0 0 (\S+) (\S+)"/.exec(svg) ?? []).map(Number);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    for (const [element, name, limit] of [
      ['circle', 'cx', width],
      ['circle', 'cy', height],
      ['line', 'x1', width],
      ['line', 'x2', width],
      ['text', 'x', width],
      ['text', 'y', height],
    ] as const) {
      for (const value of attributes(element, name)) expect(value >= 0 && value <= limit).toBe(true);
    }
  });
  it('has the faster side further to the right', () => {
    const x = attributes('circle', 'cx').slice(0, 5);
    expect(x).toEqual([...x].sort((a, b) => a - b));
  });
  it('is empty without rows', () => {
    expect(drawBenchmark([])).not.toContain('<circle');
  });
});
