/** Why a plan looks as it does, in numbers: as data, and as text for people. */

import { foldPlan, planPaths, type Plan } from '@sconv/plans';
import type { CacheName } from '@sconv/targets';
import { l1Bytes, l2Bytes, l3Bytes } from './constraints.ts';
import { expectList, expectRecord } from './errors.ts';
import type { Heuristic } from './heuristics.ts';
import { checkPlanRecord } from './plan-input.ts';
import type { ConvolutionPlan } from './plan.ts';
import { multiplyAdds } from './shape.ts';
import { printShape } from './shape-text.ts';
import { slicingNest, spansOf, type Span } from './slicing-nest.ts';
import { roles, slice, type Dataflow, type Roles } from './tiling.ts';
import { count, percent, size } from './units.ts';

/** One kind of data in a cache. */
export interface Fill {
  /** `input`, `filter` or `output` tiles. */
  readonly what: 'input' | 'filter' | 'output';
  readonly tiles: number;
  readonly bytes: number;
}

/** What the plan keeps in one cache level. */
export interface CacheFill {
  readonly level: CacheName;
  readonly fills: readonly Fill[];
  readonly bytes: number;
  /** Bytes available to tiles. */
  readonly room: number;
}

/** One of Nc, K2, K3: its value, its upper bound, and what limited it. */
export interface ParameterReason {
  readonly name: 'nc' | 'k2' | 'k3';
  readonly counts: 'channels' | 'input tiles' | 'filter tiles';
  readonly value: number;
  readonly largest: number;
  readonly reason: string;
}

/** The reasons of a plan in numbers, for `printExplanation` or a program. */
export interface Explanation {
  readonly shape: string;
  readonly multiplyAdds: number;
  /** Windows x filters. */
  readonly microkernel: string;
  readonly schedule: Dataflow;
  /** Why this schedule: the other one's cost, and what this one keeps in L1. */
  readonly scheduleReason: string;
  readonly caches: readonly CacheFill[];
  readonly parameters: readonly ParameterReason[];
  /** #IN, #FS, channel sets; microkernel calls, edges included. Per group and image. */
  readonly tiles: {
    readonly windows: number;
    readonly filters: number;
    readonly channelSets: number;
    readonly calls: number;
  };
  /** One line per fragment and edge, in execution order. */
  readonly fragments: readonly string[];
  /** Share of the multiply-adds done in microkernels. */
  readonly inMicrokernels: number;
  readonly warnings: readonly string[];
}

const titles = { l1: 'L1', l2: 'L2', l3: 'L3' } as const;

const names = { is: 'input stationary', ws: 'weight stationary' } as const;

/** The next larger value that the heuristic would have tried. */
const nextLarger = (value: number, largest: number, heuristic: Heuristic): number => {
  switch (heuristic) {
    case 'halving': {
      let larger = largest;
      while (Math.floor(larger / 2) > value) larger = Math.floor(larger / 2);
      return larger;
    }
    case 'divisors': {
      let larger = value + 1;
      while (largest % larger !== 0) larger += 1;
      return larger;
    }
    case 'binary-search':
    case 'exhaustive':
      return value + 1;
  }
};

const verbs: Readonly<Record<Heuristic, string>> = {
  halving: 'halved from',
  'binary-search': 'the largest that fits, of',
  divisors: 'the largest divisor that fits, of',
  exhaustive: 'the cheapest of',
};

const parameterReason = (
  plan: ConvolutionPlan,
  parameter: Pick<ParameterReason, 'name' | 'counts' | 'value' | 'largest'>,
  level: CacheName,
  need: (value: number) => number,
): ParameterReason => {
  const { value, largest } = parameter;
  const room = plan.constraints.find((constraint) => constraint.level === level)?.room;
  const title = titles[level];
  const reason = (): string => {
    if (largest === 0) return 'there is no full tile';
    if (room === undefined)
      return value === largest ? `all: there is no ${title}` : `the cheapest; there is no ${title}`;
    if (need(value) > room) {
      return `the least there is, and still ${size(need(value))} of ${title} where ${size(room)} may be used`;
    }
    if (value === largest) return `all: ${size(need(value))} of ${title}, ${size(room)} may be used`;
    const larger = nextLarger(value, largest, plan.heuristic);
    const how = `${verbs[plan.heuristic]} ${count(largest)}`;
    return need(larger) > room
      ? `${how}: ${count(larger)} would need ${size(need(larger))} of ${title}, ${size(room)} may be used`
      : `${how}: ${count(larger)} would fit too`;
  };
  return { ...parameter, reason: reason() };
};

const cacheFills = (plan: ConvolutionPlan, operands: Roles): readonly CacheFill[] => {
  const [stationary, moving] =
    plan.schedule === 'is' ? (['input', 'filter'] as const) : (['filter', 'input'] as const);
  const counts = {
    l1: [1, 1, 1],
    l2: [1, plan.k2, plan.k2],
    l3: [plan.k3, plan.k2, plan.k2 * plan.k3],
  } as const;
  return plan.constraints.map(({ level, bytes, room }) => {
    const [ofStationary, ofMoving, ofOutput] = counts[level];
    return {
      level,
      fills: [
        { what: stationary, tiles: ofStationary, bytes: ofStationary * operands.stationary.bytes },
        { what: moving, tiles: ofMoving, bytes: ofMoving * operands.moving.bytes },
        { what: 'output', tiles: ofOutput, bytes: ofOutput * operands.outputBytes },
      ],
      bytes,
      room,
    };
  });
};

const scheduleReason = (plan: ConvolutionPlan): string => {
  const other = plan.schedule === 'is' ? 'ws' : 'is';
  const own = plan.cost[plan.schedule];
  const road = plan.cost[other];
  const { k2, k3 } = plan.candidates[other];
  // Without a full tile the cost may be 0.
  const times = own === 0 ? '' : `, ${(road / own).toFixed(3)} times that`;
  const costs =
    `${plan.costModel} predicts ${count(own)} cycles; ` +
    `${other.toUpperCase()} (K2 = ${k2}, K3 = ${k3}) ${count(road)}${times}`;
  if (plan.forced) return `forced; ${costs}`;
  if (plan.measured === true) return `measured to be faster; ${costs}`;
  return own === road ? `${costs}: a tie goes to WS` : costs;
};

const range = ({ from, to }: Span): string => `${from}..${to - 1}`;

/** One line per leaf, in execution order. */
const fragmentLines = ({ tree, microkernel }: ConvolutionPlan): readonly string[] =>
  planPaths(tree).map((path) => {
    const { windows, filters, channels } = spansOf(path);
    const where = `windows ${range(windows)}, filters ${range(filters)}`;
    const nest = slicingNest(path);
    if (nest === undefined) return `${where}: edge, less than a tile, not packed`;
    const own = nest.microkernel;
    const isOther = own.windows !== microkernel.windows || own.filters !== microkernel.filters;
    return (
      `${where}, channels ${range(channels)}: Nc = ${nest.nc}, K2 = ${nest.k2}, K3 = ${nest.k3}` +
      (isOther ? `, microkernel ${own.windows}x${own.filters}` : '')
    );
  });

/** The work done in microkernels, and the total. */
interface Share {
  readonly calls: number;
  /** Points of the iteration space, without the filter taps. */
  readonly inMicrokernels: number;
  readonly total: number;
}

const volume = (extents: Readonly<Record<string, number>>): number =>
  Object.values(extents).reduce((product, extent) => product * extent, 1);

const shareOf = (tree: Plan): Share =>
  foldPlan(tree, {
    loop: ({ count: times }, { calls, inMicrokernels, total }): Share => ({
      calls: times * calls,
      inMicrokernels: times * inMicrokernels,
      total: times * total,
    }),
    split: (_, parts) =>
      parts.reduce((sum, part) => ({
        calls: sum.calls + part.calls,
        inMicrokernels: sum.inMicrokernels + part.inMicrokernels,
        total: sum.total + part.total,
      })),
    pack: (_, body) => body,
    kernel: ({ extents }) => ({ calls: 1, inMicrokernels: volume(extents), total: volume(extents) }),
    scalar: ({ extents }) => ({ calls: 0, inMicrokernels: 0, total: volume(extents) }),
  });

/** Explains a plan's schedule and sizes. */
export const explain = (plan: ConvolutionPlan): Explanation => {
  checkPlanRecord(plan);
  const sliced = slice(plan.shape, plan.microkernel);
  const { schedule, nc, k2, k3, tiles } = plan;
  const operands = roles(sliced, schedule, nc);
  const [stationary, moving] =
    schedule === 'is'
      ? (['input tiles', 'filter tiles'] as const)
      : (['filter tiles', 'input tiles'] as const);
  const channelSets = Math.ceil(sliced.channels / nc);
  const share = shareOf(plan.tree);
  return {
    shape: printShape(plan.shape),
    multiplyAdds: multiplyAdds(plan.shape),
    microkernel: `${plan.microkernel.windows}x${plan.microkernel.filters}`,
    schedule,
    scheduleReason: scheduleReason(plan),
    caches: cacheFills(plan, operands),
    parameters: [
      parameterReason(
        plan,
        { name: 'nc', counts: 'channels', value: nc, largest: sliced.channels },
        'l1',
        (value) => l1Bytes(roles(sliced, schedule, value)),
      ),
      parameterReason(
        plan,
        { name: 'k2', counts: moving, value: k2, largest: operands.moving.tiles },
        'l2',
        (value) => l2Bytes(operands, value),
      ),
      parameterReason(
        plan,
        { name: 'k3', counts: stationary, value: k3, largest: operands.stationary.tiles },
        'l3',
        (value) => l3Bytes(operands, k2, value),
      ),
    ],
    tiles: {
      windows: tiles.windows,
      filters: tiles.filters,
      channelSets,
      calls: share.calls / sliced.repetitions,
    },
    fragments: fragmentLines(plan),
    inMicrokernels: share.inMicrokernels / share.total,
    warnings: plan.warnings.map(({ message }) => message),
  };
};

/** Rows of cells; columns are as wide as their widest cell. */
const table = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `  ${line(row)}\n`).join('');
};

/** The number of microkernel calls: the product of the tile counts, or the total where edges add calls. */
const callsText = ({ windows, filters, channelSets, calls }: Explanation['tiles']): string =>
  calls === windows * filters * channelSets
    ? ` = ${count(calls)} microkernel calls`
    : `; with the edges ${count(calls)} microkernel calls`;

/** The explanation as text: one paragraph each for schedule, parameters, caches and fragments. */
export const printExplanation = (explanation: Explanation): string => {
  expectRecord('explanation', explanation, 'tiles');
  for (const list of ['parameters', 'caches', 'fragments', 'warnings'] as const)
    expectList(`explanation.${list}`, explanation[list]);
  const { schedule, tiles, parameters, caches, fragments, warnings } = explanation;
  const letters = { nc: 'Nc', k2: 'K2', k3: 'K3' } as const;
  return [
    `${explanation.shape}: ${count(explanation.multiplyAdds)} multiply-adds; microkernel ` +
      `${explanation.microkernel} (windows x filters)\n`,
    `${schedule.toUpperCase()}, ${names[schedule]}: ${explanation.scheduleReason}\n`,
    `tiles: ${count(tiles.windows)} of windows (#IN) x ${count(tiles.filters)} of filters (#FS) x ` +
      `${count(tiles.channelSets)} channel sets${callsText(tiles)}, ` +
      `${percent(explanation.inMicrokernels)} of the multiply-adds\n`,
    'sizes:\n',
    table(parameters.map(({ name, counts, value, reason }) => [letters[name], count(value), counts, reason])),
    'caches:\n',
    table(
      caches.map(({ level, fills, bytes, room }) => [
        titles[level],
        `${size(bytes)} of ${size(room)}`,
        percent(bytes / room),
        fills.map((fill) => `${count(fill.tiles)} ${fill.what} ${size(fill.bytes)}`).join(' + '),
      ]),
    ),
    'fragments:\n',
    ...fragments.map((line) => `  ${line}\n`),
    ...warnings.map((warning) => `warning: ${warning}\n`),
  ].join('');
};
