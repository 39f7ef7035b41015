/** Convolution Slicing Analysis (SC §4.1, ST §5.1.1): from a shape and a machine to a plan. */
import type { KernelSpeeds } from '@sconv/targets';
import { constraints, type Constraint } from './constraints.ts';
import type { Cost, CostModel, CostModelName } from './cost.ts';
import { costModels } from './cost-models.ts';
import { kernelCycles } from './kernel-cycles.ts';
import { trafficOfPlan } from './cost-traffic.ts';
import { edgeKinds, type EdgeChoice, type Edges } from './edges.ts';
import { CsaError } from './errors.ts';
import { candidateSizes, type Heuristic } from './heuristics.ts';
import { largestTiling } from './largest-tiling.ts';
import { checkOptions, checkShape, checkTarget } from './plan-input.ts';
import { planOfTiling } from './plan-of-tiling.ts';
import type { Plan } from './plan-tree.ts';
import type { ConvolutionShape } from './shape.ts';
import { tilingRows } from './tiling-space.ts';
import {
  hierarchy,
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

export interface PlanOptions {
  /** Forces a schedule; both are still costed. */
  readonly schedule?: Dataflow;
  /** Default `halving`, the papers'. */
  readonly heuristic?: Heuristic;
  /** Default `sc`, the papers'. */
  readonly costModel?: CostModelName;
  /** Default 0.9 each (SC §7.1). */
  readonly fractions?: Partial<Fractions>;
  /** Default `scalar`, the papers'. */
  readonly edges?: EdgeChoice;
}

/** One schedule with its sizes and its predicted cost. */
export interface Candidate extends Tiling {
  readonly cost: Cost;
}

/** Something about a plan that a person should know. */
export interface PlanWarning {
  readonly code: 'csa/tile-exceeds-cache' | 'csa/fewer-than-a-tile' | 'csa/groups-ignored';
  readonly message: string;
}

/** A convolution that is sliced in a certain way. */
export interface SlicingPlan extends Tiling {
  /** What was planned; with `reference` a grouped convolution as one group (`csa/groups-ignored`). */
  readonly shape: ConvolutionShape;
  /** Nwin and Nf. */
  readonly microkernel: MicrokernelShape;
  /**
   * Full tiles of one group of one image: #IN window tiles and #FS filter tiles (SC Eq. 3). 0 where the
   * convolution is smaller than the microkernel in that dimension: no macro-kernel then, only edges.
   */
  readonly tiles: { readonly windows: number; readonly filters: number };
  /** Windows and filters beyond the last full tile: OH·OW mod Nwin, O_c mod Nf. */
  readonly edges: { readonly windows: number; readonly filters: number };
  /** What becomes of those; the first kind where there are none. */
  readonly edgeKind: Edges;
  /** R_Nc in channels; R_K2 and R_K3 in tiles (ST §5.1.1). */
  readonly remainders: { readonly nc: number; readonly k2: number; readonly k3: number };
  /** |IN^T|, |FS^T|, |OUT^T| (SC Eq. 1). */
  readonly tileBytes: TileBytes;
  readonly warnings: readonly PlanWarning[];
  /** All of it as loops, splits and packings: what is priced, drawn and generated. */
  readonly tree: Plan;
}

/** What the analysis found, and why. */
export interface ConvolutionPlan extends SlicingPlan {
  /** Eqs. 2, 4, 5 for the levels that the machine has. */
  readonly constraints: readonly Constraint[];
  /** Predicted cycles of the best tiling of each schedule. */
  readonly cost: { readonly is: number; readonly ws: number };
  readonly candidates: { readonly is: Candidate; readonly ws: Candidate };
  /** Whether the schedule was the caller's and not the cost model's. */
  readonly forced: boolean;
  readonly heuristic: Heuristic;
  readonly costModel: CostModelName;
  readonly fractions: Fractions;
}

/** Evenly cutting candidates of a parameter that `exhaustive` looks at. */
const exhaustiveLimit = 24;

/**
 * The cheapest tiling of the pruned space (TT §5.3-5.4: few values a parameter, then the one with the least
 * traffic); `undefined` where no tiling satisfies the constraints.
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
  // Without a valid tiling there is nothing to search: each size ends at 1.
  const tiling = largestTiling(sliced, schedule, caches, heuristic === 'exhaustive' ? 'halving' : heuristic);
  return { ...tiling, cost: model(sliced, tiling, caches) };
};

const defaultFractions: Fractions = { l1: 0.9, l2: 0.9, l3: 0.9 };

const cacheTitles = { l1: 'L1', l2: 'L2', l3: 'L3' } as const;

const constraintWarnings = (checked: readonly Constraint[]): PlanWarning[] =>
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
 * The shape that the model plans. The authors' implementation has no groups: it takes a grouped convolution for
 * one over all channels, and so does `reference`, which is there to reproduce its choices.
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

/** The kinds of edges to choose among; one where there are no edges. */
const edgesToTry = ({ edges }: SlicedConvolution, choice: EdgeChoice): readonly Edges[] => {
  if (choice !== 'best') return [choice];
  return edges.windows > 0 || edges.filters > 0 ? edgeKinds : edgeKinds.slice(0, 1);
};

/** The kind of edges whose plan `traffic` predicts to be the cheapest. */
const cheapestEdges = (
  sliced: SlicedConvolution,
  tiling: Tiling,
  caches: Hierarchy,
  choice: EdgeChoice,
): Edges => {
  const [first, ...others] = edgesToTry(sliced, choice);
  if (others.length === 0) return first!;
  const cycles = (edges: Edges): number =>
    trafficOfPlan(sliced, planOfTiling(sliced, tiling, edges), caches).cycles;
  let best = { edges: first!, cycles: cycles(first!) };
  for (const edges of others) {
    const own = cycles(edges);
    if (own < best.cycles) best = { edges, cycles: own };
  }
  return best.edges;
};

/** The slicing of a convolution by a tiling that is known. */
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

/**
 * The plan of a tiling that somebody else has chosen. Throws `CsaError` (`csa/tiling`) for sizes that the convolution does
 * not have.
 */
export const planWithTiling = (
  shape: ConvolutionShape,
  microkernel: MicrokernelShape,
  tiling: Tiling,
  edges: Edges = 'scalar',
): SlicingPlan => {
  checkShape(shape);
  const sliced = slice(shape, { windows: microkernel.windows, filters: microkernel.filters });
  const { stationary, moving } = roles(sliced, tiling.schedule, tiling.nc);
  const most = { nc: sliced.channels, k2: moving.tiles, k3: stationary.tiles } as const;
  for (const size of ['nc', 'k2', 'k3'] as const) {
    // A convolution without a full tile is planned with sizes of 1.
    const limit = Math.max(1, most[size]);
    if (Number.isInteger(tiling[size]) && tiling[size] >= 1 && tiling[size] <= limit) continue;
    throw new CsaError('csa/tiling', size, `must be an integer from 1 to ${limit}, not ${tiling[size]}`);
  }
  return slicingPlan(sliced, tiling, edges);
};

/**
 * Plans one convolution on one machine: tile sizes for both schedules by the heuristic, then the schedule that
 * the cost model predicts to be cheaper (a tie goes to WS, as in the authors' implementation).
 *
 * Always ends with a plan: where a tile fits no cache its size is 1 and `warnings` says so. Throws `CsaError`
 * where the machine or the microkernel cannot be, and for an option or a name that there is not.
 */
export const planConvolution = (
  shape: ConvolutionShape,
  target: PlanTarget,
  options: PlanOptions = {},
): ConvolutionPlan => {
  checkShape(shape);
  checkTarget(target);
  checkOptions(options);
  const { heuristic = 'halving', costModel = 'sc', edges = 'scalar', schedule } = options;
  const fractions = { ...defaultFractions, ...options.fractions };
  const microkernel = { windows: target.microkernel.windows, filters: target.microkernel.filters };
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
  const chosen = candidates[schedule ?? (cost.is < cost.ws ? 'is' : 'ws')];
  const plan = slicingPlan(sliced, chosen, cheapestEdges(sliced, chosen, caches, edges));
  const checked = constraints(sliced, chosen, caches);
  return {
    ...plan,
    constraints: checked,
    cost,
    candidates,
    forced: schedule !== undefined,
    heuristic,
    costModel,
    fractions,
    warnings: [...groupWarnings(shape, planned), ...plan.warnings, ...constraintWarnings(checked)],
  };
};

/** A target with its further microkernels; every `Target` of the targets package is one. */
export interface KernelChoice extends PlanTarget {
  readonly otherMicrokernels: readonly MicrokernelShape[];
  /** Measured speeds, by which a microkernel and its edges are chosen. */
  readonly speeds?: KernelSpeeds;
}

/** A microkernel with a kind of edges. */
interface KernelAndEdges {
  readonly microkernel: MicrokernelShape;
  readonly edges: Edges;
}

/**
 * The microkernels of a target, each with its fastest edges; the fastest first, of equals one that is not larger than the
 * convolution, and of these the preferred one.
 */
const bySpeed = (
  shape: ConvolutionShape,
  { microkernel, otherMicrokernels }: KernelChoice,
  speeds: KernelSpeeds,
  choice: EdgeChoice,
  roomOf: (microkernel: MicrokernelShape) => number,
): readonly KernelAndEdges[] =>
  [microkernel, ...otherMicrokernels]
    .map((tile) => {
      const sliced = slice(shape, tile);
      const [first, ...others] = edgesToTry(sliced, choice).map((edges) => ({
        microkernel: tile,
        edges,
        cycles: kernelCycles(sliced, edges, speeds, roomOf(tile)),
      }));
      const fastest = others.reduce((best, each) => (each.cycles < best.cycles ? each : best), first!);
      return { ...fastest, isWhole: isWhole(sliced) };
    })
    .sort((a, b) => a.cycles - b.cycles || Number(b.isWhole) - Number(a.isWhole));

/** The machine with an L1 that holds the panels of so many steps as the speeds are for, of this microkernel. */
const withSteps = (
  machine: MachineCaches,
  { steps }: KernelSpeeds,
  { windows, filters }: MicrokernelShape,
  { elementBytes, filterHeight, filterWidth }: ConvolutionShape,
  fraction: number,
): MachineCaches => {
  const { l1 } = machine.cache;
  // A single channel may have more.
  if (l1 === undefined || steps === undefined || steps < filterHeight * filterWidth) return machine;
  const bytes = (steps * (windows + filters) + windows * filters) * elementBytes;
  return { ...machine, cache: { ...machine.cache, l1: { ...l1, bytes: Math.ceil(bytes / fraction) } } };
};

/** Whether there is a full tile. */
const isWhole = ({ tiles }: Pick<SlicingPlan, 'tiles'>): boolean => tiles.windows > 0 && tiles.filters > 0;

/**
 * Plans with one of the target's microkernels whose tiles satisfy every constraint; `plan.microkernel` says which it was.
 * Where the target has measured speeds it is the fastest one by them, and so are the edges that `best` stands for.
 * Otherwise it is the first whose tile is not larger than the convolution. The preferred one, or the fastest, where
 * no microkernel satisfies them.
 */
export const planForTarget = (
  shape: ConvolutionShape,
  target: KernelChoice,
  options: PlanOptions = {},
): ConvolutionPlan => {
  const fits = ({ constraints: checked }: ConvolutionPlan): boolean => checked.every(({ holds }) => holds);
  if (target.speeds !== undefined) {
    checkShape(shape);
    checkTarget(target);
    checkOptions(options);
    const { speeds } = target;
    const fractions = { ...defaultFractions, ...options.fractions };
    const machineFor = (microkernel: MicrokernelShape): MachineCaches =>
      withSteps(target.machine, speeds, microkernel, shape, fractions.l1);
    const planWith = ({ microkernel, edges }: KernelAndEdges): ConvolutionPlan =>
      planConvolution(shape, { machine: machineFor(microkernel), microkernel }, { ...options, edges });
    const roomOf = (microkernel: MicrokernelShape): number =>
      hierarchy(machineFor(microkernel), fractions).room.l1;
    const kernels = bySpeed(shape, target, speeds, options.edges ?? 'scalar', roomOf);
    for (const kernel of kernels) {
      const plan = planWith(kernel);
      if (fits(plan)) return plan;
    }
    return planWith(kernels[0]!);
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
