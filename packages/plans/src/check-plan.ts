/**
 * Validates plans from any source: parts add up, the space is covered, packed buffers fit the caches, and loops and
 * packings stand where there is code for them.
 */
import { describeValue } from '@sconv/diagnostics';
import { decisionProblems, placeProblems } from './check-leaf.ts';
import type { Contraction } from './contraction.ts';
import { expectRecord } from './errors.ts';
import type { Family } from './families.ts';
import { extentsIn, familyOf, tileDimension } from './families.ts';
import type { AnyPlan, KernelNode, PackedOperand, PackNode, Plan, ScalarNode } from './plan.ts';
import { planExtents } from './plan.ts';

/** One violation. */
export interface PlanProblem {
  readonly code:
    | 'plan/node'
    | 'plan/parts'
    | 'plan/loop'
    | 'plan/group'
    | 'plan/coverage'
    | 'plan/kernel'
    | 'plan/pack'
    | 'plan/cache';
  /** Access path in code notation: `plan.parts[1].body`. */
  readonly path: string;
  readonly message: string;
}

/** What a plan is checked against. */
export interface PlanLimits {
  /** What is planned: its extents, and where a kernel can read in place; default: `planExtents`, and everywhere. */
  readonly contraction?: Contraction;
  /** The whole iteration space, where the contraction is not given. */
  readonly extents?: Extents;
  /** Bytes of an operand's packed buffer, given the extents at its node; without it caches are not checked. */
  readonly packedBytes?: (operand: PackedOperand, extents: Extents) => number;
  /** Bytes of the largest cache available to packed buffers; infinite without caches. */
  readonly room?: number;
}

/** Extents by the names of a family's dimensions. */
type Extents = Readonly<Record<string, number>>;

/** The context of a node. */
interface Around {
  readonly path: string;
  readonly family: Family;
  readonly extents: Extents;
  /** The dimensions of the innermost loop, and of the splits in it: what is packed depends on one of them. */
  readonly moving: readonly string[];
  /** Whether nothing but loops over groups stands outside. */
  readonly isOutermost: boolean;
  readonly packed: Readonly<Partial<Record<PackedOperand, PackedTiles>>>;
  /** Total bytes of the enclosing packed buffers. */
  readonly bytes: number;
}

/** A packed operand, as the nodes below see it. */
interface PackedTiles {
  readonly tiles: number;
  /** Of a tile; fractional where the tile count does not divide the extent. */
  readonly width: number;
  readonly isPadded: boolean;
  /** Whether the loop over the tiles stands around. */
  readonly isEntered: boolean;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstOf = (name: string, value: unknown): string | undefined =>
  value === 0 || isCount(value) ? undefined : `${name} is an integer from 0, not ${describeValue(value)}`;

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/**
 * All violations in the order of the nodes; empty for a plan that can be priced, explained and generated. Makes no
 * assumptions: the plan may come from untyped code or JSON. Malformed nodes, if any, are all that is reported.
 */
export const planProblems = (plan: AnyPlan, limits: PlanLimits = {}): readonly PlanProblem[] => {
  expectRecord('limits', limits);
  const family = familyOf(plan);
  const malformed = [...formProblems(plan, family, 'plan')];
  if (malformed.length > 0) return malformed;
  const { contraction } = limits;
  const extents =
    contraction === undefined
      ? (limits.extents ?? planExtents<string>(plan))
      : extentsIn(family, contraction);
  const around = { path: 'plan', family, extents, moving: [], isOutermost: true, packed: {}, bytes: 0 };
  return [...nodeProblems(plan, around, limits)];
};

/** Malformed nodes, at any depth. */
function* formProblems(node: unknown, family: Family, path: string): Generator<PlanProblem> {
  const message = formProblem(node, family);
  if (message !== undefined) {
    yield { code: 'plan/node', path, message };
    return;
  }
  const { kind, body, parts } = node as Readonly<Record<string, unknown>>;
  if (kind === 'loop' || kind === 'pack') yield* formProblems(body, family, `${path}.body`);
  if (kind !== 'split') return;
  for (const [i, part] of (parts as readonly { readonly body: unknown }[]).entries())
    yield* formProblems(part.body, family, `${path}.parts[${i}].body`);
}

const kinds: readonly string[] = [
  'loop',
  'split',
  'pack',
  'kernel',
  'scalar',
] satisfies readonly Plan['kind'][];

/** Why a value is not a node; undefined if it is. Children are not checked. */
const formProblem = (node: unknown, { dimensions, windows }: Family): string | undefined => {
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
    const other = Object.keys(extents).find((name) => !dimensions.some((each) => each === name));
    if (other !== undefined) return `extents are of ${dimensions.join(', ')}, not of ${other}`;
    return dimensions
      .map((dimension) => counted(`extents.${dimension}`, extents[dimension]))
      .find((why) => why !== undefined);
  };
  const decisionsProblem = (): string | undefined => {
    const { unroll = {}, tiles = [] } = node;
    if (!isRecord(unroll)) return `expected factors by dimension, not ${describeValue(unroll)}`;
    if (!Array.isArray(tiles) || !tiles.every(isRecord)) return `expected tiles, not ${describeValue(tiles)}`;
    const factors = Object.entries(unroll).map(([name, factor]) => counted(`unroll.${name}`, factor));
    const ofParts = tiles.flatMap(({ firstWindow, windows, firstFilter, filters }) => [
      firstOf('firstWindow', firstWindow),
      firstOf('firstFilter', firstFilter),
      counted('windows', windows),
      counted('filters', filters),
    ]);
    return [...factors, ...ofParts].find((why) => why !== undefined);
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
        counted('tiles', node['tiles']) ??
        (node['padded'] === undefined ? undefined : counted('padded', node['padded']))
      );
    case 'kernel':
      return oneOf('lanes', [...windows, 'filters']) ?? extentsProblem() ?? decisionsProblem();
    case 'scalar':
      return extentsProblem();
    default:
      return `kind is ${kinds.join(' or ')}, not ${describeValue(node['kind'])}`;
  }
};

/** Violations in a plan whose nodes are all well-formed. */
function* nodeProblems(plan: Plan<string>, around: Around, limits: PlanLimits): Generator<PlanProblem> {
  switch (plan.kind) {
    case 'loop': {
      const { dimension, step, count, body } = plan;
      const { path, extents, packed } = around;
      if (step * count !== extents[dimension]!) {
        yield {
          code: 'plan/loop',
          path,
          message: `${count} steps of ${step} are not the ${extents[dimension]} of ${dimension} here`,
        };
      }
      yield* groupProblems(dimension, step, around);
      yield* loopProblems(dimension, count, around);
      const inner: Around = {
        ...around,
        path: `${path}.body`,
        extents: { ...extents, [dimension]: step },
        moving: [dimension],
        isOutermost: around.isOutermost && dimension === 'group',
        packed: entered(packed, dimension),
      };
      yield* nodeProblems(body, inner, limits);
      break;
    }
    case 'split':
      yield* splitProblems(plan.dimension, plan.parts, around, limits);
      break;
    case 'pack':
      yield* packProblems(plan, around, limits);
      break;
    case 'kernel':
      yield* coverageProblems(plan, around);
      yield* kernelProblems(plan, around, limits);
      break;
    case 'scalar':
      yield* coverageProblems(plan, around);
      if (plan.extents['group'] !== 1) yield { code: 'plan/group', path: around.path, message: oneByOne };
      for (const operand of packedIn(around)) {
        const message = `scalar code reads the ${operand} where they are, not the packed ones`;
        yield { code: 'plan/pack', path: around.path, message };
      }
      break;
  }
}

const packedIn = ({ packed }: Around): readonly PackedOperand[] =>
  (['input', 'filters'] as const).filter((operand) => packed[operand] !== undefined);

/** Groups are separate convolutions: there is a loop over them, outside of all else. */
function* groupProblems(
  dimension: string,
  step: number,
  { path, extents, isOutermost }: Around,
): Generator<PlanProblem> {
  if (dimension !== 'group' || (extents['group'] === 1 && step === 1)) return;
  if (isOutermost && step === 1) return;
  yield { code: 'plan/group', path, message: oneByOne };
}

const oneByOne = 'groups are computed one by one, in the outermost loop';

/** A loop inside of a packing is over its tiles, or over what the packed operand does not depend on. */
function* loopProblems(dimension: string, count: number, around: Around): Generator<PlanProblem> {
  for (const operand of packedIn(around)) {
    if (!around.family.dimensionsOf[operand].includes(dimension)) continue;
    const { tiles, isEntered } = around.packed[operand]!;
    if (dimension === tileDimension[operand] && !isEntered && count === tiles) continue;
    const message =
      `tiles of the ${operand} are packed for one loop over the ${tileDimension[operand]}, with as many ` +
      `iterations as tiles: ${tiles}`;
    yield { code: 'plan/pack', path: around.path, message };
  }
}

const entered = (packed: Around['packed'], dimension: string): Around['packed'] => {
  const of = (operand: PackedOperand): Around['packed'] => {
    const tiles = packed[operand];
    if (tiles === undefined) return {};
    return { [operand]: { ...tiles, isEntered: tiles.isEntered || dimension === tileDimension[operand] } };
  };
  return { ...of('input'), ...of('filters') };
};

function* splitProblems(
  dimension: string,
  parts: readonly { readonly size: number; readonly body: Plan<string> }[],
  around: Around,
  limits: PlanLimits,
): Generator<PlanProblem> {
  const { path, extents } = around;
  const sum = parts.reduce((total, { size }) => total + size, 0);
  if (sum !== extents[dimension]) {
    const message = `the parts add up to ${sum}, not to the ${extents[dimension]} of ${dimension} here`;
    yield { code: 'plan/parts', path, message };
  }
  if (dimension === 'group' && parts.length > 1) yield { code: 'plan/group', path, message: oneByOne };
  for (const operand of packedIn(around)) {
    const message = `a split below the packing of the ${operand}: pack in each of the parts`;
    yield { code: 'plan/pack', path, message };
  }
  for (const [i, { size, body }] of parts.entries()) {
    const moving = around.moving.length === 0 ? [] : [...around.moving, dimension];
    const part = {
      ...around,
      path: `${path}.parts[${i}].body`,
      extents: { ...extents, [dimension]: size },
      moving,
    };
    yield* nodeProblems(body, { ...part, isOutermost: false }, limits);
  }
}

/** Leaves whose extents differ from what the enclosing nodes leave. */
function* coverageProblems(
  { kind, extents: own }: KernelNode<string> | ScalarNode<string>,
  { path, family, extents }: Around,
): Generator<PlanProblem> {
  for (const dimension of family.dimensions) {
    if (own[dimension] === extents[dimension]) continue;
    const message =
      `this ${kind} covers ${own[dimension]} of ${dimension}, of which there is ` +
      `${extents[dimension]} here`;
    yield { code: 'plan/coverage', path, message };
  }
}

function* kernelProblems(
  kernel: KernelNode<string>,
  { path, family, packed }: Around,
  { contraction }: PlanLimits,
): Generator<PlanProblem> {
  const { extents: own } = kernel;
  for (const dimension of ['batch', 'group'] as const) {
    if (own[dimension] === 1) continue;
    const message = `a microkernel computes one ${dimension}, not ${own[dimension]}: loop over them by 1`;
    yield { code: 'plan/kernel', path, message };
  }
  for (const operand of ['input', 'filters'] as const) {
    const covered = own[tileDimension[operand]] ?? 1;
    const tile = packed[operand];
    if (tile !== undefined && tile.width !== covered && Number.isInteger(tile.width)) {
      const message =
        `the ${operand} are packed in tiles of ${tile.width} ${tileDimension[operand]}, and this reads ` +
        `${covered}`;
      yield { code: 'plan/kernel', path, message };
    }
  }
  if (packed.filters?.isPadded === true && (kernel.lanes !== 'filters' || kernel.tiles === undefined)) {
    const message = 'the filters are padded for vectors along them, and for a kernel that decides its tiles';
    yield { code: 'plan/kernel', path, message };
  }
  for (const message of decisionProblems(kernel, family)) yield { code: 'plan/kernel', path, message };
  const inPlace = (['input', 'filters'] as const).filter((operand) => packed[operand] === undefined);
  // A plain one on packed operands of windows is a microkernel of the target, whose lanes that arranges.
  const isPlain =
    inPlace.length === 0 &&
    family.windows.includes('windows') &&
    kernel.unroll === undefined &&
    kernel.tiles === undefined;
  if (contraction === undefined || isPlain) return;
  for (const message of placeProblems(kernel, family, contraction, inPlace))
    yield { code: 'plan/kernel', path, message };
}

function* packProblems(
  { operand, tiles, padded, body }: PackNode<string>,
  around: Around,
  limits: PlanLimits,
): Generator<PlanProblem> {
  const { path, extents, packed, moving } = around;
  const dimension = tileDimension[operand];
  // Rows and columns are packed whole: they are no tiles of a width.
  const width = extents[dimension] ?? 1;
  const problem = (code: 'plan/pack' | 'plan/cache', message: string): PlanProblem => ({
    code,
    path,
    message,
  });
  if (packed[operand] !== undefined) yield problem('plan/pack', `the ${operand} are packed already`);
  else if (moving.length > 0 && !moving.some((each) => around.family.dimensionsOf[operand].includes(each))) {
    const message = `the ${operand} do not depend on the loop over ${moving[0]}: pack them outside of it`;
    yield problem('plan/pack', message);
  }
  if (width % tiles !== 0)
    yield problem(
      'plan/pack',
      extents[dimension] === undefined
        ? `rows and columns of the input are packed as one tile, not as ${tiles}`
        : `${tiles} tiles do not divide ${width} ${dimension}`,
    );
  const wrong = padded === undefined ? undefined : paddingProblem(operand, tiles, width, padded);
  if (wrong !== undefined) yield problem('plan/pack', wrong);
  const bytes =
    around.bytes +
    (limits.packedBytes?.(operand, padded === undefined ? extents : { ...extents, filters: padded }) ?? 0);
  const room = limits.room ?? Infinity;
  if (bytes > room) {
    yield problem(
      'plan/cache',
      `the packed buffers take ${bytes} bytes, and the largest cache has room for ${room}`,
    );
  }
  const isPadded = padded !== undefined;
  const tile: PackedTiles = { tiles, width: width / tiles, isPadded, isEntered: false };
  const inner = { ...around, path: `${path}.body`, packed: { ...packed, [operand]: tile }, bytes };
  yield* nodeProblems(body, { ...inner, isOutermost: false }, limits);
}

/** More is no padding to whole vectors: those have at most so many elements. */
const mostPadding = 63;

/** Why filters of a tile cannot be padded so. */
const paddingProblem = (
  operand: PackedOperand,
  tiles: number,
  width: number,
  padded: number,
): string | undefined => {
  if (operand !== 'filters') return `the ${operand} is not padded: filters are`;
  if (tiles !== 1) return `${tiles} tiles of filters are not padded: split the last one off`;
  const most = width + mostPadding;
  return padded >= width && padded <= most
    ? undefined
    : `${width} filters are padded to ${width}-${most}, not to ${padded}`;
};
