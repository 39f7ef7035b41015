/** Convolution Slicing Analysis (SC §4.1, ST §5.1.1): from a shape and a machine to a plan. */
import type { Plan } from '@sconv/plans';
import type { KernelSpeeds } from '@sconv/targets';
import { constraints, type CacheConstraint } from './constraints.ts';
import type { Cost, CostModel, CostModelName } from './cost.ts';
import { costModels } from './cost-models.ts';
import { kernelCycles } from './kernel-cycles.ts';
import { trafficOfTiling } from './cost-traffic.ts';
import { edgeKinds, type EdgeChoice, type Edges } from './edges.ts';
import { CsaError, expectRecord } from './errors.ts';
import { candidateSizes, type Heuristic } from './heuristics.ts';
import { largestTiling } from './largest-tiling.ts';
import { checkOptions, checkShape, checkTarget } from './plan-input.ts';
import { planOfTiling } from './plan-of-tiling.ts';
import type { ConvolutionShape } from './shape.ts';
import { tilingRows } from './tiling-space.ts';
import {
  hierarchy,
  lanesAlong,
  microkernelShapeOf,
  roles,
  slice,
  tileBytes,
  type Fractions,
  type Hierarchy,
  type MachineCaches,
  type MicrokernelShape,
  type Dataflow,
  type SlicedConvolution,
  type TileBytes,
  type Tiling,
} from './tiling.ts';

/** A machine and a microkernel; every `Target` is one. */
export interface PlanTarget {
  readonly machine: MachineCaches;
  readonly microkernel: MicrokernelShape;
}

/** How a plan is made: cost model, search, a forced schedule, edges. */
export interface PlanOptions {
  /** Forces a schedule; both are still priced. */
  readonly schedule?: Dataflow;
  /** Default `halving`, as in the papers. */
  readonly heuristic?: Heuristic;
  /** Default `sc`, as in the papers. */
  readonly costModel?: CostModelName;
  /** Default 0.9 each (SC §7.1). */
  readonly fractions?: Partial<Fractions>;
  /** Default `scalar`, as in the papers. */
  readonly edges?: EdgeChoice;
}

/** One schedule with its sizes and predicted cost. */
export interface Candidate extends Tiling {
  readonly cost: Cost;
}

/** When a plan comes with a warning, by its code. */
export const planWarnings = {
  'csa/tile-exceeds-cache': 'the tiles of the smallest sizes exceed a cache',
  'csa/fewer-than-a-tile': 'there are fewer windows or filters than the microkernel has: no tile is full',
  'csa/groups-ignored': 'groups are planned as one, as the reference model knows none',
} as const;

/** A problem with a plan that users should know about. */
export interface PlanWarning {
  readonly code: keyof typeof planWarnings;
  readonly message: string;
}

/** A convolution with its slicing. */
export interface SlicingPlan extends Tiling {
  /** The planned shape; `reference` plans a grouped convolution as one group (`csa/groups-ignored`). */
  readonly shape: ConvolutionShape;
  /** Nwin and Nf. */
  readonly microkernel: MicrokernelShape;
  /**
   * Full tiles of one group of one image: #IN window tiles and #FS filter tiles (SC Eq. 3). 0 where the convolution is
   * smaller than the microkernel in that dimension: then there is no macro-kernel, only edges.
   */
  readonly tiles: { readonly windows: number; readonly filters: number };
  /** Windows and filters beyond the last full tile: OH·OW mod Nwin, O_c mod Nf. */
  readonly edges: { readonly windows: number; readonly filters: number };
  /** How those are computed; the first kind if there are none. */
  readonly edgeKind: Edges;
  /** R_Nc in channels; R_K2 and R_K3 in tiles (ST §5.1.1). */
  readonly remainders: { readonly nc: number; readonly k2: number; readonly k3: number };
  /** |IN^T|, |FS^T|, |OUT^T| (SC Eq. 1). */
  readonly tileBytes: TileBytes;
  readonly warnings: readonly PlanWarning[];
  /** The plan as loops, splits and packs: what is priced, drawn and generated. */
  readonly tree: Plan;
}

/** The result of the analysis, with its reasons. */
export interface ConvolutionPlan extends SlicingPlan {
  /** Eqs. 2, 4, 5 for the levels that the machine has. */
  readonly constraints: readonly CacheConstraint[];
  /** Predicted cycles of the best tiling of each schedule. */
  readonly cost: { readonly is: number; readonly ws: number };
  readonly candidates: { readonly is: Candidate; readonly ws: Candidate };
  /** Whether the caller chose the schedule, not the cost model. */
  readonly forced: boolean;
  /** Set where the target's measured speeds chose the schedule (`KernelSpeeds.schedule`). */
  readonly measured?: true;
  readonly heuristic: Heuristic;
  readonly costModel: CostModelName;
  readonly fractions: Fractions;
}

/** Evenly cutting candidates per parameter that `exhaustive` tries, besides those of halving. */
const exhaustiveLimit = 24;

/**
 * The cheapest tiling of the pruned space (TT §5.3-5.4: few values per parameter, then the least traffic); `undefined`
 * if no tiling satisfies the constraints.
 */
const cheapest = (
  sliced: SlicedConvolution,
  schedule: Dataflow,
  caches: Hierarchy,
  model: CostModel,
): Candidate | undefined => {
  const values = (largest: number): readonly number[] => candidateSizes(largest, exhaustiveLimit);
  const k3Values = values(schedule === 'is' ? sliced.tiles.windows : sliced.tiles.filters);
  let best: Candidate | undefined;
  for (const { maxK3, ...row } of tilingRows(sliced, caches, [schedule], values)) {
    for (const k3 of k3Values) {
      if (k3 > maxK3) continue;
      const cost = model(sliced, { ...row, k3 }, caches);
      if (best === undefined || cost.cycles < best.cost.cycles) best = { ...row, k3, cost };
    }
  }
  return best;
};

const bestOf = (
  sliced: SlicedConvolution,
  schedule: Dataflow,
  caches: Hierarchy,
  heuristic: Heuristic,
  model: CostModel,
): Candidate => {
  if (heuristic === 'exhaustive') {
    const best = cheapest(sliced, schedule, caches, model);
    if (best !== undefined) return best;
  }
  // Without a valid tiling there is nothing to search: every size ends up 1.
  const tiling = largestTiling(sliced, schedule, caches, heuristic === 'exhaustive' ? 'halving' : heuristic);
  return { ...tiling, cost: model(sliced, tiling, caches) };
};

const defaultFractions: Fractions = { l1: 0.9, l2: 0.9, l3: 0.9 };

const cacheTitles = { l1: 'L1', l2: 'L2', l3: 'L3' } as const;

const constraintWarnings = (checked: readonly CacheConstraint[]): PlanWarning[] =>
  checked
    .filter(({ holds }) => !holds)
    .map(({ level, parameter, bytes, room }) => ({
      code: 'csa/tile-exceeds-cache',
      message:
        `the tiles need ${bytes} bytes of ${cacheTitles[level]} even at ${parameter} = 1, ` +
        `and may use ${room}: a smaller microkernel would fit`,
    }));

const sizeWarnings = ({ tiles, windows, filters, microkernel }: SlicedConvolution): PlanWarning[] => {
  const warnings: PlanWarning[] = [];
  const few = (have: number, want: number, what: string): void => {
    warnings.push({
      code: 'csa/fewer-than-a-tile',
      message: `${have} ${what}, fewer than the ${want} of the microkernel: there is no full tile`,
    });
  };
  if (tiles.windows === 0) few(windows, microkernel.windows, 'windows');
  if (tiles.filters === 0) few(filters, microkernel.filters, 'filters');
  return warnings;
};

/**
 * The shape that the model plans. The authors' implementation knows no groups and treats a grouped convolution as one
 * over all channels; `reference` reproduces that.
 */
const plannedShape = (shape: ConvolutionShape, costModel: CostModelName): ConvolutionShape =>
  costModel === 'reference' && shape.groups > 1 ? { ...shape, groups: 1 } : shape;

const groupWarnings = (shape: ConvolutionShape, planned: ConvolutionShape): PlanWarning[] =>
  shape === planned
    ? []
    : [
        {
          code: 'csa/groups-ignored',
          message: `the reference model knows no groups: planned as one group, not ${shape.groups}`,
        },
      ];

/** The kinds of edges to choose among; a single one if there are no edges. */
const edgesToTry = (
  { edges, microkernel, tiles }: SlicedConvolution,
  choice: EdgeChoice,
  speeds?: KernelSpeeds,
): readonly Edges[] => {
  if (choice !== 'best') return [choice];
  // Even parts of the filters would not be whole vectors.
  if (lanesAlong(microkernel) === 'filters') return ['small'];
  if (edges.windows === 0 && edges.filters === 0) return ['scalar'];
  const isTransposable =
    speeds?.passCycles.transposed !== undefined && edges.windows > 0 && tiles.windows > 0;
  return edgeKinds.filter((kind) => kind !== 'transposed' || isTransposable);
};

/**
 * The kind of edges whose plan is cheapest by `traffic`. That counts memory accesses, not how slowly scalar code
 * computes: of several kinds it is never the cheapest.
 */
const cheapestEdges = (
  sliced: SlicedConvolution,
  tiling: Tiling,
  caches: Hierarchy,
  choice: EdgeChoice,
): Edges => {
  const kinds = edgesToTry(sliced, choice);
  const [first, ...others] = kinds.length > 1 ? kinds.filter((each) => each !== 'scalar') : kinds;
  if (others.length === 0) return first!;
  const cycles = (edges: Edges): number =>
    trafficOfTiling(sliced, planOfTiling(sliced, tiling, edges), caches).cycles;
  let best = { edges: first!, cycles: cycles(first!) };
  for (const edges of others) {
    const own = cycles(edges);
    if (own < best.cycles) best = { edges, cycles: own };
  }
  return best.edges;
};

/** The slicing of a convolution by a known tiling. */
const slicingPlan = (sliced: SlicedConvolution, tiling: Tiling, edgeKind: Edges): SlicingPlan => {
  const { schedule, nc, k2, k3 } = tiling;
  const { stationary, moving } = roles(sliced, schedule, nc);
  return {
    schedule,
    nc,
    k2,
    k3,
    shape: sliced.shape,
    microkernel: sliced.microkernel,
    tiles: sliced.tiles,
    edges: sliced.edges,
    edgeKind,
    remainders: { nc: sliced.channels % nc, k2: moving.tiles % k2, k3: stationary.tiles % k3 },
    tileBytes: tileBytes(sliced, nc),
    warnings: sizeWarnings(sliced),
    tree: planOfTiling(sliced, tiling, edgeKind),
  };
};

/** The plan of a given tiling. Throws `CsaError` (`csa/tiling`) for sizes that the convolution does not have. */
export const planWithTiling = (
  shape: ConvolutionShape,
  microkernel: MicrokernelShape,
  tiling: Tiling,
  edges: Edges = 'scalar',
): SlicingPlan => {
  checkShape(shape);
  const sliced = slice(shape, microkernelShapeOf(microkernel));
  expectRecord('tiling', tiling);
  const { stationary, moving } = roles(sliced, tiling.schedule, tiling.nc);
  const most = { nc: sliced.channels, k2: moving.tiles, k3: stationary.tiles } as const;
  for (const size of ['nc', 'k2', 'k3'] as const) {
    // Without a full tile the sizes are 1.
    const limit = Math.max(1, most[size]);
    if (Number.isInteger(tiling[size]) && tiling[size] >= 1 && tiling[size] <= limit) continue;
    throw new CsaError('csa/tiling', size, `must be an integer from 1 to ${limit}, not ${tiling[size]}`);
  }
  return slicingPlan(sliced, tiling, edges);
};

/**
 * Plans one convolution on one machine: tile sizes for both schedules by the heuristic, then the schedule with the
 * lower predicted cost (ties go to WS, as in the authors' implementation).
 *
 * Always yields a plan: a size whose tile fits no cache is 1, and `warnings` says so. Throws `CsaError` for an
 * impossible machine or microkernel and for an unknown option or name.
 */
export const planConvolution = (
  shape: ConvolutionShape,
  target: PlanTarget,
  options: PlanOptions = {},
): ConvolutionPlan => planPreferring(shape, target, options, undefined);

/** `planConvolution` with a schedule that is taken unless another one is forced. */
const planPreferring = (
  shape: ConvolutionShape,
  target: PlanTarget,
  options: PlanOptions,
  preferred: Dataflow | undefined,
): ConvolutionPlan => {
  checkShape(shape);
  checkTarget(target);
  checkOptions(options);
  const { heuristic = 'halving', costModel = 'sc', edges = 'scalar', schedule } = options;
  const fractions = { ...defaultFractions, ...options.fractions };
  const microkernel = microkernelShapeOf(target.microkernel);
  const planned = plannedShape(shape, costModel);
  const sliced = slice(planned, microkernel);
  const caches = hierarchy(target.machine, fractions);
  const model: CostModel =
    costModel === 'traffic'
      ? (of, by, on) => costModels.traffic(of, by, on, cheapestEdges(of, by, on, edges))
      : costModels[costModel];
  const candidates = {
    is: bestOf(sliced, 'is', caches, heuristic, model),
    ws: bestOf(sliced, 'ws', caches, heuristic, model),
  };
  const cost = { is: candidates.is.cost.cycles, ws: candidates.ws.cost.cycles };
  const chosen = candidates[schedule ?? preferred ?? (cost.is < cost.ws ? 'is' : 'ws')];
  const plan = slicingPlan(sliced, chosen, cheapestEdges(sliced, chosen, caches, edges));
  const checked = constraints(sliced, chosen, caches);
  return {
    ...plan,
    constraints: checked,
    cost,
    candidates,
    forced: schedule !== undefined,
    ...(schedule === undefined && preferred !== undefined ? { measured: true as const } : {}),
    heuristic,
    costModel,
    fractions,
    warnings: [...groupWarnings(shape, planned), ...plan.warnings, ...constraintWarnings(checked)],
  };
};

/** A target with alternative microkernels; every `Target` of the targets package is one. */
export interface KernelChoice extends PlanTarget {
  readonly otherMicrokernels: readonly MicrokernelShape[];
  /** Measured speeds, for choosing a microkernel and its edges. */
  readonly speeds?: KernelSpeeds;
}

interface KernelAndEdges {
  readonly microkernel: MicrokernelShape;
  readonly edges: Edges;
}

/** The same with the cycles that the measured speeds predict. */
interface TimedKernel extends KernelAndEdges {
  readonly cycles: number;
}

/**
 * How many times the cycles of the fastest microkernel one that has room in L1 may take before the fastest streams
 * from L2.
 */
const streamingGain = 2;

/**
 * A tile with `steps` of its own takes few of them per call, and adds to its outputs once a call: this pays off where
 * it holds all windows of a channel of the output, which then stays in cache.
 */
const suits = (
  { windows, steps }: MicrokernelShape,
  { outputHeight, outputWidth }: ConvolutionShape,
): boolean => steps === undefined || outputHeight * outputWidth <= windows;

/**
 * A target's microkernels, each with its fastest edges, fastest first. Ties go to tiles not larger than the
 * convolution, then to the preferred one.
 */
const bySpeed = (
  shape: ConvolutionShape,
  { microkernel, otherMicrokernels }: KernelChoice,
  speeds: KernelSpeeds,
  choice: EdgeChoice,
  roomOf: (microkernel: MicrokernelShape) => Hierarchy['room'],
): readonly TimedKernel[] =>
  [microkernel, ...otherMicrokernels.filter((tile) => suits(tile, shape))]
    .map((tile) => {
      const sliced = slice(shape, tile);
      const [first, ...others] = edgesToTry(sliced, choice, speeds).map((edges) => ({
        microkernel: tile,
        edges,
        cycles: kernelCycles(sliced, edges, speeds, roomOf(tile)),
      }));
      const fastest = others.reduce((best, each) => (each.cycles < best.cycles ? each : best), first!);
      return { ...fastest, isWhole: isWhole(sliced) };
    })
    .sort((a, b) => a.cycles - b.cycles || Number(b.isWhole) - Number(a.isWhole));

/** The machine with L1 resized to hold this microkernel's panels of so many steps. */
const withSteps = (
  machine: MachineCaches,
  steps: number,
  { windows, filters }: MicrokernelShape,
  { elementBytes }: ConvolutionShape,
  fraction: number,
): MachineCaches => {
  const { l1 } = machine.cache;
  if (l1 === undefined) return machine;
  const bytes = (steps * (windows + filters) + windows * filters) * elementBytes;
  return { ...machine, cache: { ...machine.cache, l1: { ...l1, bytes: Math.ceil(bytes / fraction) } } };
};

const isWhole = ({ tiles }: Pick<SlicingPlan, 'tiles'>): boolean => tiles.windows > 0 && tiles.filters > 0;

/**
 * Plans with the first of the target's microkernels whose tiles satisfy every constraint; `plan.microkernel` tells
 * which. With measured speeds, microkernels (and edges, for `best`) are tried fastest first; otherwise in the target's
 * order, those whose tile is not larger than the convolution first. Where the windows of one channel are too large
 * for L1 with any microkernel but slow ones, the fastest streams its panels from L2. Unless a schedule or a cost
 * model is asked for, a measured preference of the target's chooses the schedule. If none satisfies the constraints:
 * the fastest or the preferred one.
 */
export const planForTarget = (
  shape: ConvolutionShape,
  target: KernelChoice,
  options: PlanOptions = {},
): ConvolutionPlan => {
  const fits = ({ constraints: checked }: ConvolutionPlan): boolean => checked.every(({ holds }) => holds);
  checkTarget(target);
  if (target.speeds !== undefined) {
    checkShape(shape);
    checkOptions(options);
    const { speeds } = target;
    const fractions = { ...defaultFractions, ...options.fractions };
    const leastSteps = shape.filterHeight * shape.filterWidth;
    const steps = (shape.inputChannels / shape.groups) * leastSteps;
    const preferred =
      options.costModel === undefined && steps <= (speeds.scheduleUpToSteps ?? Infinity)
        ? speeds.schedule
        : undefined;
    // Speeds are those of calls with so many steps; a single channel may already have more.
    const machineFor = (microkernel: MicrokernelShape): MachineCaches => {
      const { steps = speeds.steps } = microkernel;
      return steps === undefined || steps < leastSteps
        ? target.machine
        : withSteps(target.machine, steps, microkernel, shape, fractions.l1);
    };
    const planWith = (
      { microkernel, edges }: KernelAndEdges,
      machine = machineFor(microkernel),
    ): ConvolutionPlan => planPreferring(shape, { machine, microkernel }, { ...options, edges }, preferred);
    const roomOf = (microkernel: MicrokernelShape): Hierarchy['room'] =>
      hierarchy(machineFor(microkernel), fractions).room;
    const kernels = bySpeed(shape, target, speeds, options.edges ?? 'scalar', roomOf);
    const [fastest] = kernels as readonly [TimedKernel, ...TimedKernel[]];
    const streaming = planWith(
      fastest,
      withSteps(target.machine, leastSteps, fastest.microkernel, shape, fractions.l1),
    );
    for (const kernel of kernels) {
      if (kernel.cycles > streamingGain * fastest.cycles && fits(streaming)) return streaming;
      const plan = planWith(kernel);
      if (fits(plan)) return plan;
    }
    return planWith(fastest);
  }
  const preferred = planConvolution(shape, target, options);
  if (fits(preferred) && isWhole(preferred)) return preferred;

  const windows = shape.outputHeight * shape.outputWidth;
  const filters = shape.filters / shape.groups;
  const planWith = (microkernel: MicrokernelShape): ConvolutionPlan =>
    planConvolution(shape, { machine: target.machine, microkernel }, options);
  for (const microkernel of target.otherMicrokernels) {
    if (microkernel.windows > windows || microkernel.filters > filters) continue;
    const plan = planWith(microkernel);
    if (fits(plan)) return plan;
  }
  if (fits(preferred)) return preferred;
  for (const microkernel of target.otherMicrokernels) {
    const plan = planWith(microkernel);
    if (fits(plan)) return plan;
  }
  return preferred;
};
