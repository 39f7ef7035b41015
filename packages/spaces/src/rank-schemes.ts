/** The schemes of a space that are worth measuring (TT §5.4). */
import type { MachineCaches } from '@sconv/csa';
import type { Scheme } from '@sconv/schemes';
import { expectExtent, expectRecord, SpaceError } from './errors.ts';
import { schemeMetric, type SchemeMetric } from './scheme-metric.ts';
import { uniformBelow } from './uniform.ts';
import type { SchemeSpace } from './scheme-space.ts';

/** A scheme, its number, and its figures. */
export interface RankedScheme extends SchemeMetric {
  readonly index: bigint;
  readonly scheme: Scheme;
}

/** Which of the looked-at schemes come first. */
export type Strategy = (looked: readonly RankedScheme[]) => readonly RankedScheme[];

const byCycles: Strategy = (looked) =>
  looked.toSorted((a, b) => a.cycles - b.cycles || (a.index < b.index ? -1 : 1));

/** The least share of the largest reduction that a call of a microkernel is worth it for. */
const floorOfReduction = 0.1;

/**
 * - `paper`: the 40 % with the largest reductions, by what they move (TT §5.4);
 * - `volume`: those whose reductions are no small part of the largest, by what they move;
 * - `random`: as they are drawn.
 */
export const strategies = {
  paper: (looked) => {
    const byReduction = looked.toSorted((a, b) => b.reduction - a.reduction || (a.index < b.index ? -1 : 1));
    return byCycles(byReduction.slice(0, Math.ceil(0.4 * looked.length)));
  },
  volume: (looked) => {
    const largest = looked.reduce((most, { reduction }) => Math.max(most, reduction), 0);
    return byCycles(looked.filter(({ reduction }) => reduction >= floorOfReduction * largest));
  },
  random: (looked) => looked,
} as const satisfies Readonly<Record<string, Strategy>>;

/** The name of a strategy. */
export type StrategyName = keyof typeof strategies;

/** The names of all strategies. */
export const strategyNames: readonly StrategyName[] = ['paper', 'volume', 'random'];

/** How schemes are chosen. */
export interface RankOptions {
  /** Default: `volume`. */
  readonly strategy?: StrategyName;
  /** How many are wanted at most; default: 200. */
  readonly count?: number;
  /** How many are looked at, at most; of a larger space, so many that are drawn uniformly. Default: 2,000. */
  readonly looked?: number;
  /** Numbers in `[0, 1)`, from a seed where results are to be the same again; default: `Math.random`. */
  readonly random?: () => number;
}

/** More are not looked at: their figures are kept until all are known. */
const mostLooked = 1_000_000;

/**
 * The first schemes of a space by a strategy. All of a small space are looked at, each once, and the same number of a
 * large one; memory grows with that number alone. Throws a `SpaceError` for impossible options, and for a contraction
 * that is no convolution.
 */
export const rankSchemes = (
  space: SchemeSpace,
  machine: MachineCaches,
  options: RankOptions = {},
): readonly RankedScheme[] => {
  expectRecord('options', options);
  const { strategy = 'volume', count = 200, random = Math.random } = options;
  const { looked = strategy === 'random' ? count : 2000 } = options;
  expectExtent('count', count, mostLooked);
  expectExtent('looked', looked, mostLooked);
  if (!strategyNames.includes(strategy)) {
    const message = `expected ${strategyNames.join(' or ')}, not ${JSON.stringify(strategy)}`;
    throw new SpaceError('spaces/strategy', 'strategy', message);
  }
  const metric = schemeMetric(space.contraction, machine);
  const ranked = indicesOf(space.count, looked, strategy === 'random', random).map((index): RankedScheme => {
    const scheme = space.at(index);
    return { index, scheme, ...metric(scheme) };
  });
  return strategies[strategy](ranked).slice(0, count);
};

/** So many numbers below `count`, each once: all, if there are no more, by size unless they are to be drawn. */
const indicesOf = (
  count: bigint,
  many: number,
  isDrawn: boolean,
  random: () => number,
): readonly bigint[] => {
  if (count <= BigInt(many)) {
    const all = Array.from({ length: Number(count) }, (_, i) => BigInt(i));
    return isDrawn ? shuffled(all, random) : all;
  }
  const drawn = new Set<bigint>();
  while (drawn.size < many) drawn.add(uniformBelow(count, random));
  return [...drawn];
};

const shuffled = (values: readonly bigint[], random: () => number): readonly bigint[] => {
  const mixed = [...values];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const other = Math.floor(random() * (i + 1));
    [mixed[i], mixed[other]] = [mixed[other]!, mixed[i]!];
  }
  return mixed;
};
