import { describe, expect, it } from 'vitest';
import { countPoints, pointsOf, randomNumbers, randomPoint } from '../src/points.ts';

const inf = Infinity;

describe('the points of a box', () => {
  it.each([
    [[], 1],
    [[{ min: 3, max: 3 }], 1],
    [
      [
        { min: -1, max: 1 },
        { min: 5, max: 8 },
      ],
      12,
    ],
    [
      [
        { min: 0, max: 1 },
        { min: 0, max: inf },
      ],
      inf,
    ],
  ])('%j: %d', (intervals, count) => {
    expect(countPoints(intervals)).toBe(count);
    if (Number.isFinite(count)) expect([...pointsOf(intervals)]).toHaveLength(count);
  });

  it('come with the last coordinate fastest', () => {
    const points = [
      ...pointsOf([
        { min: -1, max: 0 },
        { min: 4, max: 6 },
      ]),
    ];
    // A single reused array: it holds the last point.
    expect(new Set(points).size).toBe(1);
    const copies = [];
    for (const point of pointsOf([
      { min: -1, max: 0 },
      { min: 4, max: 6 },
    ]))
      copies.push([...point]);
    expect(copies).toEqual([
      [-1, 4],
      [-1, 5],
      [-1, 6],
      [0, 4],
      [0, 5],
      [0, 6],
    ]);
  });
});

describe('random numbers', () => {
  it('are the same everywhere, so that a counterexample can be found again', () => {
    const numbers = randomNumbers(1);
    expect(Array.from({ length: 4 }, () => Math.floor(numbers() * 1e6))).toEqual([
      627073, 2735, 527447, 981050,
    ]);
  });
});

describe('random points', () => {
  it('are the same everywhere, too', () => {
    const random = randomNumbers(1);
    const box = [
      { min: 0, max: 1 << 20 },
      { min: -inf, max: inf },
    ];
    expect(Array.from({ length: 6 }, () => randomPoint(box, random))).toEqual([
      [0, 97],
      [642608, -1484],
      [512532, -1925],
      [1048576, -4],
      [28, -92],
      [80, -59],
    ]);
  });
});

describe('a random point', () => {
  const boxes = {
    finite: { min: -50_000, max: 70_000 },
    'far away': { min: 1_000_000, max: 1_000_500 },
    negative: { min: -2_000_000, max: -1_000_000 },
    'bounded below': { min: 7, max: inf },
    'bounded above': { min: -inf, max: -7 },
    unbounded: { min: -inf, max: inf },
  };
  const drawn = Object.entries(boxes).map(([name, interval]) => {
    const random = randomNumbers(7);
    const values = Array.from({ length: 5000 }, () => randomPoint([interval], random)[0]!);
    return { name, interval, values };
  });

  it.each(drawn)('of an interval that is $name lies in it', ({ interval: { min, max }, values }) => {
    for (const value of values)
      expect(Number.isSafeInteger(value) && value >= min && value <= max).toBe(true);
  });

  it.each(drawn)('of an interval that is $name is one of its ends now and then', ({ interval, values }) => {
    for (const end of [interval.min, interval.max].filter(Number.isFinite)) {
      const share = values.filter((value) => value === end).length / values.length;
      expect(share).toBeGreaterThan(0.08);
    }
  });

  it.each(['finite', 'unbounded'])(
    'of an interval that is %s is near 0 now and then, and far away',
    (name) => {
      const { values } = drawn.find((each) => each.name === name)!;
      const share = (least: number, most: number) =>
        values.filter((value) => Math.abs(value) > least && Math.abs(value) <= most).length / values.length;
      const shares = [share(-1, 4), share(4, 100), share(100, 10_000)];
      for (const each of shares) expect(each).toBeGreaterThan(0.1);
      // Both signs.
      expect(values.some((value) => value < -4) && values.some((value) => value > 4)).toBe(true);
    },
  );

  it('of a finite interval may be anywhere in it', () => {
    const { values } = drawn.find(({ name }) => name === 'finite')!;
    const inner = values.filter((value) => Math.abs(value) > 10_000 && value > -50_000 && value < 70_000);
    expect(inner.length / values.length).toBeGreaterThan(0.1);
  });
});
