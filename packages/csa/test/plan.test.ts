import { cascadeLake, power10, sconvDefaults, wasm } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costModelNames,
  edgeKinds,
  heuristics,
  hierarchy,
  parseShape,
  planConvolution,
  planOfTiling,
  planWithTiling,
  slice,
  trafficOfPlan,
  type PlanOptions,
} from '../src/index.ts';
import { arbitraryMachine, arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

/** Whether tests take all that they have, as in `.ci/run`, or some of it, as in `npm test`: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;

const listing1 = parseShape('1x32x152x152,256x32x3x3,s2');
const wide = { machine: wasm.machine, microkernel: { windows: 16, filters: 4 } };

describe('planConvolution', () => {
  it.each(costModelNames)('gives the sizes of ST §5.1.1 for Listing 1 (%s)', (costModel) => {
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
    // Now K2 counts window tiles, 351 / 8, and K3 filter tiles.
    expect(plan).toMatchObject({
      schedule: 'ws',
      forced: true,
      nc: 32,
      k2: 43,
      k3: 32,
      remainders: { k2: 7, k3: 0 },
    });
  });

  it.each([
    ['halving', 87, 3],
    ['binary-search', 99, 54],
    ['divisors', 39, 0],
    ['exhaustive', 88, 87],
  ] as const)('finds K3 by %s', (heuristic, k3, remainder) => {
    const plan = planConvolution(listing1, sconvDefaults, { heuristic, schedule: 'is' });
    expect(plan).toMatchObject({ nc: 32, k2: 32, k3, remainders: { k3: remainder } });
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
      tree: { kind: 'scalar' },
    });
    expect(plan.warnings.map(({ code }) => code)).toEqual(['csa/fewer-than-a-tile', 'csa/fewer-than-a-tile']);
  });

  it('drops the constraint of a missing L3', () => {
    const { l1, l2 } = sconvDefaults.machine.cache;
    const cache = { ...(l1 && { l1 }), ...(l2 && { l2 }) };
    const plan = planConvolution(
      listing1,
      { ...sconvDefaults, machine: { ...sconvDefaults.machine, cache } },
      { schedule: 'is' },
    );
    expect(plan).toMatchObject({ nc: 32, k2: 32, k3: 351 });
    expect(plan.constraints.map(({ level }) => level)).toEqual(['l1', 'l2']);
  });

  it('ends where nothing fits, with a warning', () => {
    const plan = planConvolution(parseShape('1x3x224x224,768x3x32x32,s32'), sconvDefaults);
    expect(plan).toMatchObject({ nc: 1 });
    expect(plan.warnings).toEqual([
      {
        code: 'csa/tile-exceeds-cache',
        message:
          'the tiles need 98816 bytes of L1 even at nc = 1, and may use 29491: a smaller microkernel would fit',
      },
    ]);
  });

  it('takes a grouped convolution a group at a time, but for the reference, which has none', () => {
    const grouped = parseShape('1x64x28x28,64x16x3x3,p1,g4');
    expect(planConvolution(grouped, wide)).toMatchObject({ nc: 16, tiles: { filters: 4 }, warnings: [] });
    expect(planConvolution(grouped, wide, { costModel: 'reference' })).toMatchObject({
      tiles: { filters: 16 },
      warnings: [{ code: 'csa/groups-ignored' }],
    });
  });

  it.each([
    ['fractions.l1', { fractions: { l1: 0 } }],
    ['fractions.l2', { fractions: { l2: 1.5 } }],
    ['fractions.l3', { fractions: { l3: Number.NaN } }],
  ] satisfies readonly (readonly [string, PlanOptions])[])('refuses %s', (field, options) => {
    expect(() => planConvolution(listing1, wasm, options)).toThrow(expect.objectContaining({ field }));
  });

  it.each([0, -4, 1.5, Number.NaN, Infinity, 2 ** 21])('refuses a microkernel of %d windows', (windows) => {
    expect(() => planConvolution(listing1, { ...wasm, microkernel: { windows, filters: 4 } })).toThrow(
      expect.objectContaining({ field: 'microkernel.windows' }),
    );
  });

  it.each(['bytes', 'lineBytes', 'latency'])('refuses a cache whose %s is no size', (field) => {
    const { l1 } = wasm.machine.cache;
    for (const value of [0, -1, Number.NaN, 1e300]) {
      const machine = { ...wasm.machine, cache: { l1: { ...l1, [field]: value } } };
      expect(() => planConvolution(listing1, { ...wasm, machine: machine as typeof wasm.machine })).toThrow(
        expect.objectContaining({ field: `machine.cache.l1.${field}` }),
      );
    }
  });
});

describe('any plan', () => {
  it('satisfies every constraint that size 1 satisfies, and has its remainders', () => {
    fc.assert(
      fc.property(
        arbitraryShape(60),
        arbitraryMachine,
        arbitraryMicrokernel,
        fc.constantFrom(...heuristics),
        fc.constantFrom(...costModelNames.filter((name) => name !== 'reference')),
        (shape, machine, microkernel, heuristic, costModel) => {
          const plan = planConvolution(shape, { machine, microkernel }, { heuristic, costModel });
          const { schedule, nc, k2, k3, tiles, remainders } = plan;
          for (const { holds, parameter } of plan.constraints) {
            if (!holds) expect(plan[parameter]).toBe(1);
          }
          const [stationary, moving] =
            schedule === 'is' ? [tiles.windows, tiles.filters] : [tiles.filters, tiles.windows];
          expect(remainders).toEqual({
            nc: (shape.inputChannels / shape.groups) % nc,
            k2: moving % k2,
            k3: stationary % k3,
          });
          expect(k2).toBeLessThanOrEqual(Math.max(1, moving));
          expect(k3).toBeLessThanOrEqual(Math.max(1, stationary));
          for (const cycles of [plan.cost.is, plan.cost.ws]) {
            expect(cycles).toBeGreaterThanOrEqual(0);
            expect(cycles).toBeLessThan(Infinity);
          }
        },
      ),
      { numRuns: isThorough ? 150 : 50 },
    );
  });

  it('chosen exhaustively costs no more than a halved one', () => {
    fc.assert(
      fc.property(
        arbitraryShape(40),
        arbitraryMachine,
        arbitraryMicrokernel,
        (shape, machine, microkernel) => {
          const [best, halved] = (['exhaustive', 'halving'] as const).map((heuristic) =>
            planConvolution(shape, { machine, microkernel }, { heuristic, costModel: 'traffic' }),
          );
          if (best === undefined || halved?.constraints.every(({ holds }) => holds) !== true) return;
          expect(best.cost[halved.schedule]).toBeLessThanOrEqual(halved.cost[halved.schedule] * (1 + 1e-12));
        },
      ),
      { numRuns: isThorough ? 60 : 20 },
    );
  });
});

describe('more cache', () => {
  it('never raises the predicted traffic of the exhaustive plan (fully associative)', () => {
    fc.assert(
      fc.property(
        arbitraryShape(40),
        arbitraryMachine,
        arbitraryMicrokernel,
        fc.constantFrom('l1' as const, 'l2' as const, 'l3' as const),
        fc.double({ min: 1, max: 64, noNaN: true }),
        (shape, machine, microkernel, level, factor) => {
          const cache = machine.cache[level];
          if (cache === undefined) return;
          const larger = {
            ...machine,
            cache: { ...machine.cache, [level]: { ...cache, bytes: Math.round(cache.bytes * factor) } },
          };
          const [before, after] = [machine, larger].map((caches) =>
            planConvolution(
              shape,
              { machine: caches, microkernel },
              { heuristic: 'exhaustive', costModel: 'traffic' },
            ),
          );
          if (before === undefined || after === undefined) return;
          // Without a valid tiling there is no exhaustive plan.
          if (!before.constraints.every(({ holds }) => holds)) return;
          const least = (plan: typeof after): number => Math.min(plan.cost.is, plan.cost.ws);
          expect(least(after)).toBeLessThanOrEqual(least(before) * (1 + 1e-12));
        },
      ),
      { numRuns: isThorough ? 100 : 30 },
    );
  });
});

const resnet18 = [
  '1x3x224x224,64x3x7x7,s2,p3',
  '1x64x56x56,64x64x3x3,p1',
  '1x64x56x56,64x64x1x1',
  '1x64x56x56,128x64x3x3,s2,p1',
  '1x64x56x56,128x64x1x1,s2',
  '1x128x28x28,128x128x3x3,p1',
  '1x128x28x28,256x128x3x3,s2,p1',
  '1x128x28x28,256x128x3x3,p1',
  '1x256x14x14,256x256x3x3,p1',
  '1x512x14x14,512x512x3x3,s2,p1',
  '1x256x14x14,512x256x1x1,s2',
  '1x512x7x7,512x512x3x3,p1',
].map(parseShape);

describe('ResNet-18 (SC §7.2)', () => {
  it.each([
    ['mostly WS on x86', cascadeLake, 'ws'],
    ['mostly IS on POWER10', power10, 'is'],
  ] as const)('is %s', (_, target, schedule) => {
    for (const costModel of ['sc', 'reference'] as const) {
      const plans = resnet18.map((shape) => planConvolution(shape, target, { costModel }));
      expect(plans.filter((plan) => plan.schedule === schedule).length).toBeGreaterThan(plans.length / 2);
    }
  });
});

describe('the edges of a plan', () => {
  // 25 windows and 10 filters for a microkernel of 16 by 8.
  const uneven = parseShape('1x40x7x7,10x40x3x3');
  const even = parseShape('1x8x6x6,16x8x3x3');

  it.each(edgeKinds)('are what is asked for: %s', (edges) => {
    const plan = planConvolution(uneven, sconvDefaults, { edges });
    expect(plan.edgeKind).toBe(edges);
    expect(plan.tree).toEqual(planOfTiling(slice(uneven, plan.microkernel), plan, edges));
  });

  it('are the cheapest without scalar code, by the traffic of the whole plan', () => {
    const { machine } = sconvDefaults;
    const caches = hierarchy(machine, { l1: 0.9, l2: 0.9, l3: 0.9 });
    for (const shape of [uneven, parseShape('1x3x20x20,5x3x7x7'), parseShape('1x1x5x5,8x1x1x1')]) {
      const plan = planConvolution(shape, sconvDefaults, { edges: 'best' });
      const sliced = slice(shape, plan.microkernel);
      const kinds = edgeKinds.filter((kind) => kind !== 'scalar');
      const cycles = kinds.map(
        (edges) => trafficOfPlan(sliced, planOfTiling(sliced, plan, edges), caches).cycles,
      );
      expect(plan.edgeKind).toBe(kinds[cycles.indexOf(Math.min(...cycles))]);
    }
  });

  it('are priced by traffic, and by it alone', () => {
    const cyclesOf = (costModel: 'sc' | 'reference' | 'traffic') =>
      edgeKinds.map((edges) => planConvolution(uneven, sconvDefaults, { costModel, edges }).cost.is);
    expect(new Set(cyclesOf('sc')).size).toBe(1);
    expect(new Set(cyclesOf('reference')).size).toBe(1);
    expect(new Set(cyclesOf('traffic')).size).toBe(3);
    const best = planConvolution(uneven, sconvDefaults, { costModel: 'traffic', edges: 'best' });
    expect(best.cost.is).toBe(Math.min(...cyclesOf('traffic').slice(1)));
  });

  it('are none where tiles fill everything', () => {
    const plan = planConvolution(
      even,
      { ...sconvDefaults, microkernel: { windows: 8, filters: 8 } },
      { edges: 'best' },
    );
    expect([plan.edges, plan.edgeKind]).toEqual([{ windows: 0, filters: 0 }, 'scalar']);
  });
});

describe('planWithTiling', () => {
  const listing = parseShape('1x32x152x152,256x32x3x3,s2');
  const microkernel = { windows: 16, filters: 8 };

  it('is what the analysis gives, for the tiling that it has found', () => {
    const planned = planConvolution(listing, sconvDefaults, { edges: 'small' });
    expect(planned).toMatchObject(planWithTiling(listing, microkernel, planned, 'small'));
  });

  it('leaves edges as the papers do unless told otherwise', () => {
    const tiling = { schedule: 'ws', nc: 1, k2: 1, k3: 1 } as const;
    expect(planWithTiling(listing, microkernel, tiling).edgeKind).toBe('scalar');
  });

  it.each([
    ['nc', { nc: 33 }, 'nc: must be an integer from 1 to 32, not 33'],
    ['nc', { nc: 0 }, 'not 0'],
    ['k2', { k2: 352 }, 'k2: must be an integer from 1 to 351, not 352'],
    ['k3', { k3: 33 }, 'k3: must be an integer from 1 to 32, not 33'],
    ['k3', { k3: 1.5 }, 'not 1.5'],
  ])('refuses a %s that the convolution does not have: %j', (field, sizes, message) => {
    const planning = () =>
      planWithTiling(listing, microkernel, { schedule: 'ws', nc: 32, k2: 351, k3: 32, ...sizes });
    expect(planning).toThrow(expect.objectContaining({ code: 'csa/tiling', field }));
    expect(planning).toThrow(message);
  });

  it('takes sizes of 1 where there is no full tile', () => {
    const shape = parseShape('1x16x1x1,2x16x1x1');
    const tiling = { schedule: 'is', nc: 16, k2: 1, k3: 1 } as const;
    expect(planWithTiling(shape, microkernel, tiling).tree.kind).toBe('scalar');
    expect(() => planWithTiling(shape, microkernel, { ...tiling, k2: 2 })).toThrow('from 1 to 1');
  });
});
