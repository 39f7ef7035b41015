import { sconvDefaults, wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { parseShape, planConvolution } from '../src/index.ts';

const listing1 = parseShape('1x32x152x152,256x32x3x3,s2');

describe('planConvolution', () => {
  it.each(['sc', 'reference'] as const)('gives the sizes of ST §5.1.1 for Listing 1 (%s)', (costModel) => {
    const plan = planConvolution(listing1, sconvDefaults, { costModel });
    expect(plan).toMatchObject({
      schedule: 'is',
      nc: 32,
      k2: 32,
      k3: 87,
      remainders: { nc: 0, k2: 0, k3: 3 },
      tiles: { windows: 351, filters: 32 },
      edges: { windows: 9, filters: 0 },
      warnings: [],
    });
  });

  it('exchanges the roles of the operands for WS', () => {
    const plan = planConvolution(listing1, sconvDefaults, { schedule: 'ws' });
    // K2 counts window tiles now: 351 / 8, K3 filter tiles.
    expect(plan).toMatchObject({
      schedule: 'ws',
      forced: true,
      nc: 32,
      k2: 43,
      k3: 32,
      remainders: { k2: 7, k3: 0 },
    });
  });

  it('plans a convolution smaller than a tile, and says so', () => {
    const plan = planConvolution(parseShape('1x16x1x1,2x16x1x1'), wasm);
    expect(plan).toMatchObject({
      tiles: { windows: 0, filters: 0 },
      edges: { windows: 1, filters: 2 },
      nc: 16,
      k2: 1,
      k3: 1,
      remainders: { nc: 0, k2: 0, k3: 0 },
    });
    expect(plan.warnings.map(({ code }) => code)).toEqual(['csa/fewer-than-a-tile', 'csa/fewer-than-a-tile']);
  });

  it('drops the constraint of a missing L3', () => {
    const { l1, l2 } = sconvDefaults.machine.cache;
    if (l1 === undefined || l2 === undefined) throw new Error('the default machine lost its caches');
    const plan = planConvolution(
      listing1,
      { ...sconvDefaults, machine: { ...sconvDefaults.machine, cache: { l1, l2 } } },
      { schedule: 'is' },
    );
    expect(plan).toMatchObject({ nc: 32, k2: 32, k3: 351 });
    expect(plan.constraints.map(({ level }) => level)).toEqual(['l1', 'l2']);
  });
});
