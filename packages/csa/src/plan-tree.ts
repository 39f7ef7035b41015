/**
 * A plan as a tree: how an iteration space is cut, tiled and packed down to leaves of code. CSA makes one, a person may,
 * and everything else is a fold over it: costs, pictures, explanations, the schedule that generates it.
 *
 * A node works on the extents that the nodes around it leave of each dimension, the root on those of the whole space.
 */
import type { MicrokernelShape } from './tiling.ts';

/**
 * Dimensions of a convolution. Windows count output pixels in row-major order (OH·OW linearised); channels and filters
 * those of one group. Filter taps are not cut.
 */
export type ConvolutionDimension = 'batch' | 'group' | 'channels' | 'windows' | 'filters';

/** How much of each dimension there is. */
export type Extents<D extends string = ConvolutionDimension> = Readonly<Record<D, number>>;

/** `count` times the body, which covers `step` of the dimension. */
export interface LoopNode<D extends string = ConvolutionDimension> {
  readonly kind: 'loop';
  readonly dimension: D;
  readonly step: number;
  readonly count: number;
  readonly body: Plan<D>;
}

/** Parts of the dimension one after the other, each with a plan of its own. */
export interface SplitNode<D extends string = ConvolutionDimension> {
  readonly kind: 'split';
  readonly dimension: D;
  readonly parts: readonly { readonly size: number; readonly body: Plan<D> }[];
}

/**
 * Packs what the body reads of an operand, as `tiles` tiles of the microkernel's width: input tiles as
 * `[tile][c][fh][fw][window]`, filters likewise (ST §4).
 */
export interface PackNode<D extends string = ConvolutionDimension> {
  readonly kind: 'pack';
  readonly operand: 'input' | 'filters';
  readonly tiles: number;
  /** `here`: each time that the body runs; `artifact`: once, for an operand that stays the same from run to run. */
  readonly lifetime: 'here' | 'artifact';
  readonly body: Plan<D>;
}

/** One call of a microkernel on packed tiles. */
export interface KernelNode<D extends string = ConvolutionDimension> {
  readonly kind: 'kernel';
  readonly microkernel: MicrokernelShape;
  /** The dimension that lies along the lanes of its vectors. */
  readonly lanes: 'windows' | 'filters';
  /** `exact`: it computes its whole tile; `padded`: the tile is filled up, and what is beyond `extents` is not stored. */
  readonly fill: 'exact' | 'padded';
  readonly extents: Extents<D>;
}

/** Code without tiling or packing (ST §5.2: "untiled and unpacked"). */
export interface ScalarNode<D extends string = ConvolutionDimension> {
  readonly kind: 'scalar';
  readonly extents: Extents<D>;
}

/** A plan over dimensions that are not fixed: other planners may tile rows and columns. */
export type Plan<D extends string = ConvolutionDimension> =
  LoopNode<D> | SplitNode<D> | PackNode<D> | KernelNode<D> | ScalarNode<D>;

/** What a fold makes of each kind of node, and of what it made of the nodes below. */
export interface PlanFold<D extends string, R> {
  readonly loop: (node: LoopNode<D>, body: R) => R;
  readonly split: (node: SplitNode<D>, parts: readonly R[]) => R;
  readonly pack: (node: PackNode<D>, body: R) => R;
  readonly kernel: (node: KernelNode<D>) => R;
  readonly scalar: (node: ScalarNode<D>) => R;
}

/** Folds a plan from its leaves to its root. What depends on the nodes above is a function of them. */
export const foldPlan = <D extends string, R>(plan: Plan<D>, fold: PlanFold<D, R>): R => {
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

/** The extents that a plan covers, as its nodes say; those of the first part where parts do not agree. */
export const planExtents = <D extends string>(plan: Plan<D>): Extents<D> => {
  const outermost: Partial<Record<D, number>> = {};
  let at = plan;
  while (at.kind !== 'kernel' && at.kind !== 'scalar') {
    if (at.kind === 'loop') outermost[at.dimension] ??= at.step * at.count;
    if (at.kind === 'split') outermost[at.dimension] ??= sum(at.parts.map(({ size }) => size));
    at = at.kind === 'split' ? at.parts[0]!.body : at.body;
  }
  return { ...at.extents, ...outermost };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Whether two plans say the same. */
export const samePlan = <D extends string>(a: Plan<D>, b: Plan<D>): boolean => {
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
        a.lifetime === b.lifetime &&
        samePlan(a.body, b.body)
      );
    case 'kernel':
      return (
        b.kind === 'kernel' &&
        a.microkernel.windows === b.microkernel.windows &&
        a.microkernel.filters === b.microkernel.filters &&
        a.lanes === b.lanes &&
        a.fill === b.fill &&
        sameExtents(a.extents, b.extents)
      );
    case 'scalar':
      return b.kind === 'scalar' && sameExtents(a.extents, b.extents);
  }
};

const sameExtents = <D extends string>(a: Extents<D>, b: Extents<D>): boolean => {
  const dimensions = Object.keys(a) as D[];
  return (
    dimensions.length === Object.keys(b).length &&
    dimensions.every((dimension) => a[dimension] === b[dimension])
  );
};

/** A part of a split that a leaf stands in. */
export interface PartStep<D extends string = ConvolutionDimension> {
  readonly kind: 'part';
  readonly dimension: D;
  /** Where the part begins, from the beginning of what is split. */
  readonly from: number;
  readonly size: number;
}

/** One way from the root to a leaf. */
export interface PlanPath<D extends string = ConvolutionDimension> {
  /** Outermost first. */
  readonly steps: readonly (PartStep<D> | LoopNode<D> | PackNode<D>)[];
  readonly leaf: KernelNode<D> | ScalarNode<D>;
  /** Where the leaf stands, as one would write it in code: `plan.parts[1].body`. */
  readonly name: string;
}

type PathsBelow<D extends string> = (steps: PlanPath<D>['steps'], name: string) => readonly PlanPath<D>[];

/** The ways to all leaves, in the order of execution. */
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
