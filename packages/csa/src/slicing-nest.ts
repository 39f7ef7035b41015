/** Recognizes nests of Convolution Slicing in a plan, and their sizes. */
import type { ConvolutionDimension, LoopNode, PackNode, PartStep, PlanPath } from '@sconv/plans';
import { expectList, expectRecord } from './errors.ts';
import { dimensionRoles } from './plan-of-tiling.ts';
import type { Dataflow, MicrokernelShape } from './tiling.ts';

/** Positions `from … to - 1` of one dimension. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part of the iteration space that a leaf covers, enclosing loops included. */
export interface PartSpans {
  readonly channels: Span;
  readonly windows: Span;
  readonly filters: Span;
}

/** A five-layer nest (SC Figure 5) around one microkernel. */
export interface SlicingNest extends PartSpans {
  readonly schedule: Dataflow;
  readonly microkernel: MicrokernelShape;
  readonly nc: number;
  readonly k2: number;
  readonly k3: number;
}

/** The splits at the root of a path, and the other steps: a loop over groups, which is outermost, and those below. */
export const belowSplits = (
  path: PlanPath,
): {
  readonly parts: readonly PartStep[];
  readonly nest: PlanPath['steps'];
} => {
  expectRecord('path', path, 'leaf');
  expectList('path.steps', path.steps);
  const groups = path.steps.slice(0, isOverGroups(path.steps[0]) ? 1 : 0);
  const steps = path.steps.slice(groups.length);
  const end = steps.findIndex(({ kind }) => kind !== 'part');
  const parts = steps.slice(0, end < 0 ? steps.length : end) as readonly PartStep[];
  return { parts, nest: [...groups, ...steps.slice(parts.length)] };
};

/** Whether a step is the loop over groups. */
export const isOverGroups = (step: PlanPath['steps'][number] | undefined): boolean =>
  step?.kind === 'loop' && step.dimension === 'group';

/** The spans of a leaf: the parts of the enclosing splits. */
export const spansOf = (path: PlanPath): PartSpans => {
  const { parts, nest } = belowSplits(path);
  const span = (dimension: 'channels' | 'windows' | 'filters'): Span => {
    let from = 0;
    for (const part of parts) if (part.dimension === dimension) from += part.from;
    const outermost = nest.find(
      (step): step is LoopNode | PartStep => step.kind !== 'pack' && step.dimension === dimension,
    );
    const own = path.leaf.extents[dimension];
    const size = outermost?.kind === 'loop' ? outermost.step * outermost.count : own;
    return { from, to: from + size };
  };
  return { channels: span('channels'), windows: span('windows'), filters: span('filters') };
};

const operandOf = { windows: 'input', filters: 'filters' } as const;

/** The loops and packs of a five-layer nest, outermost first. */
const layersOf = (schedule: Dataflow): string => {
  const { stationary, moving } = dimensionRoles(schedule);
  return [
    'loop batch',
    'loop channels',
    `loop ${stationary}`,
    `loop ${moving}`,
    `pack ${operandOf[moving]}`,
    `loop ${stationary}`,
    `pack ${operandOf[stationary]}`,
    `loop ${moving}`,
  ].join();
};

const layers = { is: layersOf('is'), ws: layersOf('ws') } as const;

/** The nest of a path; undefined for scalar code or a nest of another form. */
export const slicingNest = (path: PlanPath): SlicingNest | undefined => {
  expectRecord('path', path, 'leaf');
  const { leaf } = path;
  if (leaf.kind !== 'kernel') return undefined;
  const { nest } = belowSplits(path);
  const form = nest.map((step) =>
    step.kind === 'pack' ? `pack ${step.operand}` : `${step.kind} ${step.dimension}`,
  );
  if (form[0] === 'loop group') form.shift();
  const schedule = (['is', 'ws'] as const).find((each) => layers[each] === form.join());
  if (schedule === undefined) return undefined;
  const { stationary, moving } = dimensionRoles(schedule);
  const { windows, filters } = leaf.extents;
  const microkernel = { windows, filters };
  /** The step of the outermost loop over a dimension. */
  const block = (dimension: ConvolutionDimension): number =>
    nest.find((step): step is LoopNode => step.kind === 'loop' && step.dimension === dimension)?.step ?? 1;
  const sizes = {
    nc: block('channels'),
    k2: block(moving) / microkernel[moving],
    k3: block(stationary) / microkernel[stationary],
  };
  const packings = nest.filter((step): step is PackNode => step.kind === 'pack');
  const [multipacked, packed] = packings;
  if (multipacked?.tiles !== sizes.k2 || packed?.tiles !== 1) return undefined;
  return { ...spansOf(path), schedule, microkernel, ...sizes };
};
