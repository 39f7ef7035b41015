import type { Draft } from 'immer';
import { describe, expect, it } from 'vitest';
import {
  avx2,
  avx512,
  derive,
  machineFromFigures,
  machineProblems,
  microkernels,
  mma,
  registerUse,
  target,
  TargetError,
  targets,
  wasm,
  type Target,
} from '../src/index.ts';

const refused: readonly (readonly [string, Target, (draft: Draft<Target>) => void, string, RegExp])[] = [
  [
    'a tile with more accumulators than registers',
    avx2,
    (draft) => {
      draft.microkernel.filters = 8;
      draft.microkernel.panels.filters = 8;
    },
    'microkernel.windows',
    /16 windows x 8 filters .* needs 16 accumulators, 19 registers with its operands; AVX2 has 16/,
  ],
  [
    'a matrix tile with more accumulators than the unit',
    mma,
    (draft) => {
      draft.microkernel.windows = 32;
    },
    'microkernel.windows',
    /needs 16 accumulators, .* MMA has 8/,
  ],
  [
    'the register rule of V8',
    wasm,
    (draft) => {
      draft.microkernel.registerTile = { windows: 8, filters: 5 };
    },
    'microkernel.windows',
    /18 registers/,
  ],
  [
    'panels that do not divide the tile',
    avx512,
    (draft) => {
      draft.microkernel.panels.windows = 12;
    },
    'microkernel.panels.windows',
    /panels of 12 do not divide the tile's 16 windows/,
  ],
  [
    'a cache of no bytes',
    wasm,
    (draft) => {
      if (draft.machine.cache.l1 !== undefined) draft.machine.cache.l1.bytes = 0;
    },
    'machine.cache.l1.bytes',
    /must be a positive integer up to 2\^40, not 0/,
  ],
  [
    'a latency that is not a number',
    wasm,
    (draft) => {
      draft.machine.memoryLatency = Number.NaN;
    },
    'machine.memoryLatency',
    /not NaN/,
  ],
  [
    'a far cache that is faster than a near one',
    wasm,
    (draft) => {
      if (draft.machine.cache.l2 !== undefined) draft.machine.cache.l2.latency = 2;
    },
    'machine.cache.l2.latency',
    /2 cycles, but l1, which is nearer, takes 4/,
  ],
  [
    'a line size that is no power of two',
    wasm,
    (draft) => {
      if (draft.machine.cache.l1 !== undefined) draft.machine.cache.l1.lineBytes = 96;
    },
    'machine.cache.l1.lineBytes',
    /line of 96 bytes/,
  ],
  [
    'less than one set',
    wasm,
    (draft) => {
      if (draft.machine.cache.l1 !== undefined) draft.machine.cache.l1.bytes = 256;
    },
    'machine.cache.l1.bytes',
    /hold 4 lines of 64, less than one set of 8 ways/,
  ],
];

describe('what cannot be', () => {
  it.each(refused)('%s is refused', (_, base, recipe, field, message) => {
    let error: unknown;
    try {
      derive(base, recipe);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TargetError);
    expect(error).toMatchObject({ field });
    expect(String(error)).toMatch(message);
  });
});

/** Paths of all numbers below a record. */
const numbers = (value: object, prefix = ''): readonly string[] =>
  Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    if (typeof field === 'number') return [prefix + name];
    return typeof field === 'object' && field !== null && name !== 'sources'
      ? numbers(field, `${prefix}${name}.`)
      : [];
  });

describe('citations', () => {
  it.each(targets)('of $name cover every number of its machine, and no other field', ({ machine }) => {
    const cited = Object.keys(machine.sources);
    const covered = (path: string): boolean => cited.some((source) => `${path}.`.startsWith(`${source}.`));
    const paths = numbers(machine);
    expect(paths.filter((path) => !covered(path))).toEqual([]);
    expect(cited.filter((source) => !paths.some((path) => `${path}.`.startsWith(`${source}.`)))).toEqual([]);
  });

  it.each(targets)('of $name name the origin of every kernel', (shipped) => {
    for (const kernel of microkernels(shipped)) expect(kernel.source.length).toBeGreaterThan(10);
  });
});

describe('registerUse', () => {
  it.each([
    ['wasm', 8, 15, 15],
    ['wasm-relaxed', 9, 15, 15],
    ['avx2', 12, 15, 16],
    ['avx512', 4, 5, 32],
    ['mma', 8, 8, 8],
    ['sme', 1, 1, 4],
  ])('of %s: %i accumulators, %i of %i registers', (name, accumulators, needed, available) => {
    const shipped = target(name);
    expect(shipped && registerUse(shipped.microkernel, shipped.machine)).toEqual({
      accumulators,
      needed,
      available,
    });
  });
});

describe('machineFromFigures', () => {
  it('leaves out a level of no bytes', () => {
    const machine = machineFromFigures({
      name: 'two-levels',
      cacheBytes: [32_768, 1_048_576, 0],
      lineBytes: 64,
      latencyCycles: [4, 14, 50, 200],
      source: 'test',
    });
    expect(Object.keys(machine.cache)).toEqual(['l1', 'l2']);
    expect(machineProblems(machine)).toEqual([]);
  });
});
