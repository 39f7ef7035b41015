/** Convolutions, machines and microkernels for property tests. */

import { machineFromFigures, type Machine } from '@sconv/targets';
import fc from 'fast-check';
import {
  convolution,
  costModelNames,
  heuristics,
  planConvolution,
  type ConvolutionShape,
  type MicrokernelShape,
} from '../src/index.ts';

/** Convolutions of up to `extent` in each dimension. */
export const arbitraryShape = (extent: number): fc.Arbitrary<ConvolutionShape> =>
  fc
    .record({
      channels: fc.integer({ min: 1, max: extent }),
      filtersEach: fc.integer({ min: 1, max: extent }),
      groups: fc.integer({ min: 1, max: 2 }),
      batch: fc.integer({ min: 1, max: 2 }),
      output: fc.record({ h: fc.integer({ min: 1, max: extent }), w: fc.integer({ min: 1, max: extent }) }),
      filter: fc.record({ h: fc.integer({ min: 1, max: 3 }), w: fc.integer({ min: 1, max: 3 }) }),
      strides: fc.record({ h: fc.integer({ min: 1, max: 2 }), w: fc.integer({ min: 1, max: 2 }) }),
      dilations: fc.record({ h: fc.integer({ min: 1, max: 2 }), w: fc.integer({ min: 1, max: 2 }) }),
    })
    .map(({ channels, filtersEach, groups, batch, output, filter, strides, dilations }) =>
      convolution({
        batch,
        groups,
        inputChannels: channels * groups,
        filters: filtersEach * groups,
        inputHeight: (output.h - 1) * strides.h + (filter.h - 1) * dilations.h + 1,
        inputWidth: (output.w - 1) * strides.w + (filter.w - 1) * dilations.w + 1,
        filterHeight: filter.h,
        filterWidth: filter.w,
        strides,
        dilations,
      }),
    );

export const arbitraryMicrokernel: fc.Arbitrary<MicrokernelShape> = fc.record({
  windows: fc.integer({ min: 1, max: 16 }),
  filters: fc.integer({ min: 1, max: 24 }),
});

/** Machines with any levels missing and sizes in any order. */
export const arbitraryMachine: fc.Arbitrary<Machine> = fc
  .record({
    cacheBytes: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 64, max: 2 ** 25 })), {
      minLength: 3,
      maxLength: 3,
    }),
    lineBytes: fc.constantFrom(32, 64, 128),
    latencies: fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 0, max: 400 }),
    ),
  })
  .map(({ cacheBytes, lineBytes, latencies: [l1, l2, l3, memory] }) =>
    machineFromFigures({
      name: 'any',
      cacheBytes,
      lineBytes,
      latencyCycles: [l1, l1 + l2, l1 + l2 + l3, l1 + l2 + l3 + memory],
      source: 'a test',
    }),
  );

/** Plans, also without a full tile or a valid tiling, with the machine that they were made for. */
export const arbitraryPlan = fc
  .record({
    shape: arbitraryShape(24),
    machine: arbitraryMachine,
    microkernel: arbitraryMicrokernel,
    options: fc.record(
      {
        schedule: fc.constantFrom('is' as const, 'ws' as const),
        heuristic: fc.constantFrom(...heuristics),
        costModel: fc.constantFrom(...costModelNames),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ shape, machine, microkernel, options }) => ({
    machine,
    plan: planConvolution(shape, { machine, microkernel }, options),
  }));
