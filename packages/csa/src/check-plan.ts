/** Validates plans from other sources: parts add up, the space is covered, packed buffers fit the caches. */
import { describeValue } from '@sconv/diagnostics';
import type { CacheName } from '@sconv/targets';
import { cacheNames } from '@sconv/targets';
import { expectRecord } from './errors.ts';
import { extentsOf } from './plan-of-tiling.ts';
import type { ConvolutionDimension, Extents, KernelNode, PackNode, Plan, ScalarNode } from './plan-tree.ts';
import { planExtents } from './plan-tree.ts';
import type { Hierarchy, SlicedConvolution } from './tiling.ts';

/** One violation. */
export interface PlanProblem {
  readonly code:
    | 'csa/plan-node'
    | 'csa/plan-parts'
    | 'csa/plan-loop'
    | 'csa/plan-coverage'
    | 'csa/plan-kernel'
    | 'csa/plan-pack'
    | 'csa/plan-cache';
  /** Access path in code notation: `plan.parts[1].body`. */
  readonly path: string;
  readonly message: string;
}

/** What a plan is checked against. */
export interface PlanLimits<D extends string> {
  /** The whole iteration space; default: `planExtents` of the plan. */
  readonly extents?: Extents<D>;
  /** Bytes of an operand's packed buffer, given the extents at its node; without it caches are not checked. */
  readonly packedBytes?: (operand: PackNode['operand'], extents: Extents<D>) => number;
  /** Bytes of the largest cache available to packed buffers; infinite without caches. */
  readonly room?: number;
}

/** The limits of a convolution; with a machine, also those of its caches. */
export const planLimits = (
  sliced: SlicedConvolution,
  caches?: Pick<Hierarchy, 'room'>,
): PlanLimits<ConvolutionDimension> => ({
  extents: extentsOf(sliced),
  packedBytes: (operand, extents) =>
    extents[tileDimension[operand]] * extents.channels * sliced.taps * sliced.elementBytes,
  room: caches === undefined ? Infinity : largestRoom(caches.room),
});

/** The bytes that tiles may fill of the machine's largest cache; infinite without caches. */
const largestRoom = (room: Readonly<Record<CacheName, number>>): number => {
  const finite = cacheNames.map((name) => room[name]).filter((bytes) => bytes !== Infinity);
  return finite.length === 0 ? Infinity : Math.max(...finite);
};

/** The dimension that an operand is tiled along. */
const tileDimension = { input: 'windows', filters: 'filters' } as const;

/** The context of a node. */
interface Around {
  readonly path: string;
  readonly extents: Readonly<Record<string, number>>;
  /** Tile width of each packed operand; fractional where the tile count does not divide the extent. */
  readonly packed: Readonly<Partial<Record<PackNode['operand'], number>>>;
  /** Total bytes of the enclosing packed buffers. */
  readonly bytes: number;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const convolutionDimensions = [
  'batch',
  'group',
  'channels',
  'windows',
  'filters',
] as const satisfies readonly ConvolutionDimension[];

/**
 * All violations in the order of the nodes; empty for a valid plan. Makes no assumptions: the plan may come from
 * untyped code or JSON. Malformed nodes, if any, are all that is reported.
 */
export const planProblems = <D extends string = ConvolutionDimension>(
  plan: Plan<D>,
  limits: PlanLimits<D> = {},
): readonly PlanProblem[] => {
  expectRecord('limits', limits);
  const dimensions = limits.extents === undefined ? convolutionDimensions : Object.keys(limits.extents);
  const malformed = [...formProblems(plan, 'plan', dimensions)];
  if (malformed.length > 0) return malformed;
  const extents = limits.extents ?? planExtents(plan);
  return [
    ...nodeProblems(
      plan,
      { path: 'plan', extents, packed: {}, bytes: 0 },
      {
        packedBytes: limits.packedBytes,
        room: limits.room ?? Infinity,
      },
    ),
  ];
};

interface Buffers {
  readonly packedBytes:
    ((operand: PackNode['operand'], extents: Readonly<Record<string, number>>) => number) | undefined;
  readonly room: number;
}

/** Malformed nodes, at any depth. */
function* formProblems(node: unknown, path: string, dimensions: readonly string[]): Generator<PlanProblem> {
  const message = formProblem(node, dimensions);
  if (message !== undefined) {
    yield { code: 'csa/plan-node', path, message };
    return;
  }
  const { kind, body, parts } = node as Readonly<Record<string, unknown>>;
  if (kind === 'loop' || kind === 'pack') yield* formProblems(body, `${path}.body`, dimensions);
  if (kind !== 'split') return;
  for (const [i, part] of (parts as readonly { readonly body: unknown }[]).entries())
    yield* formProblems(part.body, `${path}.parts[${i}].body`, dimensions);
}

const kinds: readonly string[] = [
  'loop',
  'split',
  'pack',
  'kernel',
  'scalar',
] satisfies readonly Plan['kind'][];

/** Why a value is not a node; undefined if it is. Children are not checked. */
const formProblem = (node: unknown, dimensions: readonly string[]): string | undefined => {
  if (!isRecord(node)) return `expected a node of a plan, not ${describeValue(node)}`;
  const counted = (name: string, value: unknown): string | undefined =>
    isCount(value) ? undefined : `${name} is a positive integer, not ${describeValue(value)}`;
  const oneOf = (name: string, words: readonly string[]): string | undefined =>
    words.some((word) => word === node[name])
      ? undefined
      : `${name} is ${words.join(' or ')}, not ${describeValue(node[name])}`;
  const extentsProblem = (): string | undefined => {
    const { extents } = node;
    if (!isRecord(extents)) return `expected extents, not ${describeValue(extents)}`;
    return dimensions
      .map((dimension) => counted(`extents.${dimension}`, extents[dimension]))
      .find((why) => why !== undefined);
  };
  switch (node['kind']) {
    case 'loop':
      return (
        oneOf('dimension', dimensions) ?? counted('step', node['step']) ?? counted('count', node['count'])
      );
    case 'split': {
      const { parts } = node;
      const wrong = oneOf('dimension', dimensions);
      if (wrong !== undefined) return wrong;
      if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isRecord)) {
        return `expected parts, not ${describeValue(parts)}`;
      }
      return parts.map(({ size }) => counted('the size of a part', size)).find((why) => why !== undefined);
    }
    case 'pack':
      return (
        oneOf('operand', ['input', 'filters']) ??
        oneOf('lifetime', ['here', 'artifact']) ??
        counted('tiles', node['tiles'])
      );
    case 'kernel': {
      const { microkernel } = node;
      if (!isRecord(microkernel)) return `expected a microkernel, not ${describeValue(microkernel)}`;
      return (
        oneOf('lanes', ['windows', 'filters']) ??
        oneOf('fill', ['exact', 'padded']) ??
        counted('microkernel.windows', microkernel['windows']) ??
        counted('microkernel.filters', microkernel['filters']) ??
        extentsProblem()
      );
    }
    case 'scalar':
      return extentsProblem();
    default:
      return `kind is ${kinds.join(' or ')}, not ${describeValue(node['kind'])}`;
  }
};

/** Violations in a plan whose nodes are all well-formed. */
function* nodeProblems(plan: Plan<string>, around: Around, buffers: Buffers): Generator<PlanProblem> {
  const { path, extents } = around;
  switch (plan.kind) {
    case 'loop': {
      const { dimension, step, count, body } = plan;
      if (step * count !== extents[dimension]) {
        yield {
          code: 'csa/plan-loop',
          path,
          message: `${count} steps of ${step} are not the ${extents[dimension]!} of ${dimension} here`,
        };
      }
      const inner = { ...extents, [dimension]: step };
      yield* nodeProblems(body, { ...around, path: `${path}.body`, extents: inner }, buffers);
      break;
    }
    case 'split': {
      const { dimension, parts } = plan;
      const sum = parts.reduce((total, { size }) => total + size, 0);
      if (sum !== extents[dimension]) {
        yield {
          code: 'csa/plan-parts',
          path,
          message: `the parts add up to ${sum}, not to the ${extents[dimension]!} of ${dimension} here`,
        };
      }
      for (const [i, { size, body }] of parts.entries()) {
        const part = { ...extents, [dimension]: size };
        yield* nodeProblems(body, { ...around, path: `${path}.parts[${i}].body`, extents: part }, buffers);
      }
      break;
    }
    case 'pack':
      yield* packProblems(plan, around, buffers);
      break;
    case 'kernel':
      yield* coverageProblems(plan, around);
      yield* kernelProblems(plan, around);
      break;
    case 'scalar':
      yield* coverageProblems(plan, around);
      break;
  }
}

/** Leaves whose extents differ from what the enclosing nodes leave. */
function* coverageProblems(
  { kind, extents: own }: KernelNode<string> | ScalarNode<string>,
  { path, extents }: Around,
): Generator<PlanProblem> {
  for (const dimension of new Set([...Object.keys(extents), ...Object.keys(own)])) {
    if (own[dimension] === extents[dimension]) continue;
    const message =
      `this ${kind} covers ${own[dimension]!} of ${dimension}, of which there is ` +
      `${extents[dimension] ?? 'none'} here`;
    yield { code: 'csa/plan-coverage', path, message };
  }
}

function* kernelProblems(
  { microkernel, fill, extents: own }: KernelNode<string>,
  { path, packed }: Around,
): Generator<PlanProblem> {
  for (const operand of ['input', 'filters'] as const) {
    const dimension = tileDimension[operand];
    const width = microkernel[dimension];
    const covered = own[dimension];
    if (covered !== undefined && (fill === 'exact' ? covered !== width : covered > width)) {
      const message =
        `${fill === 'exact' ? 'an exact' : 'a padded'} microkernel of ${width} ${dimension} cannot ` +
        `compute ${covered}`;
      yield { code: 'csa/plan-kernel', path, message };
    }
    if (packed[operand] === undefined) {
      const message = `a microkernel reads packed operands, and nothing packs the ${operand}`;
      yield { code: 'csa/plan-kernel', path, message };
    } else if (covered !== undefined && packed[operand] !== covered && Number.isInteger(packed[operand])) {
      const message =
        `the ${operand} are packed in tiles of ${packed[operand]} ${dimension}, and this reads ` +
        `${covered}`;
      yield { code: 'csa/plan-kernel', path, message };
    }
  }
}

function* packProblems(
  { operand, tiles, body }: PackNode<string>,
  around: Around,
  buffers: Buffers,
): Generator<PlanProblem> {
  const { path, extents, packed } = around;
  const dimension = tileDimension[operand];
  const width = extents[dimension];
  if (packed[operand] !== undefined) {
    yield { code: 'csa/plan-pack', path, message: `the ${operand} are packed already` };
  }
  if (width !== undefined && width % tiles !== 0) {
    yield { code: 'csa/plan-pack', path, message: `${tiles} tiles do not divide ${width} ${dimension}` };
  }
  const bytes = around.bytes + (buffers.packedBytes?.(operand, extents) ?? 0);
  if (bytes > buffers.room) {
    const message = `the packed buffers take ${bytes} bytes, and the largest cache has room for ${buffers.room}`;
    yield { code: 'csa/plan-cache', path, message };
  }
  const tile = width === undefined ? 0 : width / tiles;
  yield* nodeProblems(
    body,
    { ...around, path: `${path}.body`, packed: { ...packed, [operand]: tile }, bytes },
    buffers,
  );
}
