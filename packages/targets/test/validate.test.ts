import type { Draft } from 'immer';
import { describe, expect, it } from 'vitest';
import {
  avx2,
  avx512,
  define,
  derive,
  lineBytes,
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

/** What is refused: a change of a shipped target, and the resulting code, field and message. */
const refused: readonly (readonly [
  string,
  Target,
  (draft: Draft<Target>) => void,
  string,
  string,
  RegExp,
])[] = [
  [
    'a tile with more accumulators than registers',
    avx2,
    (draft) => {
      draft.microkernel.filters = 8;
      draft.microkernel.panels.filters = 8;
    },
    'targets/too-many-registers',
    'microkernel.windows',
    /16 windows x 8 filters .* needs 16 accumulators, 19 registers with its operands; AVX2 has 16/,
  ],
  [
    'a matrix tile with more accumulators than the unit',
    mma,
    (draft) => {
      draft.microkernel.windows = 32;
    },
    'targets/too-many-registers',
    'microkernel.windows',
    /needs 16 accumulators, .* MMA has 8/,
  ],
  [
    'the register rule of V8',
    wasm,
    (draft) => {
      draft.microkernel.filters = 6;
      draft.microkernel.panels.filters = 6;
    },
    'targets/too-many-registers',
    'microkernel.windows',
    /12 accumulators, 16 registers with its operands; SIMD128 has 15/,
  ],
  [
    'a register tile with more accumulators than registers',
    wasm,
    (draft) => {
      draft.microkernel.registerTile = { windows: 12, filters: 5 };
    },
    'targets/too-many-registers',
    'microkernel.windows',
    /20 registers/,
  ],
  [
    'panels that do not divide the tile',
    avx512,
    (draft) => {
      draft.microkernel.panels.windows = 12;
    },
    'targets/panel-width',
    'microkernel.panels.windows',
    /panels of 12 do not divide the tile's 16 windows/,
  ],
  [
    'a cache of no bytes',
    wasm,
    (draft) => {
      if (draft.machine.cache.l1 !== undefined) draft.machine.cache.l1.bytes = 0;
    },
    'targets/not-positive',
    'machine.cache.l1.bytes',
    /must be a positive integer up to 2\^40, not 0/,
  ],
  [
    'a latency that is not a number',
    wasm,
    (draft) => {
      draft.machine.memoryLatency = Number.NaN;
    },
    'targets/not-positive',
    'machine.memoryLatency',
    /not NaN/,
  ],
  [
    'a far cache that is faster than a near one',
    wasm,
    (draft) => {
      if (draft.machine.cache.l2 !== undefined) draft.machine.cache.l2.latency = 2;
    },
    'targets/latency-order',
    'machine.cache.l2.latency',
    /2 cycles, but l1, which is nearer, takes 4/,
  ],
  [
    'a line size that is no power of two',
    wasm,
    (draft) => {
      if (draft.machine.cache.l1 !== undefined) draft.machine.cache.l1.lineBytes = 96;
    },
    'targets/line-size',
    'machine.cache.l1.lineBytes',
    /line of 96 bytes/,
  ],
  [
    'less than one set',
    wasm,
    (draft) => {
      if (draft.machine.cache.l1 !== undefined) draft.machine.cache.l1.bytes = 256;
    },
    'targets/too-few-lines',
    'machine.cache.l1.bytes',
    /hold 4 lines of 64, less than one set of 8 ways/,
  ],
  [
    'less than a line, of unknown associativity',
    wasm,
    (draft) => {
      draft.machine.cache.l1 = { bytes: 32, lineBytes: 64, latency: 4, sharing: 'core' };
    },
    'targets/too-few-lines',
    'machine.cache.l1.bytes',
    /32 bytes hold 0 lines of 64, less than one set of 1 ways/,
  ],
  [
    'a memory that is faster than a cache',
    wasm,
    (draft) => {
      draft.machine.memoryLatency = 5;
    },
    'targets/latency-order',
    'machine.memoryLatency',
    /5 cycles, but l3 takes/,
  ],
  [
    'a mistake in a further kernel',
    wasm,
    (draft) => {
      draft.otherMicrokernels[1]!.panels.filters = 7;
    },
    'targets/panel-width',
    'otherMicrokernels[1].panels.filters',
    /panels of 7 do not divide/,
  ],
  [
    'an element type that nobody has',
    wasm,
    (draft) => {
      draft.microkernel.elementType = 'f33' as 'f32';
    },
    'targets/unknown-name',
    'microkernel.elementType',
    /no elementType 'f33'; there are f64, .*, i8; did you mean 'f32'\?/,
  ],
  [
    'an unknown way to fill registers',
    wasm,
    (draft) => {
      draft.microkernel.vectorized = 'filter' as 'filters';
    },
    'targets/unknown-name',
    'microkernel.vectorized',
    /did you mean 'filters'\?/,
  ],
  [
    'an unknown origin of code',
    wasm,
    (draft) => {
      draft.microkernel.generation = 'llvm' as 'openblas';
    },
    'targets/unknown-name',
    'microkernel.generation',
    /there are openblas, vector-dialect, wasm, intrinsics$/,
  ],
  [
    'no caches, not even an empty record of them',
    wasm,
    (draft) => {
      Reflect.deleteProperty(draft.machine, 'cache');
    },
    'targets/not-a-record',
    'machine.cache',
    /expected an object, not undefined/,
  ],
  [
    'panels that are a number',
    wasm,
    (draft) => {
      Reflect.set(draft.microkernel, 'panels', 4);
    },
    'targets/not-a-record',
    'microkernel.panels',
    /expected an object, not 4/,
  ],
  [
    'a machine by its name',
    wasm,
    (draft) => {
      Reflect.set(draft, 'machine', 'wasm');
    },
    'targets/not-a-record',
    'machine',
    /expected an object, not 'wasm'/,
  ],
  [
    'shares that are none',
    wasm,
    (draft) => {
      draft.kernels!.grids[1]!.shares[0]![2] = 0;
    },
    'targets/not-positive',
    'kernels.grids[1].shares[0][2]',
    /a share must be a positive number/,
  ],
  [
    'shares of kernels that are no list',
    wasm,
    (draft) => {
      Reflect.set(draft.kernels!, 'grids', 7);
    },
    'targets/not-a-list',
    'kernels.grids',
    /7/,
  ],
  [
    'a list for a kernel',
    wasm,
    (draft) => {
      Reflect.set(draft.otherMicrokernels, 0, [4, 4]);
    },
    'targets/not-a-record',
    'otherMicrokernels[0]',
    /expected an object, not \[4, 4\]/,
  ],
  [
    'a number for speeds',
    wasm,
    (draft) => {
      Reflect.set(draft, 'speeds', 3);
    },
    'targets/not-a-record',
    'speeds',
    /expected an object, not 3/,
  ],
  [
    'speeds without those of a pass',
    wasm,
    (draft) => {
      Reflect.deleteProperty(draft.speeds!, 'passCycles');
    },
    'targets/not-a-record',
    'speeds.passCycles',
    /expected an object, not undefined/,
  ],
  [
    'speeds at no steps',
    wasm,
    (draft) => {
      draft.speeds!.steps = 0;
    },
    'targets/not-positive',
    'speeds.steps',
    /must be a positive integer/,
  ],
  [
    'another schedule',
    wasm,
    (draft) => {
      Reflect.set(draft.speeds!, 'schedule', 'os');
    },
    'targets/unknown-name',
    'speeds.schedule',
    /'os'/,
  ],
  [
    'a schedule for no steps',
    wasm,
    (draft) => {
      draft.speeds!.scheduleUpToSteps = 0;
    },
    'targets/not-positive',
    'speeds.scheduleUpToSteps',
    /must be a positive integer/,
  ],
  [
    'packing in no time',
    wasm,
    (draft) => {
      draft.speeds!.packCycles = 0;
    },
    'targets/not-positive',
    'speeds.packCycles',
    /must be a positive/,
  ],
  [
    'speeds for another last vector',
    wasm,
    (draft) => {
      Reflect.set(draft.speeds!, 'lastVector', 'none');
    },
    'targets/unknown-name',
    'speeds.lastVector',
    /'none'/,
  ],
  [
    'half a register',
    wasm,
    (draft) => {
      draft.speeds!.registers = 0.5;
    },
    'targets/not-positive',
    'speeds.registers',
    /must be a positive integer/,
  ],
  [
    'multiply-adds of no latency',
    wasm,
    (draft) => {
      draft.machine.vector!.latency = 0;
    },
    'targets/not-positive',
    'machine.vector.latency',
    /must be a positive number/,
  ],
  [
    'pairs of another instruction',
    wasm,
    (draft) => {
      Reflect.set(draft.machine.vector!, 'pairProducts', 'vpdpwssd');
    },
    'targets/unknown-name',
    'machine.vector.pairProducts',
    /'vpdpwssd'/,
  ],
  [
    'speeds of no register tile',
    wasm,
    (draft) => {
      draft.speeds!.stepCycles = [];
    },
    'targets/not-a-list',
    'speeds.stepCycles',
    /expected a list of at least one, not \[\]/,
  ],
  [
    'speeds of no register tile with so many windows',
    wasm,
    (draft) => {
      draft.speeds!.stepCycles[1] = [];
    },
    'targets/not-a-list',
    'speeds.stepCycles[1]',
    /expected a list of at least one, not \[\]/,
  ],
  [
    'a record of another kind',
    wasm,
    (draft) => {
      Reflect.set(draft, 'kind', 'targte');
    },
    'targets/unknown-name',
    'kind',
    /no kind 'targte'; there are target, machine, microkernel; did you mean 'target'\?/,
  ],
];

describe('what cannot be', () => {
  it.each(refused)('%s is refused', (_, base, recipe, code, field, message) => {
    const call = () => derive(base, recipe);
    expect(call).toThrow(TargetError);
    expect(call).toThrow(expect.objectContaining({ code, field }));
    expect(call).toThrow(message);
  });
  it.each([undefined, null, 'wasm'])('%s is no record', (value) => {
    expect(() => define(value as unknown as Target)).toThrow(
      expect.objectContaining({ code: 'targets/not-a-record', field: 'kind' }),
    );
  });
});

/** Paths of all numbers in a record. */
const numbers = (value: object, prefix = ''): readonly string[] =>
  Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    if (typeof field === 'number') return [prefix + name];
    return typeof field === 'object' && field !== null && name !== 'sources'
      ? numbers(field, `${prefix}${name}.`)
      : [];
  });

/** A copy with the number at a path replaced. */
const withNumber = (base: Target, path: string, value: number): Target =>
  derive(base, (draft) => {
    const names = path.split('.');
    const last = names.pop()!;
    let record: object = draft;
    for (const name of names) record = Reflect.get(record, name) as object;
    Reflect.set(record, last, value);
  });

/** `otherMicrokernels.1.windows` as problems write it. */
const fieldOf = (path: string): string => path.replaceAll(/\.(\d+)/g, '[$1]');

/** The numbers but for those of further grids of kernels, which are hundreds, and checked alike. */
const differing = (base: Target): readonly string[] =>
  numbers(base).filter((path) => !/^kernels\.grids\.[1-9]/.test(path));

describe('every number of every target', () => {
  it.each(targets)('of $name is positive and not too large', (base) => {
    for (const path of differing(base)) {
      // A pass may have no cost besides its steps.
      const least = path.includes('passCycles') ? [] : [0];
      for (const value of [...least, -1, NaN, 2 ** 40 + 1]) {
        expect(() => withNumber(base, path, value), `${path} = ${value}`).toThrow(
          expect.objectContaining({ code: 'targets/not-positive', field: fieldOf(path) }),
        );
      }
    }
  });
  it.each(targets)('of $name is whole, latencies and rates apart', (base) => {
    const isReal = (path: string) => /latency|Latency|Ghz|flopPerCycle|Cycles|shares/.test(path);
    for (const path of differing(base)) {
      const change = () => withNumber(base, path, 1000.5);
      if (isReal(path)) expect(change, path).not.toThrow(/positive integer/);
      else expect(change, path).toThrow(expect.objectContaining({ field: fieldOf(path) }));
    }
  });
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
    ['wasm', 8, 12, 15],
    ['wasm-relaxed', 12, 15, 15],
    ['avx2', 12, 15, 16],
    ['avx512', 4, 5, 32],
    ['mma', 8, 8, 8],
    ['sme', 1, 1, 4],
  ])('of %s: %i accumulators, %i of %i registers', (name, accumulators, needed, available) => {
    const shipped = target(name);
    expect(registerUse(shipped.microkernel, shipped.machine)).toEqual({
      accumulators,
      needed,
      available,
    });
  });
});

describe('lineBytes', () => {
  const cache = (lineBytes: number) => ({ bytes: 65_536, lineBytes, latency: 4, sharing: 'core' as const });
  it.each([
    [{ l1: cache(32), l2: cache(64), l3: cache(128) }, 32],
    [{ l2: cache(256), l3: cache(128) }, 256],
    [{ l3: cache(128) }, 128],
    [{}, 64],
  ])('is that of the nearest cache: %j', (caches, expected) => {
    expect(lineBytes({ cache: caches })).toBe(expected);
  });
});

describe('machineFromFigures', () => {
  const figures = {
    name: 'three-levels',
    cacheBytes: [32_768, 1_048_576, 4_194_304],
    lineBytes: 128,
    latencyCycles: [2, 10, 30, 300],
    source: 'test',
  } as const;
  it('makes a machine of caches alone', () => {
    expect(machineFromFigures(figures)).toEqual({
      kind: 'machine',
      name: 'three-levels',
      title: 'three-levels',
      isa: 'generic',
      cache: {
        l1: { bytes: 32_768, lineBytes: 128, latency: 2, sharing: 'core' },
        l2: { bytes: 1_048_576, lineBytes: 128, latency: 10, sharing: 'core' },
        l3: { bytes: 4_194_304, lineBytes: 128, latency: 30, sharing: 'chip' },
      },
      memoryLatency: 300,
      sources: { cache: 'test', memoryLatency: 'test' },
    });
  });
  it('takes a title and an associativity', () => {
    const machine = machineFromFigures({ ...figures, title: 'Three levels', ways: 8 });
    expect(machine.title).toBe('Three levels');
    expect(Object.values(machine.cache).map(({ ways }) => ways as number | undefined)).toEqual([8, 8, 8]);
  });

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
