/** Candidates from the tilings of Convolution Slicing Analysis: each microkernel of a target, edges, and tile sizes. */
import type { ConvolutionShape, Edges, KernelChoice, MicrokernelShape, Tiling } from '@sconv/csa';
import {
  candidateSizes,
  convolutionOf,
  costModels,
  edgeKinds,
  hierarchy,
  planWithTiling,
  slice,
  tilingRows,
} from '@sconv/csa';
import { randomIntegers } from '@sconv/interpreter';
import type { Contraction } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import type { Candidate, Propose } from '@sconv/tuning';

/** How the tilings of candidates are chosen. */
export type TilingStrategy = 'evolve' | 'model' | 'random';

/** What decides a plan. */
interface Choice extends Tiling {
  readonly microkernel: MicrokernelShape;
  readonly edges: Edges;
}

/** As in the analysis: shares of the caches that tiles may fill. */
const fractions = { l1: 0.9, l2: 0.9, l3: 0.9 };

/** Sizes beyond what the constraints allow are tried too: they are the papers' rule, not the machine's. */
const relaxed = { l1: 2, l2: 1.5, l3: 1.5 };

/** Draws of a choice that has no new plan, before the space counts as exhausted. */
const patience = 200;

/** Candidates that the model orders at once. */
const pool = 200;

/**
 * Proposes plans of a contraction; none, ever, for one that is no convolution. `random`: all choices alike. `model`:
 * the least cost that the analysis predicts, of 200 drawn each time. `evolve`: half of them changes of the best ones so
 * far, the other half as `model`, then as `random`. Deterministic for a seed.
 */
export const tilingCandidates = (
  problem: Contraction,
  kernels: KernelChoice,
  strategy: TilingStrategy,
  seed: number,
): Propose => {
  const shape = convolutionOf(problem);
  if (shape === undefined) return () => [];
  const next = randomIntegers(seed);
  const pick = <T>(items: readonly T[]): T => items[next() % items.length]!;
  const choices = new Map<string, Choice>();
  const microkernels = [kernels.microkernel, ...kernels.otherMicrokernels];
  const spaces = new Map<MicrokernelShape, readonly Tiling[]>();
  const tilingsOf = (microkernel: MicrokernelShape): readonly Tiling[] => {
    const known = spaces.get(microkernel);
    if (known !== undefined) return known;
    const tilings = allTilings(shape, kernels, microkernel);
    spaces.set(microkernel, tilings);
    return tilings;
  };
  const draw = (): Choice | undefined => {
    const microkernel = pick(microkernels);
    const tilings = tilingsOf(microkernel);
    return tilings.length === 0 ? undefined : { microkernel, edges: pick(edgeKinds), ...pick(tilings) };
  };
  const mutated = (choice: Choice): Choice => {
    const tilings = tilingsOf(choice.microkernel);
    switch (next() % 4) {
      case 0:
        return { ...choice, edges: pick(edgeKinds) };
      case 1: {
        const microkernel = pick(microkernels);
        return { ...choice, microkernel };
      }
      default: {
        // The sizes of another tiling, one of them or all but one.
        const other = pick(tilings);
        const name = pick(['nc', 'k2', 'k3'] as const);
        return next() % 2 === 0
          ? { ...choice, [name]: other[name] }
          : { ...other, ...choice, [name]: other[name] };
      }
    }
  };
  /** New candidates from a source of choices, at most `count`. */
  const fresh = (count: number, choose: () => Choice | undefined): readonly Candidate[] => {
    const found: Candidate[] = [];
    for (let idle = 0; found.length < count && idle < patience; idle += 1) {
      const choice = choose();
      if (choice === undefined) continue;
      const name = nameOf(choice);
      if (choices.has(name)) continue;
      choices.set(name, choice);
      const candidate = candidateOf(problem, shape, kernels, choice, name);
      if (candidate === undefined) continue;
      found.push(candidate);
      idle = 0;
    }
    return found;
  };
  const waiting: Candidate[] = [];
  const byModel = (count: number): readonly Candidate[] => {
    if (waiting.length < count) {
      waiting.push(...fresh(pool, draw));
      waiting.sort((a, b) => (a.predicted ?? Infinity) - (b.predicted ?? Infinity));
    }
    return waiting.splice(0, count);
  };
  return (scored, count) => {
    if (strategy === 'random') return fresh(count, draw);
    if (strategy === 'model' || scored.length === 0) return byModel(count);
    const parents = [...scored]
      .sort((a, b) => a.ratio - b.ratio)
      .slice(0, parentCount)
      .flatMap(({ candidate }) => choices.get(candidate.name) ?? []);
    const children = parents.length === 0 ? [] : fresh(Math.ceil(count / 2), () => mutated(pick(parents)));
    const rest = count - children.length;
    return [...children, ...(scored.length < modelled ? byModel(rest) : fresh(rest, draw))];
  };
};

/** How many of the best are changed. */
const parentCount = 5;

/** Up to so many results the model has its say. */
const modelled = 60;

/** Tilings of sizes with few remainders. */
const allTilings = (
  shape: ConvolutionShape,
  { machine }: KernelChoice,
  microkernel: MicrokernelShape,
): readonly Tiling[] => {
  const sliced = slice(shape, microkernel);
  if (sliced.tiles.windows === 0 || sliced.tiles.filters === 0) return [];
  const room = roomOf(machine);
  return [...tilingRows(sliced, room, ['is', 'ws'], sizesOf)].flatMap(({ maxK3, ...row }) =>
    sizesOf(maxK3).map((k3) => ({ ...row, k3 })),
  );
};

/** At most so many sizes of each parameter, besides those that halving tries. */
const sizesOf = (largest: number): readonly number[] => candidateSizes(largest, 12);

const roomOf = (machine: KernelChoice['machine']) => {
  const known = hierarchy(machine, fractions);
  const { l1, l2, l3 } = known.room;
  return { ...known, room: { l1: l1 * relaxed.l1, l2: l2 * relaxed.l2, l3: l3 * relaxed.l3 } };
};

const nameOf = ({ microkernel, edges, schedule, nc, k2, k3 }: Choice): string => {
  const { windows, filters, vectorized } = microkernel;
  const along = vectorized === 'filters' ? ' along filters' : '';
  return `${schedule} ${windows}x${filters}${along} Nc ${nc} K2 ${k2} K3 ${k3} ${edges}`;
};

/** Undefined for sizes that the shape does not have. */
const candidateOf = (
  problem: Contraction,
  shape: ConvolutionShape,
  { machine }: KernelChoice,
  { microkernel, edges, ...tiling }: Choice,
  name: string,
): Candidate | undefined => {
  const sliced = slice(shape, microkernel);
  const { channels, tiles } = sliced;
  const [stationary, moving] =
    tiling.schedule === 'is' ? [tiles.windows, tiles.filters] : [tiles.filters, tiles.windows];
  if (tiling.nc > channels || tiling.k2 > moving || tiling.k3 > stationary) return undefined;
  const { tree } = planWithTiling(shape, microkernel, tiling, edges);
  if (planProblems(tree, { contraction: problem }).length > 0) return undefined;
  const { cycles } = costModels.traffic(sliced, tiling, hierarchy(machine, fractions), edges);
  return { name, plan: tree, predicted: cycles };
};
