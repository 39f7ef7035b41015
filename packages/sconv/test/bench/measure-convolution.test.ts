import { parseShape } from '@sconv/csa';
import { referenceConvolution } from '@sconv/interpreter';
import { wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { clocks } from '../../src/bench/clock.ts';
import type { Row } from '../../src/bench/figures.ts';
import type { FilterUse, Implementation } from '../../src/bench/implementation.ts';
import { measureConvolution } from '../../src/bench/measure-convolution.ts';
import { measuredPeaks } from '../../src/bench/measure-sides.ts';
import { ours } from '../../src/bench/ours.ts';
import { productOf } from '../../src/bench/shape-sets.ts';
import { elementsOf, outputSizes } from '../../src/bench/workload.ts';

const shape = parseShape('1x5x9x10,6x5x3x2,s2x1');
const clock = clocks.wall;
const peaks = measuredPeaks(clock);

/** Plain loops as a side, whose results `change` may corrupt. */
const loops = (name: string, change: (result: Float32Array) => Float32Array): Implementation => ({
  name,
  version: '1',
  mix: undefined,
  prepare: (of, _, { input, filters }) => {
    const compute = (): Float32Array =>
      referenceConvolution(of, input, filters, new Float32Array(elementsOf(outputSizes(of))));
    return { call: compute, result: () => change(compute()), dispose: () => undefined };
  },
});
const right = loops('loops', (result) => result);
const wrong = loops('wrong', (result) => result.map((value, i) => (i === 7 ? value + 1 : value)));
const unable: Implementation = {
  ...right,
  name: 'unable',
  prepare: () => {
    throw new Error('not this one');
  },
};

const measure = (
  implementations: readonly Implementation[],
  filters: FilterUse = 'bound',
  signal?: AbortSignal,
): Promise<Row | undefined> =>
  measureConvolution({ name: 'small', shape }, filters, implementations, {
    samples: 2,
    sampleSeconds: 1e-4,
    warmUpSeconds: 0,
    clock,
    peaks,
    ...(signal === undefined ? {} : { signal }),
  });

describe('a matrix product', () => {
  const multiplying: Implementation = { ...right, name: 'multiplying', prepareProduct: right.prepare };
  const product = productOf('17x9x13')!;

  it.each([1, 2])('is measured on the sides that have them, with %i threads', async (threads) => {
    const row = await measureConvolution(
      product,
      'arguments',
      [ours('sconv', wasm, { threads }), right, multiplying],
      {
        samples: 2,
        sampleSeconds: 1e-4,
        warmUpSeconds: 0,
        clock,
        peaks,
      },
    );
    expect(row).toMatchObject({ name: '17x9x13', shape: null, flop: 2 * 17 * 9 * 13, failed: [] });
    expect(row?.sides.map((side) => [side.name, side.how])).toEqual([
      ['sconv', 'as written'],
      ['multiplying', null],
    ]);
  });

  it('is planned where that pays', async () => {
    const row = await measureConvolution(productOf('64x64x64')!, 'arguments', [ours('sconv', wasm)], {
      samples: 1,
      sampleSeconds: 1e-4,
      warmUpSeconds: 0,
      clock,
      peaks,
    });
    expect(row?.sides[0]?.how).toMatch(/^(IS|WS) \d+x\d+ /);
  });
});

describe('a convolution on several sides', () => {
  it.each(['bound', 'arguments'] as const)('has figures of all, filters %s', async (filters) => {
    const row = await measure([ours('sconv', wasm), right], filters);
    expect(row).toMatchObject({ name: 'small', shape, threads: 1, flop: 2 * 6 * 4 * 9 * 30, failed: [] });
    const [first, second] = row?.sides ?? [];
    expect(first).toMatchObject({ name: 'sconv', ratio: null, seconds: { samples: 2 } });
    expect(first?.how).toMatch(/^(IS|WS) \d+x\d+ Nc\d+ K2 \d+ K3 \d+$/);
    // Little work: compared with the bandwidth as well.
    expect(first?.peakShare?.samples).toBe(2);
    expect(first?.bandwidthShare?.samples).toBe(2);
    // Not WebAssembly: its peak is unknown.
    expect(second).toMatchObject({ name: 'loops', how: null, peakShare: null, ratio: { samples: 2 } });
  });
  it('leaves out those that are wrong or cannot', async () => {
    const row = await measure([right, wrong, unable]);
    expect(row?.sides.map(({ name }) => name)).toEqual(['loops']);
    expect(row?.failed).toEqual([
      { name: 'wrong', reason: '1 of 216 elements are not those of loops' },
      { name: 'unable', reason: 'not this one' },
    ]);
  });
  it('has no ratios without the first', async () => {
    const row = await measure([unable, right]);
    expect(row?.sides).toMatchObject([{ name: 'loops', ratio: null }]);
  });
  it('is nothing after a signal', async () => {
    expect(await measure([right], 'bound', AbortSignal.abort())).toBeUndefined();
  });
});
