/** The target's own schedule: plans and slices each convolution of a module. */
import type {
  ConvolutionShape,
  KernelChoice,
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
import { kernelAttributeName } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { isProductForm } from '@sconv/normalization';
import type { ConvolutionForm } from '@sconv/normalization';
import type { ContractionEpilogue, Planner } from '@sconv/plans';
import type { ConvolutionName, PlannedShape, SlicedAs } from '@sconv/slicing';
import {
  convolutionName,
  convolutionNames,
  convolutionShape,
  planOperation,
  recordChecked,
  recordGroups,
  recordKnownPlan,
  recordNormalization,
  recordPlan,
  recordTiling,
  slicedAs,
  slicedNames,
  storedPlan,
} from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
import { split } from '@sconv/splitting/transforms';
import { fuseEpilogue, tileUsingFor, tileUsingForall } from '@sconv/tiling/transforms';
import type { Handle, Recorder, Schedule } from '@sconv/transform';
import { callSite, schedule, splitHandle, suppress } from '@sconv/transform';
import { targetProblem } from './check-options.ts';
import { convolutionRegistry } from './convolution-registry.ts';
import type { Epilogues } from './epilogues.ts';
import { epiloguesOf } from './epilogues.ts';
import { kernelsFor, only } from './kernels-for.ts';
import { planBy } from './plan-by.ts';
import { recordEpilogue } from './record-epilogue.ts';
import type { TunedPlans } from './tuned-plan.ts';
import { tunedFor, tunedPlanOf } from './tuned-plan.ts';
import {
  gainsFromSlicing,
  gainsFromTurning,
  paysForMoving,
  staysInPlace,
  streamedRows,
} from './product-gains.ts';

/**
 * The convolutions, matrix products and other contractions of a module to slice, named or generalized, in program
 * order: not those on buffers, nor those of layouts other than `linalg.conv_2d_nchw_fchw` with dynamic sizes or
 * unsupported element types of the sums, nor, for the target's own planner, those that would not gain from it.
 */
export const convolutionsOf = (module: Module, target: Target = wasm): readonly Operation[] =>
  sliceable(module, target, undefined);

/** `convolutionsOf`, or with a planner of the caller's all that it is asked to plan. */
export const sliceable = (
  module: Module,
  target: Target,
  planner: Planner<KernelChoice> | undefined,
): readonly Operation[] => {
  expectModule('the payload', module);
  return [...walk(module.root)].filter((operation) => {
    const as = isDecided(operation) ? undefined : slicedAs(operation);
    if (as === undefined || operation.results.length === 0) return false;
    if (operation.name === convolutionName) return true;
    const found = convolutionShape(operation);
    if (found.status !== 'success') return false;
    if (planner !== undefined || (as.layout === undefined && !isProductForm(as.form))) return true;
    const { shape, groups } = found.value;
    const gains = gainsFromSlicing(shape, target.machine) || gainsFromTurning(shape, as.form);
    return gains && paysForMoving(shape, groups, as.layout, target.microkernel);
  });
};

/** Whether an op is a tile that another plan has decided on. */
const isDecided = ({ attributes }: Operation): boolean => attributes[kernelAttributeName] !== undefined;

/** The loop over the rows of its second operand with which a product of few rows reads them in order. */
interface StreamedProduct {
  /** The dimension that is summed up. */
  readonly dimension: number;
  readonly rows: number;
}

/** The loop around each product of few rows in a module that is not `sliced`, if it gains from one. */
export const streamedProducts = (
  module: Module,
  target: Target,
  sliced: readonly Operation[],
): ReadonlyMap<Operation, StreamedProduct> =>
  new Map(
    [...walk(module.root)].flatMap((operation) => {
      const as = sliced.includes(operation) || isDecided(operation) ? undefined : slicedAs(operation);
      if (as === undefined || operation.results.length === 0) return [];
      const { form, layout = { outer: [], moved: 0 } } = as;
      if (!isProductForm(form) || form.kind !== 'dense' || form.input !== 'ch') return [];
      const found = convolutionShape(operation);
      const rows = found.status === 'success' ? streamedRows(found.value.shape, target.machine) : undefined;
      const { iteratorTypes } = structured(convolutionRegistry, operation)!;
      const sums = iteratorTypes.flatMap((type, i) => (type === 'reduction' ? [i] : []));
      const [dimension] = sums;
      if (rows === undefined || dimension === undefined || sums.length > 1) return [];
      return layout.outer.length > 0 || layout.moved > 0 ? [] : [[operation, { dimension, rows }] as const];
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
  /** Plans that are taken for the contractions that they were measured for, whoever plans the others. */
  readonly tuned?: TunedPlans;
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

/** The plans of a module's convolutions, and what records the schedule that computes them by these. */
export interface RecordablePlans {
  readonly plans: readonly PlannedConvolution[];
  readonly record: ($: Recorder<'builtin.module'>) => void;
}

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
): Diagnosed<TargetSchedule> =>
  mapSuccess(planTarget(module, target, planning, form), ({ plans, record }) => ({
    ...schedule(($) => {
      record($);
      return undefined;
    }),
    plans,
  }));

/** `targetSchedule` before it is recorded, perhaps behind steps that make this module. */
export const planTarget = (
  module: Module,
  target: Target,
  planning: Planning,
  form: ScheduleForm,
): Diagnosed<RecordablePlans> => {
  const wrong = targetProblem('targetSchedule', target);
  if (wrong !== undefined) return definite(wrong);
  const { threads = 1, planner, registry = convolutionRegistry } = planning;
  const targets = sliceable(module, target, planner);
  const { before, warnings } = epiloguesOf(module, targets, registry);
  const { plans: tuned, warnings: ofTuned } = tunedFor(planning.tuned, target, module.root);
  const analyse = csaPlanner({ edges: 'best', ...analysisOptions(planning) });
  const planOf = (
    operation: Operation,
    shape: ConvolutionShape,
    kernels: KernelChoice,
    epilogue: ContractionEpilogue | undefined,
  ): Diagnosed<PlannedShape> => {
    const known = tuned === undefined ? success(undefined) : tunedPlanOf(tuned, operation, shape, kernels);
    return andThen(known, (plan): Diagnosed<PlannedShape> => {
      if (plan !== undefined) return success(plan);
      return planner === undefined
        ? saidOnce(analyse(contractionOf(shape), kernels), form)
        : planBy(planner, shape, kernels, { operation, epilogue });
    });
  };
  const planParts = (operation: Operation, shape: ConvolutionShape): Diagnosed<SharedConvolution> => {
    const stored = storedPlan(operation);
    if (stored.status !== 'success') return stored;
    if (stored.value !== undefined)
      return success({ operation, parts: { kind: 'whole', shape }, plans: [stored.value] });
    // If there are enough groups, whole groups are distributed.
    const { extent = 1 } = sharedGroups(operation) ?? {};
    const parts = partsForThreads(shape, extent >= threads ? 1 : threads, target.machine);
    const { form } = slicedAs(operation)!;
    // What follows a product is fused only into the loops of a plan.
    if (
      isProductForm(form) &&
      isFree(planning) &&
      !before.has(operation) &&
      staysInPlace(form, shape, target.machine)
    )
      return success({ operation, parts, plans: [] });
    const kernels = kernelsFor(form, target);
    const epilogue = before.get(operation);
    const whole = planOf(operation, shape, kernels, epilogue);
    if (whole.status !== 'success') return whole;
    if (parts.kind === 'whole') return mapSuccess(whole, (plan) => ({ operation, parts, plans: [plan] }));
    // Parts take the microkernel of the whole: the channels of a call are as many, so sums are rounded alike.
    const { microkernel } = whole.value;
    const ofParts = microkernel === undefined ? kernels : only(kernels, microkernel);
    const plans = collect(wholesOf(parts), (part) => planOf(operation, part, ofParts, epilogue));
    return mapSuccess(plans, (each) => ({ operation, parts, plans: each }));
  };
  const shared = collect(targets, (operation) =>
    planOperation(operation, (shape) => planParts(operation, shape)),
  );
  return andThen(shared, (planned) => {
    const convolutions = planner === undefined ? planned : planned.filter((each) => !isScalar(each));
    const sliced = convolutions.map(({ operation }) => operation);
    const streamed = streamedProducts(module, target, sliced);
    const plans = convolutions.flatMap((each) =>
      each.plans.map((plan) => ({ operation: each.operation, plan })),
    );
    return success(
      {
        record: recordPlans(module, convolutions, before, form, threads, multipliesPairs(target), streamed),
        plans,
      },
      [...ofTuned, ...warnings],
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

/** Whether the plan is one leaf of scalar code: a planner's word for what is better left as it is written. */
const isScalar = ({ plans }: SharedConvolution): boolean => plans.every(({ tree }) => tree.kind === 'scalar');

/** The convolutions to plan: one of the equal parts, then the remainder. */
const wholesOf = (parts: ThreadParts): readonly ConvolutionShape[] =>
  parts.kind === 'whole'
    ? [parts.shape]
    : [parts.part, ...(parts.rest === undefined ? [] : wholesOf(parts.rest))];

/** The dimension of an op that loops over its groups count, or the most iterations of those around a contraction. */
interface SharedGroups {
  readonly dimension: number;
  readonly extent: number;
}

/** The groups that threads share; undefined for an op without. */
const sharedGroups = (operation: Operation): SharedGroups | undefined => {
  const { form, layout } = slicedAs(operation)!;
  if (layout !== undefined) {
    const { loopRanges, iteratorTypes } = structured(convolutionRegistry, operation)!;
    return layout.outer
      .filter((dimension) => iteratorTypes[dimension] === 'parallel')
      .map((dimension) => ({ dimension, extent: loopRanges[dimension]! }))
      .reduce<SharedGroups | undefined>(
        (a, b) => (a === undefined || b.extent > a.extent ? b : a),
        undefined,
      );
  }
  const [input] = operation.operands;
  const position = form.input.indexOf('g');
  if (position < 0 || input?.type.kind !== 'tensor') return undefined;
  // Outputs are indexed by the parallel dimensions in their order.
  return { dimension: form.output.indexOf('g'), extent: input.type.shape[position]! };
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
  groups: SharedGroups | undefined,
  threads: number,
): readonly Handle<ConvolutionName>[] => {
  const { dimension, extent } = groups ?? { dimension: 0, extent: 0 };
  const size = Math.floor(extent / threads);
  if (threads === 1 || size === 0) return [target];
  const share = (even: Handle<ConvolutionName>): Handle<ConvolutionName> => {
    const staticTileSizes = [...Array<number>(dimension).fill(0), size];
    return tileUsingForall({ target: even }, { staticTileSizes }).tiledOp;
  };
  const shared = size * threads;
  if (shared === extent) return [share(target)];
  const { first, second } = split({ target }, { dimension, staticChunkSizes: shared });
  return [share(first), second];
};

/** Records the loops around one group of a convolution, or around one product of a contraction; returns that. */
const recordAround = (target: Handle<ConvolutionName>, { form, layout }: SlicedAs): Convolution => {
  if (layout !== undefined) return recordNormalization(target, layout).convolution;
  return form.kind === 'dense' ? (target as Convolution) : recordGroups(target, form).convolution;
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

const recordPlans =
  (
    module: Module,
    convolutions: readonly SharedConvolution[],
    epilogues: Epilogues['before'],
    form: ScheduleForm,
    threads: number,
    isInPairs: boolean,
    streamed: ReadonlyMap<Operation, StreamedProduct>,
  ): RecordablePlans['record'] =>
  ($) => {
    if (convolutions.length === 0 && streamed.size === 0) return;
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
        const stream = streamed.get(matched[i]!);
        if (stream !== undefined) {
          const staticSizes = [...Array<number>(stream.dimension).fill(0), stream.rows];
          tileUsingFor({ target: convolution }, { staticSizes });
        }
        const shared = sharedOf.get(matched[i]!);
        if (shared === undefined) return;
        const { operation, parts, plans } = shared;
        const epilogue = epilogues.has(operation) ? recordEpilogue(convolution) : undefined;
        const as = slicedAs(operation)!;
        const shares = recordGroupShares(convolution, sharedGroups(operation), threads);
        const isAsWritten = plans.length === 0;
        if (isAsWritten && parts.kind === 'whole' && as.layout === undefined) return;
        for (const share of shares) {
          recordParts(recordAround(share, as), parts, sharedDimensions(as.form)).forEach((target, part) => {
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
        if (epilogue !== undefined)
          $.stage('epilogue', () => {
            if (as.layout === undefined) fuseEpilogue({ target: epilogue });
            // Loops over fused dimensions cannot take an operand that has only some of these.
            else suppress(epilogue, (target: Handle) => void fuseEpilogue({ target }));
          });
      });
    });
  };
