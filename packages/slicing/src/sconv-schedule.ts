/**
 * Sliced Convolution as a schedule of smaller transforms (ST Figure 4), recorded from a plan. No decisions are made
 * here: the plan is folded, first its splits, then each part.
 */
import type { Location } from '@sconv/diagnostics';
import type { ContractionLayout, ConvolutionForm } from '@sconv/normalization';
import {
  delinearize,
  dropUnitGroup,
  foldPad,
  generalize,
  linearize,
  normalizeContraction,
} from '@sconv/normalization/transforms';
import { formMicrokernel, multipack, packFilters, packWindows } from '@sconv/packing/transforms';
import { fusedPositions, openPositions } from '@sconv/packing-equations';
import { kernelAttributeName } from '@sconv/dialects';
import type { AnyPlan, Extents, KernelNode, Plan, PlanPath, SplitNode } from '@sconv/plans';
import { isOpenPlan, planExtents, planPaths } from '@sconv/plans';
import { split } from '@sconv/splitting/transforms';
import { gatherOperand, swapInductionVars, tileUsingFor } from '@sconv/tiling/transforms';
import type { Handle, RecordOptions, Schedule } from '@sconv/transform';
import { annotate, callSite, match, mergeHandles, schedule } from '@sconv/transform';
import { assertExtents } from './assert-extents.ts';
import type { ConvolutionName, convolutionName } from './plan-operation.ts';
import { kernelAttribute } from './plan-attribute.ts';
import type { Step, TileLevel } from './tile-levels.ts';
import { descend, isMultipacked, isPacked } from './tile-levels.ts';

/** The pipeline stages, in order. */
export const sconvStages = [
  'ungroup',
  'linearize',
  'split',
  'tile-outer',
  'tile-inner',
  'swap',
  'pack',
  'multipack',
  'delinearize',
] as const;

type Generic = Handle<'linalg.generic'>;

/** The panel widths of the microkernel's packed operands: `Microkernel.panels`. */
export interface PackedPanels {
  readonly windows: number;
  readonly filters: number;
}

/** Handles to the generated code. */
export interface SlicedHandles {
  readonly microkernels: Handle<'linalg.generic'>;
  /** In pre-order, part by part. */
  readonly loops: Handle<'scf.for'>;
}

/** A part of the plan, and the op that computes it. */
interface Part {
  readonly plan: Plan<string>;
  readonly space: Space;
  /**
   * Whether the input is an operand of the op until it is packed, as in-place reads need it: its map is affine. Else it
   * is gathered before the loops.
   */
  readonly isInputSliced: boolean;
  readonly handle: Generic;
  /** The loops and packings around it. */
  readonly steps: readonly Step[];
  /** Outermost first. */
  readonly loops: readonly Handle<'scf.for'>[];
  /** Loops to be swapped with the one directly inside. */
  readonly swapped: readonly Handle<'scf.for'>[];
}

/** The iteration dimensions of the linearised convolution. */
interface Space {
  readonly isOpen: boolean;
  readonly positions: Readonly<Record<string, number>>;
  /** How many there are, with those that are not tiled. */
  readonly rank: number;
}

const fusedSpace: Space = { isOpen: false, positions: fusedPositions, rank: 6 };
const openSpace: Space = { isOpen: true, positions: openPositions, rank: 7 };

/** The position of the linearised input among the operands of the `linalg.generic`. */
const inputOperand = 0;

/** This file: recorded call sites skip it. */
const here = callSite();

type Convolution = Handle<typeof convolutionName>;

/** Options of recording a plan. */
export interface PlanRecording {
  readonly panels?: PackedPanels | undefined;
  /** Whether microkernels compute i32 sums two channels per step, as i16. */
  readonly pairs?: boolean | undefined;
}

/**
 * The schedule of a plan. Its root is the convolution, whose extents it asserts; it yields the microkernels and the
 * loops.
 */
export const sconvSchedule = (plan: AnyPlan, panels?: PackedPanels, pairs = false): Schedule =>
  scheduleAt(callSite(here), (root) => recordAsserted(root as Convolution, plan, { panels, pairs }));

/** What an op is sliced as: its form, or that it is given. */
export interface SlicedAs {
  readonly form: ConvolutionForm;
  readonly layout?: ContractionLayout | undefined;
}

/**
 * The same as an expansion, for the convolution (or each of its groups) that the plan was made for: asserts no
 * extents.
 */
export const plannedSchedule = (
  plan: AnyPlan,
  { form, layout }: SlicedAs,
  panels?: PackedPanels,
  pairs = false,
): Schedule =>
  scheduleAt(here, (root) => {
    const recording = { panels, pairs };
    if (form.kind === 'dense' && layout === undefined)
      return joinedHandles(recordSteps(root as Convolution, plan, recording));
    const { convolution, loops } =
      layout === undefined ? recordGroups(root, form) : recordNormalization(root, layout);
    const inner = joinedHandles(recordSteps(convolution, plan, recording));
    return { ...inner, loops: mergeHandles({ handles: [...loops, inner.loops] }).result };
  });

const scheduleAt = (place: Location, record: (root: Handle<ConvolutionName>) => SlicedHandles): Schedule =>
  schedule<ConvolutionName>(({ root }) => {
    const { microkernels, loops } = root.recorder.at(place, () => record(root));
    return [microkernels, loops];
  });

/** A convolution of one group, and the loops around it. */
export interface UngroupedHandles {
  /** A quantized convolution is a `linalg.generic`. */
  readonly convolution: Handle<typeof convolutionName>;
  readonly loops: readonly Handle<'scf.for'>[];
}

/** Records the conversion of a grouped convolution, or a batch of products, to a loop over its groups. */
export const recordGroups = (
  target: Handle<ConvolutionName>,
  { output }: Pick<ConvolutionForm, 'output'>,
): UngroupedHandles =>
  target.recorder.stage('ungroup', () => {
    const staticSizes = [...Array<number>(output.indexOf('g')).fill(0), 1];
    const { tiledLinalgOp, loops } = tileUsingFor({ target }, { staticSizes });
    const { convolution } = dropUnitGroup({ target: tiledLinalgOp as Handle<GroupedName> });
    return { convolution: convolution as Convolution, loops };
  });

/** Records the loops around a contraction, and its conversion to a product or a convolution. */
export const recordNormalization = (
  target: Handle<ConvolutionName>,
  { outer }: ContractionLayout,
): UngroupedHandles =>
  target.recorder.stage('ungroup', () => {
    const staticSizes = Array.from({ length: Math.max(-1, ...outer) + 1 }, (_, i) =>
      outer.includes(i) ? 1 : 0,
    );
    const { tiledLinalgOp, loops } =
      outer.length === 0 ? { tiledLinalgOp: target, loops: [] } : tileUsingFor({ target }, { staticSizes });
    const { normalized } = normalizeContraction({ target: tiledLinalgOp });
    return { convolution: normalized as Handle as Convolution, loops };
  });

type GroupedName = Extract<ConvolutionName, `${string}_ngchw_${string}` | `${string}batch_matmul${string}`>;

/** Records the steps of a plan on the convolution `target`, which is consumed; rejects one of another shape. */
export const recordPlan = (
  target: Handle<typeof convolutionName>,
  plan: AnyPlan,
  recording: PlanRecording = {},
): SlicedHandles => target.recorder.at(callSite(here), () => recordAsserted(target, plan, recording));

/** `recordPlan` for the convolution that the plan was made for: asserts no extents, and joins no handles. */
export const recordKnownPlan = (
  target: Handle<typeof convolutionName>,
  plan: AnyPlan,
  recording: PlanRecording = {},
): void => {
  target.recorder.at(here, () => recordSteps(target, plan, recording));
};

/** Records the assertion that `target` has the plan's extents. */
export const assertPlanned = (
  target: Handle<ConvolutionName>,
  plan: AnyPlan,
  options?: RecordOptions,
): void => {
  const extents: Extents<string> = planExtents<string>(plan);
  const { batch, channels, filters } = extents as Extents;
  const windows = extents['windows'] ?? extents['rows']! * extents['columns']!;
  assertExtents({ target }, { batch, channels, windows, filters }, options);
};

const recordAsserted = (target: Convolution, plan: AnyPlan, recording: PlanRecording): SlicedHandles => {
  target.recorder.stage('linearize', () => {
    assertPlanned(target, plan);
  });
  return joinedHandles(recordSteps(target, plan, recording));
};

/** The handles to the code of each part. */
interface SlicedParts {
  readonly microkernels: readonly Generic[];
  readonly loops: readonly Handle<'scf.for'>[];
  /** A handle that is not consumed. */
  readonly somewhere: Generic;
}

const recordSteps = (
  target: Convolution,
  plan: AnyPlan,
  { panels, pairs = false }: PlanRecording,
): SlicedParts => {
  const { recorder } = target;
  const space = isOpenPlan(plan) ? openSpace : fusedSpace;
  const linearized = recorder.stage('linearize', () => {
    const { transformed } = generalize({ target });
    return linearize({ target: transformed }, space.isOpen ? { apart: true } : {}).linearized;
  });
  const parts = recorder.stage('split', () => splitPart({ ...untiled, plan, space, handle: linearized }));
  const outer = recorder.stage('tile-outer', () => parts.map(tileOuter));
  const leaves = recorder.stage('tile-inner', () => outer.flatMap(tileInner));
  recorder.stage('swap', () => {
    for (const { swapped } of leaves) for (const loop of swapped) swapInductionVars({ outer: loop });
  });
  const kernels = leaves.filter((leaf) => leaf.plan.kind === 'kernel');
  const packed = recorder.stage('pack', () => kernels.map(pack(panels, pairs)));
  const packings = recorder.stage('multipack', () => packed.flatMap(packSeveral));
  recorder.stage('delinearize', () => {
    for (const target of packings) {
      delinearize({ target });
      foldPad({ target });
    }
  });
  return {
    microkernels: packed.map(({ microkernel }) => microkernel),
    loops: [...new Set(leaves.flatMap(({ loops }) => loops))],
    somewhere: packed[0]?.microkernel ?? leaves[0]!.handle,
  };
};

const joinedHandles = ({ microkernels, loops, somewhere }: SlicedParts): SlicedHandles => ({
  microkernels: joined(microkernels, somewhere),
  loops: joined(loops, somewhere),
});

const untiled = { isInputSliced: false, steps: [], loops: [], swapped: [] };

/** Stage 2: applies the splits that a plan begins with; returns the parts. */
const splitPart = (part: Part): readonly Part[] =>
  part.plan.kind === 'split' ? splitInto(part, part.plan) : [part];

const splitInto = (part: Part, { dimension, parts }: SplitNode<string>): readonly Part[] => {
  let rest = part.handle;
  return parts.flatMap(({ size, body }, i) => {
    if (i === parts.length - 1) return splitPart({ ...part, plan: body, handle: rest });
    const { first, second } = split(
      { target: rest },
      { dimension: part.space.positions[dimension]!, staticChunkSizes: size, exact: true },
    );
    rest = second;
    return splitPart({ ...part, plan: body, handle: first });
  });
};

/**
 * Stage 3a: the outermost loops, over distinct dimensions. The input is gathered first, and stays unsliced, unless a
 * kernel reads it in place; scalar code without loops reads it by its map.
 */
const tileOuter = (part: Part): Part => {
  const { level, steps, rest } = descend(part.plan);
  if (level.length === 0 && rest.kind === 'scalar') return part;
  const isInputSliced = part.space.isOpen || planPaths(part.plan).some(readsInputInPlace);
  const target = isInputSliced
    ? part.handle
    : gatherOperand({ target: part.handle }, { operand: inputOperand }).gathering;
  if (level.length === 0) return { ...part, isInputSliced, handle: target };
  const { tiledLinalgOp, loops } = tileUsingFor(
    { target },
    {
      staticSizes: sizesOf(part.space, level, part.space.rank),
      ...interchangeOf(part.space, level),
      exact: true,
    },
  );
  return { ...part, plan: rest, isInputSliced, steps, handle: tiledLinalgOp, loops };
};

const readsInputInPlace = ({ steps, leaf }: PlanPath<string>): boolean =>
  leaf.kind === 'kernel' && !steps.some((step) => step.kind === 'pack' && step.operand === 'input');

/**
 * Stage 3b: the inner loops and the splits between them, down to the leaves. Filters are outside of windows; for the
 * opposite order they are swapped later (ST §5.3).
 */
const tileInner = (part: Part): readonly Part[] => {
  if (part.plan.kind === 'split') return splitPart(part).flatMap(tileInner);
  const { level, steps, rest } = descend(part.plan);
  const inside = { ...part, plan: rest, steps: [...part.steps, ...steps] };
  if (level.length === 0) return rest.kind === 'split' ? tileInner(inside) : [inside];
  const isSwapped = level.map(({ dimension }) => dimension).join() === 'windows,filters';
  const { tiledLinalgOp, loops } = tileUsingFor(
    { target: part.handle },
    {
      staticSizes: sizesOf(part.space, level),
      ...(isSwapped ? {} : interchangeOf(part.space, level)),
      exact: true,
    },
  );
  return tileInner({
    ...inside,
    handle: tiledLinalgOp,
    loops: [...part.loops, ...loops],
    swapped: isSwapped ? [...part.swapped, loops[0]!] : part.swapped,
  });
};

/** Tile sizes by iteration dimension, at least `length` of them; 0 for an untiled dimension. */
const sizesOf = ({ positions }: Space, level: TileLevel, length = 0): readonly number[] => {
  const last = Math.max(length - 1, ...level.map(({ dimension }) => positions[dimension]!));
  const sizes = Array<number>(last + 1).fill(0);
  for (const { dimension, step } of level) sizes[positions[dimension]!] = step;
  return sizes;
};

/** The loop order, if it differs from that of the dimensions. */
const interchangeOf = (
  { positions, rank }: Space,
  level: TileLevel,
): { readonly interchange?: readonly number[] } => {
  const tiled = level.map(({ dimension }) => positions[dimension]!);
  const untiled = Array.from({ length: rank }, (_, i) => i).filter((position) => !tiled.includes(position));
  // Only the relative order of the loops matters; a trailing identity is omitted.
  const order = merged(tiled, untiled);
  while (order.length > 0 && order.at(-1) === order.length - 1) order.pop();
  return order.length === 0 ? {} : { interchange: order };
};

/** Untiled positions stay in place; the tiled ones fill the others in order. */
const merged = (tiled: readonly number[], untiled: readonly number[]): number[] => {
  const rest = [...tiled];
  return Array.from({ length: tiled.length + untiled.length }, (_, i) =>
    untiled.includes(i) ? i : rest.shift()!,
  );
};

interface PackedTile {
  readonly steps: Part['steps'];
  /** The packings, if there are any. */
  readonly windows: Generic | undefined;
  readonly filters: Generic | undefined;
  readonly microkernel: Generic;
}

/**
 * Stage 4a: packs what is packed around a kernel. One that decides nothing but its lanes, on two packed operands, has
 * the form of a microkernel; any other is marked with its decisions.
 */
const pack =
  (panels: PackedPanels | undefined, pairs: boolean) =>
  ({ plan, space, steps, isInputSliced, handle }: Part): PackedTile => {
    const [hasWindows, hasFilters] = [isPacked(steps, 'input'), isPacked(steps, 'filters')];
    const gathering =
      hasWindows && isInputSliced
        ? gatherOperand({ target: handle }, { operand: inputOperand }).gathering
        : handle;
    const withWindows = hasWindows
      ? packWindows({ target: gathering }, panels && { panel: panels.windows })
      : undefined;
    const withFilters = hasFilters
      ? packFilters(
          { target: withWindows?.packed ?? gathering },
          { ...(panels && { panel: panels.filters }), ...paddingOf(steps) },
        )
      : undefined;
    const packings = { steps, windows: withWindows?.packing, filters: withFilters?.packing };
    const target = withFilters?.packed ?? withWindows?.packed ?? gathering;
    const kernel = plan as KernelNode<string>;
    const isPlain = !space.isOpen && kernel.unroll === undefined && kernel.tiles === undefined;
    if (hasWindows && hasFilters && isPlain)
      return { ...packings, microkernel: formMicrokernel({ target }, pairs ? { pairs } : {}).microkernel };
    annotate(
      { target, param: target.recorder.param(kernelAttribute(kernel)) },
      { name: kernelAttributeName },
    );
    return { ...packings, microkernel: target };
  };

/** What the filters of a tile are padded to, as an attribute of their packing. */
const paddingOf = (steps: readonly Step[]): { readonly padded?: number } => {
  const packing = steps.find((step) => step.kind === 'pack' && step.operand === 'filters');
  return packing?.kind === 'pack' && packing.padded !== undefined ? { padded: packing.padded } : {};
};

/** Stage 4b: multipacks the operands whose tiles are packed together. Returns the packing of the windows. */
const packSeveral = ({ steps, windows, filters }: PackedTile): readonly Generic[] => {
  if (filters !== undefined && isMultipacked(steps, 'filters')) multipack({ target: filters });
  if (windows === undefined) return [];
  return [isMultipacked(steps, 'input') ? multipack({ target: windows }).multipacking : windows];
};

/** Merges handles; for none, an empty match in the payload of `somewhere`. */
const joined = <N extends string>(handles: readonly Handle<N>[], somewhere: Handle): Handle<N> =>
  handles.length > 0
    ? mergeHandles({ handles }).result
    : match<N>({ target: somewhere }, { ops: [] }).results;
