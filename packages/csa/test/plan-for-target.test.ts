import { sme, targets, wasm, type KernelSpeeds } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CsaError,
  edgeChoices,
  parseShape,
  planConvolution,
  planForTarget,
  type ConvolutionPlan,
  type EdgeChoice,
  type Edges,
  type MicrokernelShape,
  type PlanOptions,
} from '../src/index.ts';
import { planPaths } from '@sconv/plans';
import { arbitraryMachine, arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

const listing1 = parseShape('1x32x152x152,256x32x3x3,s2');
const wide = { machine: wasm.machine, microkernel: { windows: 16, filters: 4 } };

describe('planForTarget', () => {
  const target = {
    ...wide,
    otherMicrokernels: [
      { windows: 4, filters: 4 },
      { windows: 16, filters: 2 },
      { windows: 4, filters: 1 },
    ],
  };

  it.each([
    ['the preferred kernel where it suits', '1x64x28x28,64x64x3x3,p1', { windows: 16, filters: 4 }],
    ['a smaller one for few windows', '1x64x2x2,64x64x1x1', { windows: 4, filters: 4 }],
    ['a smaller one for few filters', '1x64x28x28,2x64x3x3,p1', { windows: 16, filters: 2 }],
    ['a smaller one for filters too large for L1', '1x3x224x224,768x3x32x32,s32', { windows: 4, filters: 1 }],
    ['the preferred one where none suits', '1x64x1x1,64x64x1x1', { windows: 16, filters: 4 }],
  ])('takes %s', (_, shape, microkernel) => {
    expect(planForTarget(parseShape(shape), target).microkernel).toEqual(microkernel);
  });

  it.each(targets)('satisfies all constraints on $name even for filters of 32 x 32', (target) => {
    const plan = planForTarget(parseShape('1x3x384x384,1024x3x32x32,s32'), target);
    expect(plan.constraints.every(({ holds }) => holds)).toBe(true);
    expect(plan.constraints).toHaveLength(target === sme ? 2 : 3);
  });
});

describe('planForTarget, by measured speeds', () => {
  /** An 8x5 tile makes 8.5 multiply-adds per cycle, an 8x4 tile 8, a 4x4 tile 6, the others 5 or less. */
  const speeds: KernelSpeeds = {
    lanes: 4,
    stepCycles: [
      [2, 2.2, 2.4, 2.66],
      [3, 3.2, 3.6, 4, 4.7],
    ],
    passCycles: { each: 1, always: 20 },
    scalarCycles: 4,
    source: 'a test',
  };
  const target = {
    machine: wasm.machine,
    microkernel: { windows: 8, filters: 5 },
    otherMicrokernels: [
      { windows: 8, filters: 4 },
      { windows: 8, filters: 2 },
      { windows: 4, filters: 4 },
      { windows: 4, filters: 1 },
    ],
    speeds,
  };

  it.each<[string, string, EdgeChoice, { windows: number; filters: number }, Edges]>([
    ['that leaves nothing over', '1x64x28x28,40x64x1x1', 'best', { windows: 8, filters: 5 }, 'scalar'],
    ['with fewer passes', '1x64x28x28,64x64x1x1', 'scalar', { windows: 8, filters: 4 }, 'scalar'],
    ['for few filters', '1x64x28x28,2x64x1x1', 'best', { windows: 8, filters: 2 }, 'scalar'],
    ['for few windows', '1x64x2x2,64x64x1x1', 'best', { windows: 4, filters: 4 }, 'scalar'],
    [
      'with edges that are microkernels',
      '1x64x28x28,41x64x1x1',
      'best',
      { windows: 8, filters: 5 },
      'composed',
    ],
    [
      'with the edges that are asked for',
      '1x64x28x28,41x64x1x1',
      'small',
      { windows: 8, filters: 5 },
      'small',
    ],
    ['without a part that saves little', '1x3x8x8,74x3x1x1', 'best', { windows: 8, filters: 2 }, 'scalar'],
    ['with a part that saves much', '1x64x64x64,74x64x1x1', 'best', { windows: 8, filters: 5 }, 'small'],
    // A channel of 32 x 32 is 4 KiB per window or filter, of the 28.8 available.
    // Those with room for that are at least half as fast, or the fastest streams its panels from L2.
    ['that has room in L1', '1x3x224x224,768x3x24x24,s24', 'best', { windows: 8, filters: 4 }, 'small'],
    ['there is', '1x3x224x224,768x3x32x32,s32', 'best', { windows: 8, filters: 5 }, 'composed'],
    ['where none has room in L1', '1x1x128x128,64x1x64x64,s64', 'best', { windows: 4, filters: 4 }, 'scalar'],
  ])('takes the fastest microkernel %s', (_, shape, edges, microkernel, edgeKind) => {
    expect(planForTarget(parseShape(shape), target, { edges })).toMatchObject({ microkernel, edgeKind });
  });

  it('takes one with lanes along the filters where few windows fill vectors badly', () => {
    const kernels = [...target.otherMicrokernels, { windows: 5, filters: 8, vectorized: 'filters' as const }];
    const planned = (shape: string, more: Partial<KernelSpeeds> = {}) =>
      planForTarget(
        parseShape(shape),
        { ...target, otherMicrokernels: kernels, speeds: { ...speeds, ...more } },
        { edges: 'best' },
      );
    const lanesOf = (plan: ConvolutionPlan) =>
      planPaths(plan.tree).map(({ leaf }) => 'lanes' in leaf && leaf.lanes);
    const few = planned('1x64x5x5,64x64x1x1');
    expect(few.microkernel).toEqual({ windows: 5, filters: 8, vectorized: 'filters' });
    expect(lanesOf(few)).toEqual(['filters']);
    const many = planned('1x64x28x28,40x64x1x1');
    expect(many.microkernel).toEqual({ windows: 8, filters: 5 });
    expect(lanesOf(many)).toEqual(['windows']);
    const transposed = { passCycles: { ...speeds.passCycles, transposed: 1e4 } };
    expect(planned('1x64x5x5,64x64x1x1', transposed).microkernel).not.toHaveProperty('vectorized');
  });
  it('leaves room for as many steps as the microkernel asks for, not the speeds', () => {
    const ncOf = (steps: number | undefined) =>
      planForTarget(
        parseShape('1x256x28x28,40x256x1x1'),
        {
          ...target,
          microkernel: { ...target.microkernel, ...(steps === undefined ? {} : { steps }) },
          speeds: { ...speeds, steps: 128 },
        },
        { edges: 'best' },
      ).nc;
    expect([undefined, 128, 64].map(ncOf)).toEqual([128, 128, 64]);
  });

  it('takes a tile with few steps of its own only for outputs that it holds whole', () => {
    const kernels = [...target.otherMicrokernels, { windows: 25, filters: 8, steps: 64 }];
    const windowsOf = (output: string) =>
      planForTarget(
        parseShape(`1x256x${output},4000x256x1x1`),
        { ...target, otherMicrokernels: kernels, speeds: { ...speeds, lastWindowCycles: 0.01 } },
        { edges: 'best' },
      ).microkernel.windows;
    expect(windowsOf('5x5')).toBe(25);
    expect(windowsOf('5x10')).not.toBe(25);
  });

  it('counts the filters that are read again for each width of window tiles where they exceed L2', () => {
    const kernelOf = (channels: number, streamCycles: number) =>
      planForTarget(
        parseShape(`1x${channels}x3x3,800x${channels}x1x1`),
        { ...target, speeds: { ...speeds, streamCycles } },
        { edges: 'small' },
      ).microkernel;
    expect(kernelOf(64, 1e3)).toEqual(kernelOf(64, 0.001));
    expect(kernelOf(1024, 1e3)).not.toEqual(kernelOf(1024, 0.001));
  });
  it('takes one that leaves no filters over where packing the windows again costs more', () => {
    const shape = parseShape('1x64x28x28,42x64x1x1');
    const kernelOf = (packCycles: number) =>
      planForTarget(shape, { ...target, speeds: { ...speeds, packCycles } }, { edges: 'best' }).microkernel;
    expect(kernelOf(1)).toEqual({ windows: 8, filters: 5 });
    expect(kernelOf(100)).toEqual({ windows: 8, filters: 2 });
  });
  it('computes few remaining windows along the filters where code is generated for that', () => {
    const kernel = { windows: 24, filters: 4 };
    const shape = parseShape('1x64x14x14,128x64x1x1');
    const leaves = (more: Partial<KernelSpeeds>): string => {
      const own = {
        ...speeds,
        lanes: 8,
        stepCycles: [
          [4, 4, 4, 4],
          [4, 4, 4.6, 4.5],
          [4, 4.1, 4.9, 6],
        ],
        ...more,
      };
      const plan = planForTarget(
        shape,
        { ...target, microkernel: kernel, otherMicrokernels: [], speeds: own },
        { edges: 'best' },
      );
      const tiles = planPaths(plan.tree).map(({ leaf }) => {
        if (leaf.kind !== 'kernel') return leaf.kind;
        return `${leaf.extents.windows}x${leaf.extents.filters} along ${leaf.lanes}`;
      });
      return [plan.edgeKind, ...tiles].join(', ');
    };
    expect(leaves({})).toBe('small, 24x4 along windows, 4x4 along windows');
    const passCycles = { ...speeds.passCycles, transposed: 4 };
    expect(leaves({ passCycles })).toBe('transposed, 24x4 along windows, 4x16 along filters');
    expect(leaves({ passCycles: { ...passCycles, transposed: 1e4 } })).toMatch(/^small/);
  });
  it('has more parts where they cost less', () => {
    const shape = parseShape('1x3x8x8,74x3x1x1');
    const edges = (more: Partial<KernelSpeeds>) =>
      planForTarget(shape, { ...target, speeds: { ...speeds, ...more } }, { edges: 'best' }).edgeKind;
    expect(edges({})).toBe('scalar');
    expect(edges({ partCycles: 1 })).toBe('small');
  });
  it('has the schedule that was measured to be faster, unless one or a cost model is asked for', () => {
    const shape = parseShape('1x64x28x28,40x64x1x1');
    const planned = (schedule: 'is' | 'ws' | undefined, options: PlanOptions) => {
      const own = schedule === undefined ? speeds : { ...speeds, schedule };
      const plan = planForTarget(shape, { ...target, speeds: own }, options);
      return [plan.schedule, plan.forced, plan.measured];
    };
    const byModel = planned(undefined, {})[0];
    const other = byModel === 'is' ? 'ws' : 'is';
    expect(planned(undefined, {})).toEqual([byModel, false, undefined]);
    expect(planned(other, {})).toEqual([other, false, true]);
    expect(planned(other, { schedule: byModel as 'is' })).toEqual([byModel, true, undefined]);
    expect(planned(other, { costModel: 'sc' })).toEqual([byModel, false, undefined]);
  });
  it('has it only for convolutions of so many steps', () => {
    const planned = (shape: string) => {
      const own: KernelSpeeds = { ...speeds, schedule: 'ws', scheduleUpToSteps: 64 };
      return planForTarget(parseShape(shape), { ...target, speeds: own }).measured;
    };
    expect(planned('1x64x28x28,40x64x1x1')).toBe(true);
    expect(planned('1x65x28x28,40x65x1x1')).toBeUndefined();
    expect(planned('1x8x28x28,40x8x3x3')).toBeUndefined();
    expect(planned('1x28x28x28,40x7x3x3,g4')).toBe(true);
  });
  it('has calls of so many steps as the speeds are for, whatever L1 holds', () => {
    const shape = parseShape('1x512x28x28,40x512x3x3');
    const ncOf = (steps: number) => planForTarget(shape, { ...target, speeds: { ...speeds, steps } }).nc;
    expect([9, 72, 288, 1200].map(ncOf)).toEqual([1, 8, 32, 128]);
    // A channel has nine steps: L1 decides.
    expect(ncOf(8)).toBe(32);
  });

  it.each(['1x64x28x28,40x64x1x1', '1x64x28x28,2x64x1x1', '1x64x2x2,64x64x1x1'])(
    'takes the same for %s without an L1',
    (text) => {
      const { l2, l3 } = wasm.machine.cache;
      const machine = { ...wasm.machine, cache: { l2: l2!, l3: l3! } };
      const { microkernel } = planForTarget(parseShape(text), { ...target, machine });
      expect(microkernel).toEqual(planForTarget(parseShape(text), target).microkernel);
    },
  );

  it('refuses what planConvolution refuses', () => {
    expect(() => planForTarget(listing1, target, { fractions: { l1: 0 } })).toThrow(
      expect.objectContaining({ field: 'fractions.l1' }),
    );
    expect(() => planForTarget({ ...listing1, filters: 0.5 }, target)).toThrow(CsaError);
    expect(() => planForTarget(listing1, { ...target, microkernel: { windows: 0, filters: 4 } })).toThrow(
      expect.objectContaining({ field: 'microkernel.windows' }),
    );
  });

  const arbitraryChoice = fc.record({
    shape: arbitraryShape(12),
    machine: arbitraryMachine,
    microkernel: arbitraryMicrokernel,
    otherMicrokernels: fc.array(arbitraryMicrokernel, { maxLength: 3 }),
    edges: fc.constantFrom(...edgeChoices),
  });

  it('is the plan of one of the microkernels, which satisfies the constraints if any does', () => {
    fc.assert(
      fc.property(arbitraryChoice, ({ shape, edges, ...choice }) => {
        const plan = planForTarget(shape, { ...choice, speeds }, { edges });
        const kernels = [choice.microkernel, ...choice.otherMicrokernels];
        expect(kernels).toContainEqual(plan.microkernel);
        const planned = (microkernel: MicrokernelShape) =>
          planConvolution(shape, { machine: choice.machine, microkernel }, { edges: plan.edgeKind });
        const fits = ({ constraints }: ConvolutionPlan) => constraints.every(({ holds }) => holds);
        const own = planned(plan.microkernel);
        // One that streams its panels from L2 is planned with room for them.
        if (fits(plan) && !fits(own)) expect(plan.nc).toBe(1);
        else {
          expect(plan).toEqual(own);
          expect(fits(plan)).toBe(kernels.map(planned).some(fits));
        }
        if (edges !== 'best') expect(plan.edgeKind).toBe(edges);
      }),
    );
  });
});

/** TT Figure 8, ResNet-18: those marked with a star have stride 2. */

it('planForTarget takes the first microkernel that fits and is not too large, or fits, or the preferred one', () => {
  fc.assert(
    fc.property(
      arbitraryShape(12),
      arbitraryMachine,
      arbitraryMicrokernel,
      fc.array(arbitraryMicrokernel, { maxLength: 3 }),
      (shape, machine, microkernel, otherMicrokernels) => {
        const plans = [microkernel, ...otherMicrokernels].map((each) =>
          planConvolution(shape, { machine, microkernel: each }),
        );
        const fitting = plans.filter(({ constraints }) => constraints.every(({ holds }) => holds));
        const expected = fitting.find(({ tiles }) => tiles.windows > 0 && tiles.filters > 0) ?? fitting[0];
        const plan = planForTarget(shape, { machine, microkernel, otherMicrokernels });
        expect(plan).toEqual(expected ?? plans[0]);
      },
    ),
  );
});
