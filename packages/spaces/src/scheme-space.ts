/**
 * The space of the schemes of a contraction (TT §5.3): microkernels of a family, or combinations of two of them, that
 * leave no partial tiles; the orders of loops that the movement model keeps; the divisors handed to these loops; the
 * places of a combination; and which operands are packed, and where. It is counted, and any of its elements is made,
 * without the others.
 */
import type { Contraction, ContractionOperand, PackedOperand } from '@sconv/plans';
import { elementStep } from '@sconv/plans';
import type { Scheme } from '@sconv/schemes';
import type { KernelClass, KernelFamily } from '@sconv/targets';
import type { Covering } from './combinations.ts';
import { expectExtent, expectList, expectRecord, SpaceError } from './errors.ts';
import type { KernelGroup, KernelRoles, SpaceKernel } from './kernel-groups.ts';
import { kernelGroups, paddedGroups } from './kernel-groups.ts';
import { loopOrders, nestDimensions, type NestDimension } from './loop-orders.ts';
import { nestSpace, type Nests, type NestStep } from './nest-space.ts';
import { mostBands } from './nest-words.ts';
import type { PackingRule } from './packing-places.ts';
import { elementOf, schemeOf, unrolled } from './scheme-of-element.ts';
import type { SpaceProblem } from './space-problem.ts';
import { arePadded, fusedProblem, isProduct, openProblem } from './space-problem.ts';
import { uniformBelow } from './uniform.ts';

/** What an element of a space consists of. */
export interface SpaceElement {
  readonly kernel: SpaceKernel;
  /** The loops above the microkernel, outermost first, with those that it contains. */
  readonly nest: readonly NestStep[];
}

/** What belongs to a space. */
export interface SpaceOptions {
  /** The dimension of the vectors; default: one along which the elements of the output are next to each other. */
  readonly lanes?: string;
  /** The dimension of the heights; default: rows, columns of a single row, windows, or filters beside their vectors. */
  readonly height?: string;
  /** Levels of memory with loops of their own, 1 to 7; default: 3, those of L1, L2 and L3 (TT §5.2). */
  readonly levels?: number;
  /** Whether an operand is packed; default: it may be, and must where it cannot be read in place. */
  readonly packs?: Partial<Readonly<Record<PackedOperand, PackingRule['choice']>>>;
}

/** Schemes by number, from 0. Indices are exact: a space may have more elements than 2^53. */
export interface SchemeSpace extends Iterable<Scheme> {
  readonly contraction: Contraction;
  /** How kernels cover it: by their heights; windows through rows, as a product; or with a last tile that is cut. */
  readonly covering: Covering['kind'];
  readonly count: bigint;
  /** The microkernels and combinations of which there are schemes. */
  readonly kernels: readonly KernelGroup[];
  /** The scheme of a number. Throws a `SpaceError` outside of `0 ≤ i < count`. */
  readonly at: (i: bigint) => Scheme;
  /** The same as its parts. */
  readonly element: (i: bigint) => SpaceElement;
  /** The number of a scheme, or of one that computes in the same order; undefined for one that is not in the space. */
  readonly indexOf: (scheme: Scheme) => bigint | undefined;
  /** `n` schemes, drawn uniformly and with repetitions; `random` gives numbers in `[0, 1)`. */
  readonly sample: (random: () => number, n: number) => readonly Scheme[];
}

/**
 * The space of a contraction and a family of microkernels. Where none of these cover it, rows and columns are counted
 * as one dimension; and where they do not cover that, the last tile is cut: unless `lanes` or `height` say otherwise.
 * Of a matrix product, schemes are of `i`, `j` and `k`. Throws a `SpaceError` for impossible input.
 */
export const schemeSpace = (
  contraction: Contraction,
  family: KernelFamily,
  options: SpaceOptions = {},
): SchemeSpace => {
  expectRecord('options', options);
  expectRecord('contraction', contraction);
  expectList('contraction.dimensions', contraction.dimensions);
  expectList('contraction.operands', contraction.operands);
  const own = isProduct(contraction) ? fusedProblem(contraction) : openProblem(contraction);
  const spaceOf = (covering: Covering['kind'], problem: SpaceProblem): SchemeSpace =>
    coveredSpace(covering, contraction, problem, family, options);
  const exact = spaceOf('exact', own);
  if (exact.count > 0n || (options.lanes ?? options.height) !== undefined) return exact;
  const windows = isProduct(contraction) ? exact : spaceOf('windows', fusedProblem(contraction));
  if (windows.count > 0n) return windows;
  const padded = spaceOf('padded', own);
  return padded.count > 0n ? padded : exact;
};

const coveredSpace = (
  covering: Covering['kind'],
  contraction: Contraction,
  problem: SpaceProblem,
  family: KernelFamily,
  options: SpaceOptions,
): SchemeSpace => {
  const roles = rolesOf(problem.contraction, options);
  expectRecord('family', family);
  expectExtent('family.lanes', family.lanes);
  const isPadded =
    roles.lanes === 'filters' && options.packs?.filters !== 'never' && arePadded(problem, family.lanes);
  const dimensions = nestDimensions(problem.contraction);
  const groups = (covering === 'padded' ? paddedGroups : kernelGroups)(
    family,
    new Map(problem.contraction.dimensions.map(({ name, extent }) => [name, extent])),
    { ...roles, isPadded },
  );
  const nestsOf = nestsBy(problem, dimensions, { ...roles, isPadded }, options);
  const kernels: KernelGroup[] = [];
  const nests: Nests[] = [];
  const ends: bigint[] = [];
  let count = 0n;
  for (const group of groups) {
    const of = nestsOf(group);
    if (of.count === 0n) continue;
    count += of.count * BigInt(group.ways);
    kernels.push(group);
    nests.push(of);
    ends.push(count);
  }
  const separate = dimensions.filter(({ uses }) => uses.every(Boolean));
  const outer = separate.map(({ name, extent }): NestStep => ({
    kind: 'loop',
    dimension: name,
    count: extent,
  }));
  const context = {
    ...problem,
    roles: { ...roles, isPadded },
    family,
    separate: separate.map(({ name }) => name),
  };

  const element = (i: bigint): SpaceElement => {
    if (typeof (i as unknown) !== 'bigint' || i < 0n || i >= count) {
      const message = `there is no element ${String(i)}: a space of ${count} has those from 0n on`;
      throw new SpaceError('spaces/index', 'i', message);
    }
    const at = firstAbove(ends, i);
    const left = i - (ends[at - 1] ?? 0n);
    const ofGroup = nests[at]!;
    const kernel = kernels[at]!.kernel(Number(left / ofGroup.count));
    return { kernel, nest: [...outer, ...ofGroup.at(left % ofGroup.count)] };
  };
  const at = (i: bigint): Scheme => schemeOf(element(i), context);
  return {
    contraction,
    covering,
    count,
    kernels,
    at,
    element,
    indexOf: (scheme) => {
      const found = elementOf(scheme, context);
      if (found === undefined) return undefined;
      for (const [i, group] of kernels.entries()) {
        const way = wayOf(group, found.kernel);
        if (way === undefined) continue;
        const index = nests[i]!.indexOf(found.nest);
        return index === undefined ? undefined : (ends[i - 1] ?? 0n) + BigInt(way) * nests[i]!.count + index;
      }
      return undefined;
    },
    sample: (random, n) =>
      Array.from({ length: count === 0n ? 0 : n }, () => at(uniformBelow(count, random))),
    *[Symbol.iterator]() {
      for (let i = 0n; i < count; i += 1n) yield at(i);
    },
  };
};

const rolesOf = (contraction: Contraction, options: SpaceOptions): Omit<KernelRoles, 'isPadded'> => {
  const extentOf = (name: string): number =>
    contraction.dimensions.find((each) => each.name === name)?.extent ?? 1;
  const parallel = contraction.dimensions.filter(({ iterator }) => iterator === 'parallel');
  const named = (option: 'lanes' | 'height', fallback: string): string => {
    const name = options[option] ?? fallback;
    if (parallel.some((each) => each.name === name)) return name;
    const known = parallel.map((each) => each.name).join(', ');
    const message = `expected one of ${known}, not ${JSON.stringify(name)}`;
    throw new SpaceError('spaces/dimension', option, message);
  };
  const contiguous = parallel.filter(
    ({ name, extent }) =>
      extent > 1 && elementStep(contraction.dimensions, contraction.operands[2], name) === 1,
  );
  const lanes = named('lanes', contiguous[0]?.name ?? 'filters');
  const windows = ['windows', 'rows', 'columns'].filter((name) =>
    parallel.some((each) => each.name === name),
  );
  const high = windows.find((name) => extentOf(name) > 1) ?? windows.at(-1)!;
  const height = lanes === 'filters' ? high : 'filters';
  const roles = { lanes, height: named('height', height) };
  if (roles.lanes !== roles.height) return roles;
  const message = `vectors are along ${lanes}: heights are along another dimension`;
  throw new SpaceError('spaces/dimension', 'height', message);
};

/** The nests above the kernels of a group. */
const nestsBy = (
  { contraction, isInputEven }: SpaceProblem,
  dimensions: readonly NestDimension[],
  { isPadded, ...roles }: KernelRoles,
  { levels = 3, packs = {} }: SpaceOptions,
): ((group: KernelGroup) => Nests) => {
  expectRecord('packs', packs);
  if (!Number.isInteger(levels) || levels < 1 || levels > mostBands) {
    const message = `expected 1 to ${mostBands} levels of memory, not ${levels}`;
    throw new SpaceError('spaces/levels', 'levels', message);
  }
  const [input, filters, output] = contraction.operands;
  const canBeInPlace = (operand: ContractionOperand): boolean =>
    operand.bytes === output.bytes && elementStep(contraction.dimensions, operand, roles.lanes) <= 1;
  const isInPlace = {
    input: isInputEven && canBeInPlace(input),
    filters: !isPadded && canBeInPlace(filters),
  };
  const packed = (operand: PackedOperand): PackingRule['choice'] => {
    const choice = packs[operand] ?? 'may';
    if (!['never', 'may', 'must'].includes(choice)) {
      const message = `expected never, may or must, not ${JSON.stringify(choice)}`;
      throw new SpaceError('spaces/packs', `packs.${operand}`, message);
    }
    return choice === 'may' && !isInPlace[operand] ? 'must' : choice;
  };
  const on = (operand: 0 | 1) =>
    new Set(dimensions.filter(({ uses }) => uses[operand]).map(({ name }) => name));
  const rules = {
    orders: loopOrders(contraction),
    bands: levels,
    height: roles.height,
    padded: isPadded ? 'filters' : undefined,
    packing: {
      input: { choice: packed('input'), on: on(0), tiles: 'windows' },
      filters: { choice: packed('filters'), on: on(1), tiles: 'filters' },
    },
  };
  const spaces = new Map<string, ReturnType<typeof nestSpace>>();
  const own = dimensions.filter(({ uses }) => !uses.every(Boolean));
  return (group) => {
    const inner = innerLoops(contraction, group.of);
    const nests = spaces.get(inner.join()) ?? nestSpace({ ...rules, inner });
    spaces.set(inner.join(), nests);
    return nests({
      iterations: new Map(
        own.map(({ name, extent }) => [name, Math.ceil(extent / (group.sizes.get(name) ?? 1))]),
      ),
      isCombined: group.heights.length > 1,
    });
  };
};

/** The loops that a microkernel may have, outermost first: no dimension that is inside of an unrolled one. */
const innerLoops = ({ dimensions }: Contraction, { unroll }: KernelClass): readonly string[] => {
  const reduced = dimensions.filter(({ iterator }) => iterator === 'reduction').map(({ name }) => name);
  const counts = new Map<string, number>(Object.entries(unroll));
  const first = reduced.findIndex((name) => (counts.get(name) ?? 1) > 1);
  return first < 0 ? reduced : reduced.slice(0, first + 1);
};

const wayOf = ({ of, heights, ways, kernel }: KernelGroup, wanted: SpaceKernel): number | undefined => {
  const isSame =
    of.vectors === wanted.of.vectors &&
    unrolled.every((name) => of.unroll[name] === wanted.of.unroll[name]) &&
    heights.length === wanted.runs.length &&
    heights.every((height, i) => height === wanted.runs[i]!.height);
  if (!isSame) return undefined;
  // The ways go by ascending count of the lower tiles, in equal steps.
  const [first, second] = [0, Math.min(1, ways - 1)].map((way) => kernel(way).runs[0]!.count);
  const [count] = wanted.runs.map((run) => run.count);
  const way = ways === 1 ? 0 : (count! - first!) / (second! - first!);
  if (!Number.isInteger(way) || way < 0 || way >= ways) return undefined;
  return kernel(way).runs.every((run, i) => run.count === wanted.runs[i]!.count) ? way : undefined;
};

/** The first position whose end is above a number. */
const firstAbove = (ends: readonly bigint[], i: bigint): number => {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > i) high = middle;
    else low = middle + 1;
  }
  return low;
};
