/**
 * A plan as a tree: how an iteration space is split, tiled and packed down to leaf code. Planners make plans, and so
 * may people; everything else is a fold over them: costs, pictures, explanations, the schedule that generates the code.
 *
 * A node works on the extents that its ancestors leave of each dimension, the root on the whole space.
 */
import { describeValue } from '@sconv/diagnostics';
import { expectList, expectRecord, PlanError } from './errors.ts';

/** The dimensions that all plans have; channels and filters are per group. */
type CommonDimension = 'batch' | 'group' | 'channels' | 'filters';

/**
 * Dimensions of a convolution. Windows count output pixels in row-major order (OH·OW linearised). Filter taps are never
 * split.
 */
export type ConvolutionDimension = CommonDimension | 'windows';

/** Dimensions of a convolution whose rows and columns are apart (TT §4), and whose taps are, too. */
export type OpenDimension = CommonDimension | 'rows' | 'columns' | 'tapRows' | 'tapColumns';

/** Extent of each dimension. */
export type Extents<D extends string = ConvolutionDimension> = Readonly<Record<D, number>>;

/** Runs the body `count` times; each iteration covers `step` of the dimension. */
export interface LoopNode<D extends string = ConvolutionDimension> {
  readonly kind: 'loop';
  readonly dimension: D;
  readonly step: number;
  readonly count: number;
  readonly body: Plan<D>;
}

/** Consecutive parts of a dimension, each with its own plan. */
export interface SplitNode<D extends string = ConvolutionDimension> {
  readonly kind: 'split';
  readonly dimension: D;
  readonly parts: readonly { readonly size: number; readonly body: Plan<D> }[];
}

/**
 * Packs what the body reads of an operand, as `tiles` tiles of the microkernel's width: input tiles as
 * `[tile][c][fh][fw][window]`, filters likewise (ST §4). A single tile of filters may be padded, so that vectors along
 * them are whole.
 */
export interface PackNode<D extends string = ConvolutionDimension> {
  readonly kind: 'pack';
  readonly operand: PackedOperand;
  readonly tiles: number;
  /** How many filters the tile has room for; as many as there are, if absent. */
  readonly padded?: number;
  readonly body: Plan<D>;
}

/** The operands of a convolution that a microkernel reads packed. */
export type PackedOperand = 'input' | 'filters';

/**
 * One call of a microkernel: a tile of `extents`, whose sums stay in registers. It reads an operand packed where a
 * packing stands around it, and else in place, by strides (TT §4).
 */
export interface KernelNode<D extends string = ConvolutionDimension> {
  readonly kind: 'kernel';
  /** The vectorized dimension. */
  readonly lanes: D;
  readonly extents: Extents<D>;
  /** How many points of a dimension that is summed over are code of their own; 1 if absent. */
  readonly unroll?: Readonly<Partial<Record<D, number>>>;
  /** The parts that are computed one after another, all of the tile; divided for the target if absent. */
  readonly tiles?: readonly RegisterPart[];
}

/** A part of a tile whose sums are in registers together. Windows of rows and columns are counted row by row. */
export interface RegisterPart {
  readonly firstWindow: number;
  readonly windows: number;
  readonly firstFilter: number;
  readonly filters: number;
}

/** Neither tiled nor packed (ST §5.2: "untiled and unpacked"). */
export interface ScalarNode<D extends string = ConvolutionDimension> {
  readonly kind: 'scalar';
  readonly extents: Extents<D>;
}

/** A plan over these dimensions: windows, as those of the analysis, by default. */
export type Plan<D extends string = ConvolutionDimension> =
  LoopNode<D> | SplitNode<D> | PackNode<D> | KernelNode<D> | ScalarNode<D>;

/** A plan of rows and columns. */
export type OpenPlan = Plan<OpenDimension>;

/** A plan over the dimensions of either family. */
export type AnyPlan = Plan | OpenPlan;

/** Whether a plan is of rows and columns: it says so in its leaves. */
export const isOpenPlan = (plan: AnyPlan): plan is OpenPlan => 'rows' in planExtents<string>(plan);

/** One function per node kind; gets the results of the children. */
export interface PlanFold<D extends string, R> {
  readonly loop: (node: LoopNode<D>, body: R) => R;
  readonly split: (node: SplitNode<D>, parts: readonly R[]) => R;
  readonly pack: (node: PackNode<D>, body: R) => R;
  readonly kernel: (node: KernelNode<D>) => R;
  readonly scalar: (node: ScalarNode<D>) => R;
}

/** The records in each kind of node. */
const recordsIn: Readonly<Record<Plan['kind'], readonly string[]>> = {
  loop: [],
  split: [],
  pack: [],
  kernel: ['extents'],
  scalar: ['extents'],
};

/** Refuses what is no node; of what stands below it, only that there is something. */
const expectNode = (plan: Plan<string>): void => {
  expectRecord('plan', plan);
  if (!Object.hasOwn(recordsIn, plan.kind))
    throw new PlanError('plan/node', 'plan', `expected a node of a plan, not ${describeValue(plan)}`);
  expectRecord('plan', plan, ...recordsIn[plan.kind]);
  if (plan.kind !== 'split') return;
  expectList('plan.parts', plan.parts);
  expectRecord('plan.parts.0', plan.parts[0]);
};

/** Folds a plan bottom-up. To depend on ancestors, return functions of them. */
export const foldPlan = <D extends string, R>(plan: Plan<D>, fold: PlanFold<D, R>): R => {
  expectNode(plan);
  switch (plan.kind) {
    case 'loop':
      return fold.loop(plan, foldPlan(plan.body, fold));
    case 'split':
      return fold.split(
        plan,
        plan.parts.map(({ body }) => foldPlan(body, fold)),
      );
    case 'pack':
      return fold.pack(plan, foldPlan(plan.body, fold));
    case 'kernel':
      return fold.kernel(plan);
    case 'scalar':
      return fold.scalar(plan);
  }
};

/** The extents that a plan covers, computed from its nodes; where parts disagree, from the first one. */
export const planExtents = <D extends string>(plan: Plan<D>): Extents<D> => {
  const outermost: Partial<Record<D, number>> = {};
  let at = plan;
  expectNode(at);
  while (at.kind !== 'kernel' && at.kind !== 'scalar') {
    if (at.kind === 'loop') outermost[at.dimension] ??= at.step * at.count;
    if (at.kind === 'split') outermost[at.dimension] ??= sum(at.parts.map(({ size }) => size));
    at = at.kind === 'split' ? at.parts[0]!.body : at.body;
    expectNode(at);
  }
  return { ...at.extents, ...outermost };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Structural equality of plans. */
export const samePlan = <D extends string>(a: Plan<D>, b: Plan<D>): boolean => {
  expectNode(a);
  expectNode(b);
  switch (a.kind) {
    case 'loop':
      return (
        b.kind === 'loop' &&
        a.dimension === b.dimension &&
        a.step === b.step &&
        a.count === b.count &&
        samePlan(a.body, b.body)
      );
    case 'split':
      return (
        b.kind === 'split' &&
        a.dimension === b.dimension &&
        a.parts.length === b.parts.length &&
        a.parts.every(({ size, body }, i) => size === b.parts[i]!.size && samePlan(body, b.parts[i]!.body))
      );
    case 'pack':
      return (
        b.kind === 'pack' &&
        a.operand === b.operand &&
        a.tiles === b.tiles &&
        a.padded === b.padded &&
        samePlan(a.body, b.body)
      );
    case 'kernel':
      return (
        b.kind === 'kernel' &&
        a.lanes === b.lanes &&
        sameExtents(a.extents, b.extents) &&
        sameExtents(a.unroll ?? {}, b.unroll ?? {}) &&
        sameTiles(a.tiles, b.tiles)
      );
    case 'scalar':
      return b.kind === 'scalar' && sameExtents(a.extents, b.extents);
  }
};

const sameExtents = (
  a: Readonly<Record<string, number | undefined>>,
  b: Readonly<Record<string, number | undefined>>,
): boolean => {
  const dimensions = Object.keys(a);
  return (
    dimensions.length === Object.keys(b).length &&
    dimensions.every((dimension) => a[dimension] === b[dimension])
  );
};

const sameTiles = (a: KernelNode['tiles'], b: KernelNode['tiles']): boolean =>
  a?.length === b?.length && (a ?? []).every((part, i) => sameExtents({ ...part }, { ...b![i] }));

/** The part of a split that contains a leaf. */
export interface PartStep<D extends string = ConvolutionDimension> {
  readonly kind: 'part';
  readonly dimension: D;
  /** Offset of the part within the split. */
  readonly from: number;
  readonly size: number;
}

/** A path from the root to a leaf. */
export interface PlanPath<D extends string = ConvolutionDimension> {
  /** Outermost first. */
  readonly steps: readonly (PartStep<D> | LoopNode<D> | PackNode<D>)[];
  readonly leaf: KernelNode<D> | ScalarNode<D>;
  /** The leaf's access path in code notation: `plan.parts[1].body`. */
  readonly name: string;
}

type PathsBelow<D extends string> = (steps: PlanPath<D>['steps'], name: string) => readonly PlanPath<D>[];

/** The paths to all leaves, in execution order. */
export const planPaths = <D extends string>(plan: Plan<D>): readonly PlanPath<D>[] => {
  const leaf =
    (node: KernelNode<D> | ScalarNode<D>): PathsBelow<D> =>
    (steps, name) => [{ steps, leaf: node, name }];
  return foldPlan<D, PathsBelow<D>>(plan, {
    loop: (node, body) => (steps, name) => body([...steps, node], `${name}.body`),
    split:
      ({ dimension, parts }, below) =>
      (steps, name) => {
        let from = 0;
        return parts.flatMap(({ size }, i) => {
          const part: PartStep<D> = { kind: 'part', dimension, from, size };
          from += size;
          return below[i]!([...steps, part], `${name}.parts[${i}].body`);
        });
      },
    pack: (node, body) => (steps, name) => body([...steps, node], `${name}.body`),
    kernel: leaf,
    scalar: leaf,
  })([], 'plan');
};
