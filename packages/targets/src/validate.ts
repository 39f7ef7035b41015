import { describeValue, unknownName } from '@sconv/diagnostics';
import { cacheNames, pairInstructions, type Cache, type Machine } from './machine.ts';
import { elementBytes, elementTypes, generations, registerUse, type Microkernel } from './microkernel.ts';
import type { KernelGrid, KernelShares } from './kernel-family.ts';
import type { KernelSpeeds } from './kernel-speeds.ts';
import type { Target } from './target.ts';
import { listProblems, recordProblems, TargetError, type TargetProblem } from './target-error.ts';

/** 2^40: above every real cache and tile; keeps all later products exact. */
const limit = 2 ** 40;

/** What of a record is none: it, its parts of these names, and those of `optional` that it has. */
const brokenParts = (
  field: string,
  value: unknown,
  required: readonly string[],
  optional: readonly string[],
): TargetProblem[] => {
  const broken = recordProblems(field, value);
  if (broken.length > 0) return broken;
  const record = value as Readonly<Record<string, unknown>>;
  const given = optional.filter((name) => record[name] !== undefined);
  return [...required, ...given].flatMap((name) => recordProblems(name, record[name]));
};

const nameProblems = (field: string, value: unknown, known: readonly string[]): TargetProblem[] =>
  typeof value === 'string' && known.includes(value)
    ? []
    : [{ code: 'targets/unknown-name', field, message: unknownName(field, value, known) }];

const number = (field: string, value: number, what: string, integer = true): TargetProblem[] => {
  const kind = integer ? 'integer' : 'number';
  if (typeof value === 'number' && value > 0 && value <= limit && (!integer || Number.isInteger(value)))
    return [];
  return [
    {
      code: 'targets/not-positive',
      field,
      message: `${what} must be a positive ${kind} up to 2^40, not ${describeValue(value)}`,
    },
  ];
};

const optionalNumber = (
  field: string,
  value: number | undefined,
  what: string,
  integer = true,
): TargetProblem[] => (value === undefined ? [] : number(field, value, what, integer));

const cacheProblems = (field: string, cache: Cache): TargetProblem[] => {
  const problems = [
    ...number(`${field}.bytes`, cache.bytes, 'the capacity'),
    ...number(`${field}.lineBytes`, cache.lineBytes, 'the line size'),
    ...number(`${field}.latency`, cache.latency, 'the latency', false),
    ...optionalNumber(`${field}.ways`, cache.ways, 'the associativity'),
  ];
  if (problems.length > 0) return problems;
  if (!Number.isInteger(Math.log2(cache.lineBytes))) {
    return [
      {
        code: 'targets/line-size',
        field: `${field}.lineBytes`,
        message: `a line of ${cache.lineBytes} bytes: line sizes are powers of two`,
      },
    ];
  }
  const lines = Math.floor(cache.bytes / cache.lineBytes);
  if (lines < (cache.ways ?? 1)) {
    return [
      {
        code: 'targets/too-few-lines',
        field: `${field}.bytes`,
        message:
          `${cache.bytes} bytes hold ${lines} lines of ${cache.lineBytes}, less than one set of ` +
          `${cache.ways ?? 1} ways`,
      },
    ];
  }
  return [];
};

const hierarchyProblems = (machine: Machine): TargetProblem[] => {
  const problems: TargetProblem[] = [];
  let nearer: { name: string; cache: Cache } | undefined;
  for (const name of cacheNames) {
    const cache = machine.cache[name];
    if (cache === undefined) continue;
    const field = `cache.${name}`;
    const broken = [...recordProblems(field, cache)];
    if (broken.length === 0) broken.push(...cacheProblems(field, cache));
    problems.push(...broken);
    if (broken.length > 0) continue;
    if (nearer !== undefined && cache.latency < nearer.cache.latency) {
      problems.push({
        code: 'targets/latency-order',
        field: `${field}.latency`,
        message: `${cache.latency} cycles, but ${nearer.name}, which is nearer, takes ${nearer.cache.latency}`,
      });
    }
    nearer = { name, cache };
  }
  const isNumber = number('memoryLatency', machine.memoryLatency, 'the latency', false).length === 0;
  if (isNumber && nearer !== undefined && machine.memoryLatency < nearer.cache.latency) {
    problems.push({
      code: 'targets/latency-order',
      field: 'memoryLatency',
      message: `${machine.memoryLatency} cycles, but ${nearer.name} takes ${nearer.cache.latency}`,
    });
  }
  return problems;
};

/** Everything impossible about a machine; empty if it is valid. */
export const machineProblems = (machine: Machine): readonly TargetProblem[] => {
  const broken = brokenParts('machine', machine, ['cache'], ['vector', 'matrix']);
  if (broken.length > 0) return broken;
  const { vector, matrix } = machine;
  return [
    ...number('memoryLatency', machine.memoryLatency, 'the latency', false),
    ...hierarchyProblems(machine),
    ...optionalNumber('frequencyGhz', machine.frequencyGhz, 'the clock', false),
    ...optionalNumber('flopPerCycle', machine.flopPerCycle, 'the peak rate', false),
    ...(vector === undefined
      ? []
      : [
          ...number('vector.bits', vector.bits, 'the register width'),
          ...number('vector.registers', vector.registers, 'the register count'),
          ...number('vector.units', vector.units, 'the unit count'),
          ...optionalNumber('vector.loads', vector.loads, 'the loads per cycle'),
          ...optionalNumber('vector.latency', vector.latency, 'the latency of a multiply-add', false),
          ...optionalNumber('vector.maskedLoads', vector.maskedLoads, 'the width of an element'),
          ...(vector.pairProducts === undefined
            ? []
            : nameProblems('vector.pairProducts', vector.pairProducts, pairInstructions)),
        ]),
    ...(matrix === undefined
      ? []
      : [
          ...number('matrix.accumulators', matrix.accumulators, 'the accumulator count'),
          ...number('matrix.rows', matrix.rows, 'the row count'),
          ...number('matrix.columns', matrix.columns, 'the column count'),
          ...number('matrix.units', matrix.units, 'the unit count'),
        ]),
  ];
};

const panelProblems = (kernel: Microkernel, operand: 'windows' | 'filters'): TargetProblem[] => {
  const size = kernel[operand];
  const panel = kernel.panels[operand];
  const problems = [
    ...number(operand, size, `the number of ${operand}`),
    ...number(`panels.${operand}`, panel, 'the panel width'),
  ];
  if (problems.length > 0 || size % panel === 0) return problems;
  return [
    {
      code: 'targets/panel-width',
      field: `panels.${operand}`,
      message: `panels of ${panel} do not divide the tile's ${size} ${operand}`,
    },
  ];
};

/** Everything impossible about a microkernel by itself. */
export const microkernelProblems = (kernel: Microkernel): readonly TargetProblem[] => {
  const broken = brokenParts('microkernel', kernel, ['panels'], ['registerTile']);
  if (broken.length > 0) return broken;
  return [
    ...panelProblems(kernel, 'windows'),
    ...panelProblems(kernel, 'filters'),
    ...(kernel.registerTile === undefined
      ? []
      : [
          ...number('registerTile.windows', kernel.registerTile.windows, 'the number of windows'),
          ...number('registerTile.filters', kernel.registerTile.filters, 'the number of filters'),
        ]),
    ...optionalNumber('steps', kernel.steps, 'the number of steps'),
    ...nameProblems('elementType', kernel.elementType, elementTypes),
    ...nameProblems('vectorized', kernel.vectorized, ['windows', 'filters', 'both']),
    ...nameProblems('generation', kernel.generation, generations),
  ];
};

const registerProblems = (kernel: Microkernel, machine: Machine): TargetProblem[] => {
  const use = registerUse(kernel, machine);
  if (use === undefined || use.needed <= use.available) return [];
  const unit = kernel.vectorized === 'both' && machine.matrix !== undefined ? machine.matrix : machine.vector;
  const bytes = kernel.windows * kernel.filters * elementBytes(kernel.elementType);
  return [
    {
      code: 'targets/too-many-registers',
      field: 'windows',
      message:
        `a tile of ${kernel.windows} windows x ${kernel.filters} filters (${bytes} bytes) needs ` +
        `${use.accumulators} accumulators, ` +
        `${use.needed} registers with its operands; ${unit?.extension ?? machine.name} has ${use.available}`,
    },
  ];
};

const speedProblems = (speeds: KernelSpeeds): TargetProblem[] => {
  const { lanes, stepCycles, passCycles, scalarCycles } = speeds;
  const broken = [...listProblems('stepCycles', stepCycles), ...recordProblems('passCycles', passCycles)];
  if (broken.length > 0) return broken;
  return [
    ...number('lanes', lanes, 'the number of elements of a vector'),
    ...stepCycles.flatMap((row, i) => {
      const field = `stepCycles[${i}]`;
      const problems = listProblems(field, row);
      if (problems.length > 0) return problems;
      return row.flatMap((cycles, j) => number(`${field}[${j}]`, cycles, 'the number of cycles', false));
    }),
    ...(['each', 'always', 'transposed'] as const).flatMap((part) => {
      const { [part]: cycles = 0 } = passCycles;
      // From a line fitted to measurements, which may start at 0.
      return cycles === 0 ? [] : number(`passCycles.${part}`, cycles, 'the number of cycles', false);
    }),
    ...number('scalarCycles', scalarCycles, 'the number of cycles', false),
    ...(['packCycles', 'streamCycles', 'partCycles', 'lastWindowCycles'] as const).flatMap((field) =>
      optionalNumber(field, speeds[field], 'the number of cycles', false),
    ),
    ...optionalNumber('registers', speeds.registers, 'the register count'),
    ...optionalNumber('transposedSquare', speeds.transposedSquare, 'the side of a square'),
    ...(speeds.lastVector === undefined
      ? []
      : nameProblems('lastVector', speeds.lastVector, ['partial', 'overlapping'])),
    ...(['steps', 'scheduleUpToSteps'] as const).flatMap((field) =>
      optionalNumber(field, speeds[field], 'the number of steps'),
    ),
    ...(speeds.schedule === undefined ? [] : nameProblems('schedule', speeds.schedule, ['is', 'ws'])),
  ];
};

const gridProblems = (field: string, { unroll, shares }: KernelGrid): TargetProblem[] => {
  const rows: readonly (readonly number[])[] = shares;
  return [
    ...(['channels', 'tapRows', 'tapColumns'] as const).flatMap((name) =>
      number(`${field}.unroll.${name}`, unroll[name], 'the steps unrolled'),
    ),
    ...rows.flatMap((row, i) =>
      row.flatMap((share, j) => number(`${field}.shares[${i}][${j}]`, share, 'a share', false)),
    ),
  ];
};

const shareProblems = ({ lanes, grids }: KernelShares): TargetProblem[] => {
  const all: unknown = grids;
  if (!Array.isArray(all)) return listProblems('grids', all);
  return [
    ...number('lanes', lanes, 'the number of lanes'),
    ...grids.flatMap((grid, i) => {
      const parts = brokenParts(`grids[${i}]`, grid, ['unroll'], []);
      return parts.length > 0 ? parts : gridProblems(`grids[${i}]`, grid);
    }),
  ];
};

const kernelField = (index: number): string =>
  index === 0 ? 'microkernel' : `otherMicrokernels[${index - 1}]`;

/** Everything impossible about a target: its machine, each kernel, each kernel on that machine, and its speeds. */
export const targetProblems = (target: Target): readonly TargetProblem[] => {
  const under = (prefix: string, problems: readonly TargetProblem[]): TargetProblem[] =>
    problems.map((problem) => ({ ...problem, field: `${prefix}.${problem.field}` }));
  const parts = brokenParts('target', target, ['machine', 'microkernel'], ['speeds', 'kernels']);
  if (parts.length > 0) return parts;
  const others: unknown = target.otherMicrokernels;
  if (!Array.isArray(others)) return listProblems('otherMicrokernels', others);
  // Array.from: `flatMap` skips holes.
  const broken = Array.from<unknown>(others).flatMap((kernel, i) =>
    recordProblems(kernelField(i + 1), kernel),
  );
  if (broken.length > 0) return broken;
  const machine = under('machine', machineProblems(target.machine));
  const kernels = [target.microkernel, ...target.otherMicrokernels].flatMap((kernel, index) => {
    const field = kernelField(index);
    const own = under(field, microkernelProblems(kernel));
    // Register counts mean nothing on an invalid machine.
    return own.length > 0 || machine.length > 0
      ? own
      : under(field, registerProblems(kernel, target.machine));
  });
  const speeds = target.speeds === undefined ? [] : under('speeds', speedProblems(target.speeds));
  const shares = target.kernels === undefined ? [] : under('kernels', shareProblems(target.kernels));
  return [...machine, ...kernels, ...speeds, ...shares];
};

const problemsOf = (value: Target | Machine | Microkernel): readonly TargetProblem[] => {
  const broken = recordProblems('kind', value);
  if (broken.length > 0) return broken;
  switch (value.kind) {
    case 'target':
      return targetProblems(value);
    case 'machine':
      return machineProblems(value);
    case 'microkernel':
      return microkernelProblems(value);
    default:
      return nameProblems('kind', (value as { readonly kind: unknown }).kind, [
        'target',
        'machine',
        'microkernel',
      ]);
  }
};

/** The record itself if it is valid; throws `TargetError` with the first problem otherwise. */
export const check = <T extends Target | Machine | Microkernel>(value: T): T => {
  const [first] = problemsOf(value);
  if (first !== undefined) throw new TargetError(first.code, first.field, first.message);
  return value;
};
