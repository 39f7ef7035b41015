/** The target's own schedule: plans and slices each convolution of a module. */
import type {
  ConvolutionShape,
  KernelChoice,
  MicrokernelShape,
  PlanOptions,
  SharedDimension,
  SlicingPlan,
  ThreadParts,
} from '@sconv/csa';
import { contractionOf, csaPlanner, partsForThreads } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, mapSuccess, success } from '@sconv/diagnostics';
import type { Module, Operation, Registry } from '@sconv/ir';
import { expectModule, walk } from '@sconv/ir';
import { isProductForm } from '@sconv/normalization';
import type { ConvolutionForm } from '@sconv/normalization';
import type { Planner } from '@sconv/plans';
import type { ConvolutionName, PlannedShape } from '@sconv/slicing';
import {
  convolutionName,
  convolutionNames,
  convolutionShape,
  planOperation,
  recordChecked,
  recordGroups,
  recordKnownPlan,
  recordPlan,
  recordTiling,
  slicedForm,
  slicedNames,
  storedPlan,
} from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
import { split } from '@sconv/splitting/transforms';
import { fuseEpilogue, tileUsingFor, tileUsingForall } from '@sconv/tiling/transforms';
import type { Handle, Schedule } from '@sconv/transform';
import { callSite, getConsumersOfResult, mergeHandles, schedule, splitHandle } from '@sconv/transform';
import { targetProblem } from './check-options.ts';
import { convolutionRegistry } from './convolution-registry.ts';
import { epiloguesOf } from './epilogues.ts';
import { planBy } from './plan-by.ts';
import { gainsFromSlicing, staysInPlace, streamedRows } from './product-gains.ts';

/**
 * The convolutions and matrix products of a module to slice, named or generalized, in program order: not those on
 * buffers, nor those of layouts other than `linalg.conv_2d_nchw_fchw` with dynamic sizes or unsupported element types
 * of the sums, nor matrix products that would not gain from it.
 */
export const convolutionsOf = (module: Module, target: Target = wasm): readonly Operation[] => {
  expectModule('the payload', module);
  return [...walk(module.root)].filter((operation) => {
    const form = slicedForm(operation);
    if (form === undefined || operation.results.length === 0) return false;
    if (operation.name === convolutionName) return true;
    const shape = convolutionShape(operation);
    return (
      shape.status === 'success' &&
      (!isProductForm(form) || gainsFromSlicing(shape.value.shape, target.machine))
    );
  });
};

/** How many rows of its second operand each product of few rows in a module reads at once. */
export const streamedProducts = (module: Module, target: Target): ReadonlyMap<Operation, number> =>
  new Map(
    [...walk(module.root)].flatMap((operation) => {
      const form = slicedForm(operation);
      if (form === undefined || operation.results.length === 0) return [];
      if (!isProductForm(form) || form.kind !== 'dense' || form.input !== 'ch') return [];
      const found = convolutionShape(operation);
      const rows = found.status === 'success' ? streamedRows(found.value.shape, target.machine) : undefined;
      return rows === undefined ? [] : [[operation, rows]];
    }),
  );

/** Why a convolution cannot be sliced; undefined if it can. */
export const whyNotSliced = (operation: Operation): string | undefined => {
  const found = convolutionShape(operation);
  return found.status === 'success' ? undefined : found.diagnostics.at(-1)?.message;
};

/** Options of planning: a forced schedule, another cost model, how to handle edges. */
export interface Planning extends Pick<PlanOptions, 'schedule' | 'costModel' | 'edges'> {
  /** Number of threads to distribute each convolution over; default 1. */
  readonly threads?: number;
  /** The dialects of the elementwise ops that may be fused; default those that a convolution is compiled with. */
  readonly registry?: Registry;
  /**
   * Plans each convolution, or each of its groups or parts for threads; default: Convolution Slicing Analysis with the
   * options above. For a channels-last convolution windows and filters of the target's microkernels have changed
   * places.
   */
  readonly planner?: Planner<KernelChoice>;
}

/** A convolution as in the payload, with its plan, or that of one of its groups or parts for threads. */
export interface PlannedConvolution {
  readonly operation: Operation;
  readonly plan: PlannedShape;
}

/** Whether Convolution Slicing Analysis has made a plan: then its sizes are known. */
export const isOfAnalysis = (plan: PlannedShape): plan is SlicingPlan => plan.schedule !== undefined;

/** A schedule, and its plans. */
export interface TargetSchedule extends Schedule {
  readonly plans: readonly PlannedConvolution[];
}

/**
 * The form of a schedule: an op per convolution, or the small ops that it expands to. `unchecked` is `expanded` for
 * the module that it was made for: the convolutions' extents are not asserted again.
 */
export type ScheduleForm = 'sconv' | 'expanded' | 'unchecked';

/**
 * Plans each convolution of the module for the target's machine, with the best suited of its microkernels and, by
 * default, the edges with the least cost, and records the schedule; elementwise ops on the result, e.g. a bias and an
 * activation, are fused into its loops. A convolution that carries a plan (`sconv.plan`) is computed by that, by one
 * thread. Fails at a convolution that cannot be sliced.
 */
export const targetSchedule = (
  module: Module,
  target: Target,
  planning: Planning = {},
  form: ScheduleForm = 'sconv',
): Diagnosed<TargetSchedule> => {
  const wrong = targetProblem('targetSchedule', target);
  if (wrong !== undefined) return definite(wrong);
  const { threads = 1, planner, registry = convolutionRegistry } = planning;
  const targets = convolutionsOf(module, target);
  const { before, warnings } = epiloguesOf(module, targets, registry);
  const analyse = csaPlanner({ edges: 'best', ...analysisOptions(planning) });
  const planned = (shape: ConvolutionShape, kernels: KernelChoice): Diagnosed<PlannedShape> =>
    planner === undefined
      ? saidOnce(analyse(contractionOf(shape), kernels), form)
      : planBy(planner, shape, kernels);
  const planParts = (operation: Operation, shape: ConvolutionShape): Diagnosed<SharedConvolution> => {
    const stored = storedPlan(operation);
    if (stored.status !== 'success') return stored;
    if (stored.value !== undefined)
      return success({ operation, parts: { kind: 'whole', shape }, plans: [stored.value] });
    // If there are enough groups, whole groups are distributed.
    const parts = partsForThreads(shape, groupsOf(operation) >= threads ? 1 : threads, target.machine);
    const form = slicedForm(operation)!;
    // What follows a product is fused only into the loops of a plan.
    if (
      isProductForm(form) &&
      isFree(planning) &&
      !before.has(operation) &&
      staysInPlace(form, shape, target.machine)
    )
      return success({ operation, parts, plans: [] });
    const kernels = kernelsFor(form, target);
    const whole = planned(shape, kernels);
    if (whole.status !== 'success') return whole;
    if (parts.kind === 'whole') return mapSuccess(whole, (plan) => ({ operation, parts, plans: [plan] }));
    // Parts take the microkernel of the whole: the channels of a call are as many, so sums are rounded alike.
    const { microkernel } = whole.value;
    const ofParts = microkernel === undefined ? kernels : only(kernels, microkernel);
    const plans = collect(wholesOf(parts), (part) => planned(part, ofParts));
    return mapSuccess(plans, (each) => ({ operation, parts, plans: each }));
  };
  const shared = collect(targets, (operation) =>
    planOperation(operation, (shape) => planParts(operation, shape)),
  );
  const streamed = streamedProducts(module, target);
  return andThen(shared, (convolutions) => {
    const plans = convolutions.flatMap((each) =>
      each.plans.map((plan) => ({ operation: each.operation, plan })),
    );
    return success(
      {
        ...recordPlans(module, convolutions, before, form, threads, multipliesPairs(target), streamed),
        plans,
      },
      warnings,
    );
  });
};

/** Whether nothing is asked of a plan. */
const isFree = ({ planner, schedule, costModel, edges = 'best' }: Planning): boolean =>
  planner === undefined && schedule === undefined && costModel === undefined && edges === 'best';

/**
 * A convolution of the module: its distribution, and the plan of each part, in the order of `wholesOf`. A matrix
 * product without plans is computed as written.
 */
interface SharedConvolution {
  readonly operation: Operation;
  readonly parts: ThreadParts;
  readonly plans: readonly PlannedShape[];
}

/** The convolutions to plan: one of the equal parts, then the remainder. */
const wholesOf = (parts: ThreadParts): readonly ConvolutionShape[] =>
  parts.kind === 'whole'
    ? [parts.shape]
    : [parts.part, ...(parts.rest === undefined ? [] : wholesOf(parts.rest))];

/**
 * The microkernels that suit a form. The rows of a product are packed in every call: no column is left to a microkernel
 * with lanes along them, which would pack all of them again.
 */
const kernelsFor = (form: ConvolutionForm, target: Target): KernelChoice => {
  // Filters have unit stride in the output.
  if (form.output.endsWith('f')) return withRolesSwapped(target);
  if (!isProductForm(form)) return target;
  const { machine, microkernel, speeds } = target;
  const otherMicrokernels = target.otherMicrokernels.filter(({ vectorized }) => vectorized !== 'filters');
  if (speeds === undefined) return { machine, microkernel, otherMicrokernels };
  const { transposed: _, ...passCycles } = speeds.passCycles;
  return { machine, microkernel, otherMicrokernels, speeds: { ...speeds, passCycles } };
};

/** Microkernels vectorized along filters, whose speeds are not measured. */
const withRolesSwapped = ({ machine, microkernel, otherMicrokernels }: Target): KernelChoice => {
  const swapped = ({ windows, filters }: MicrokernelShape): MicrokernelShape => ({
    windows: filters,
    filters: windows,
  });
  const others = otherMicrokernels.filter(({ vectorized }) => vectorized !== 'filters');
  return { machine, microkernel: swapped(microkernel), otherMicrokernels: others.map(swapped) };
};

/** The microkernel that a plan has, without alternatives. */
const only = (kernels: KernelChoice, { windows, filters, vectorized }: MicrokernelShape): KernelChoice => {
  const isPlanned = (each: MicrokernelShape): boolean =>
    each.windows === windows &&
    each.filters === filters &&
    (each.vectorized === 'filters') === (vectorized === 'filters');
  const microkernel = kernels.otherMicrokernels.find(isPlanned) ?? kernels.microkernel;
  return { ...kernels, microkernel, otherMicrokernels: [] };
};

/** Number of groups of a convolution. */
const groupsOf = (operation: Operation): number => {
  const form = slicedForm(operation);
  const [input] = operation.operands;
  const position = form?.input.indexOf('g') ?? -1;
  return position < 0 || input?.type.kind !== 'tensor' ? 1 : input.type.shape[position]!;
};

/** The iteration dimensions that are shared, in one group of a convolution, or in one matrix product. */
const sharedDimensions = ({ output }: ConvolutionForm): Readonly<Record<SharedDimension, number>> => {
  // Outputs are indexed by the parallel dimensions in their order.
  const order = output.replace('g', '');
  return { batch: order.indexOf('n'), filters: order.indexOf('f'), rows: order.indexOf('h') };
};

type Convolution = Handle<typeof convolutionName>;

/** Records the distribution of a convolution's groups, equally many per thread, and a remainder; returns those. */
const recordGroupShares = (
  target: Handle<ConvolutionName>,
  form: ConvolutionForm,
  groups: number,
  threads: number,
): readonly Handle<ConvolutionName>[] => {
  const size = Math.floor(groups / threads);
  if (threads === 1 || size === 0) return [target];
  const dimension = form.output.indexOf('g');
  const share = (even: Handle<ConvolutionName>): Handle<ConvolutionName> => {
    const staticTileSizes = [...Array<number>(dimension).fill(0), size];
    return tileUsingForall({ target: even }, { staticTileSizes }).tiledOp;
  };
  const shared = size * threads;
  if (shared === groups) return [share(target)];
  const { first, second } = split({ target }, { dimension, staticChunkSizes: shared });
  return [share(first), second];
};

/** Records the distribution of a convolution; returns its parts, in the order of `wholesOf`. */
const recordParts = (
  target: Convolution,
  parts: ThreadParts,
  positions: Readonly<Record<SharedDimension, number>>,
): readonly Convolution[] => {
  if (parts.kind === 'whole') return [target];
  const { size, count, rest } = parts;
  const dimension = positions[parts.dimension];
  const share = (even: Convolution): Convolution => {
    const staticTileSizes = [...Array<number>(dimension).fill(0), size];
    return tileUsingForall({ target: even }, { staticTileSizes, exact: true }).tiledOp;
  };
  if (rest === undefined) return [share(target)];
  const { first, second } = split({ target }, { dimension, staticChunkSizes: size * count, exact: true });
  return [share(first), ...recordParts(second, rest, positions)];
};

/** Records the consumers of a convolution's result, without duplicates. */
const recordEpilogue = (convolution: Handle<ConvolutionName>): Handle => {
  const { consumers } = getConsumersOfResult({ target: convolution }, { resultNumber: 0 });
  return mergeHandles({ handles: [consumers] }, { deduplicate: true }).result;
};

/** Without the warnings that `transform.structured.sconv` repeats when it is given the sizes. */
const saidOnce = <T>(planned: Diagnosed<T>, form: ScheduleForm): Diagnosed<T> =>
  form !== 'sconv' || planned.status !== 'success'
    ? planned
    : {
        ...planned,
        diagnostics: planned.diagnostics.filter(({ code }) => code !== 'csa/fewer-than-a-tile'),
      };

/** The options of the analysis. */
const analysisOptions = ({ schedule, costModel, edges }: Planning): PlanOptions => ({
  ...(schedule === undefined ? {} : { schedule }),
  ...(costModel === undefined ? {} : { costModel }),
  ...(edges === undefined ? {} : { edges }),
});

/** Whether microkernels of i32 take pairs of i16: WebAssembly and x86 have an instruction for them. */
const multipliesPairs = ({ microkernel, machine }: Target): boolean =>
  microkernel.generation === 'wasm' || machine.isa === 'x86-64';

/** The location of generated ops. */
const here = callSite();

const recordPlans = (
  module: Module,
  convolutions: readonly SharedConvolution[],
  epilogues: ReadonlySet<Operation>,
  form: ScheduleForm,
  threads: number,
  isInPairs: boolean,
  streamed: ReadonlyMap<Operation, number>,
): Schedule =>
  schedule(($) =>
    $.at(here, () => {
      const sharedOf = new Map(convolutions.map((each) => [each.operation, each]));
      // Others of these names are matched too, like convolutions on buffers, and have no plan.
      const named = slicedNames.filter(
        (name) =>
          convolutionNames.some((each) => each === name) ||
          convolutions.some(({ operation }) => operation.name === name) ||
          [...streamed.keys()].some((operation) => operation.name === name),
      );
      const [first, ...others] = named;
      const names = [first!, ...others] as const;
      const all = $.match(...names);
      const matched = [...walk(module.root)].filter(({ name }) => names.some((each) => each === name));
      const { results: each } = splitHandle({ handle: all }, {}, { resultCount: matched.length });
      each.forEach((convolution, i) => {
        const rows = streamed.get(matched[i]!);
        if (rows !== undefined) tileUsingFor({ target: convolution }, { staticSizes: [0, 0, rows] });
        const shared = sharedOf.get(matched[i]!);
        if (shared === undefined) return;
        const { operation, parts, plans } = shared;
        const epilogue = epilogues.has(operation) ? recordEpilogue(convolution) : undefined;
        const layout = slicedForm(operation)!;
        const shares =
          layout.kind === 'dense'
            ? [convolution]
            : recordGroupShares(convolution, layout, groupsOf(operation), threads);
        const isAsWritten = plans.length === 0;
        if (isAsWritten && parts.kind === 'whole') return;
        for (const share of shares) {
          const group =
            layout.kind === 'dense' ? (share as Convolution) : recordGroups(share, layout).convolution;
          recordParts(group, parts, sharedDimensions(layout)).forEach((target, part) => {
            if (isAsWritten) return;
            const plan = plans[part]!;
            const { elementType, unpackedBytes } = plan.shape;
            const pairs = isInPairs && elementType === 'i32' && unpackedBytes !== undefined;
            switch (form) {
              case 'sconv':
                if (isOfAnalysis(plan)) recordTiling(target, plan, pairs ? { pairs } : {});
                else recordChecked(target, plan.tree, pairs ? { pairs } : {});
                break;
              case 'expanded':
                recordPlan(target, plan.tree, { pairs });
                break;
              case 'unchecked':
                recordKnownPlan(target, plan.tree, { pairs });
            }
          });
        }
        if (epilogue !== undefined) $.stage('epilogue', () => fuseEpilogue({ target: epilogue }));
      });
      return undefined;
    }),
  );
