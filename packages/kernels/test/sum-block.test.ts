import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SumSpace, SumUnit } from '../src/index.ts';
import { blockParts, sumBlock } from '../src/index.ts';

/** Sixteen registers of eight lanes; a block leaves some for what it loads. */
const unit: SumUnit = {
  lanes: 8,
  sumsBeside: (vectors) => 14 - vectors,
  mostVectors: 4,
  rowCost: 0.5,
  latency: 8,
};

/** Lanes along dimension 1; rows, if there are any, along dimension 0. */
const space = (changes: Partial<SumSpace>, rows = 1): SumSpace => ({
  lanes: 64,
  arithmetic: 2,
  inputs: [],
  rows: new Map(rows === 1 ? [] : [[0, rows]]),
  ...changes,
});

const element = { cost: 1, alongLanes: false, along: [true] };
const vector = { cost: 1, alongLanes: true, along: [false] };
const own = { cost: 1, alongLanes: true, along: [true] };

describe('a block of sums', () => {
  it.each<[string, SumSpace, SumUnit, string]>([
    ['of a product', space({ inputs: [element, vector] }, 60), unit, '2 vectors, 6 rows of 0'],
    ['of a product of few rows', space({ inputs: [element, vector] }, 3), unit, '3 vectors, 3 rows of 0'],
    ['of a product of one row', space({ inputs: [element, vector] }), unit, '4 vectors, 1 rows of none'],
    ['of a product of one vector', space({ lanes: 8, inputs: [element, vector] }, 60), unit, '1 vectors, 13 rows of 0'],
    ['of what rows do not share', space({ inputs: [own] }, 60), unit, '2 vectors, 6 rows of 0'],
    ['of slow vectors that rows share', space({ inputs: [element, { ...vector, cost: 9 }] }, 60), unit, '1 vectors, 13 rows of 0'],
    ['of what no register is left for', space({ inputs: [vector] }, 3), { ...unit, sumsBeside: () => 0 }, '1 vectors, 1 rows of none'],
    ['without limit', space({ lanes: 200, inputs: [vector] }), { ...unit, mostVectors: 13, sumsBeside: () => 13 }, '13 vectors, 1 rows of none'],
  ])('%s', (_, sums, by, expected) => {
    const { dimension = 'none', vectors, rows } = sumBlock(sums, by);
    expect(`${vectors} vectors, ${rows} rows of ${dimension}`).toBe(expected);
  }); // prettier-ignore

  it('is of the first of two dimensions that are alike', () => {
    const inputs = [{ cost: 1, alongLanes: true, along: [false, true, false] }];
    const rows = [[2, 5] as const, [0, 5] as const];
    expect(sumBlock(space({ lanes: 8, inputs, rows: new Map(rows) }), unit).dimension).toBe(2);
    expect(sumBlock(space({ lanes: 8, inputs, rows: new Map(rows.toReversed()) }), unit).dimension).toBe(0);
  });

  it('fits into the registers, and is no larger than the sums', () => {
    const size = fc.integer({ min: 1, max: 70 });
    const input = fc.record({
      cost: fc.integer({ min: 1, max: 9 }),
      alongLanes: fc.boolean(),
      along: fc.tuple(fc.boolean()),
    });
    fc.assert(
      fc.property(size, size, fc.array(input, { maxLength: 3 }), (lanes, extent, inputs) => {
        const { vectors, rows } = sumBlock(space({ lanes, inputs }, extent), unit);
        expect(vectors).toBeLessThanOrEqual(Math.min(4, Math.ceil(lanes / unit.lanes)));
        expect(vectors * rows).toBeLessThanOrEqual(unit.sumsBeside(vectors));
        expect(rows).toBeLessThanOrEqual(extent);
      }),
    );
  });
});

describe('the parts of a dimension', () => {
  it.each([
    [12, 4, [{ first: 0, points: 4, count: 3 }]],
    [
      14,
      4,
      [
        { first: 0, points: 4, count: 3 },
        { first: 12, points: 2, count: 1 },
      ],
    ],
    [3, 4, [{ first: 0, points: 3, count: 1 }]],
  ])('%i by %i', (extent, points, parts) => {
    expect(blockParts(extent, points)).toEqual(parts);
  });
});
