/** Candidates from the space of optimization schemes (TT §5.3), with the text of a scheme as their name. */
import { randomIntegers } from '@sconv/interpreter';
import type { Contraction } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import { lanesOf, planOfScheme, printScheme, schemeProblems } from '@sconv/schemes';
import type { RankedScheme } from '@sconv/spaces';
import { rankSchemes, schemeSpace, SpaceError } from '@sconv/spaces';
import type { KernelFamily, Target } from '@sconv/targets';
import { kernelFamily } from '@sconv/targets';
import type { Candidate, Propose } from '@sconv/tuning';

/** How schemes are chosen: by TT's rule (§5.4), by what they move, or any of them. */
export type SchemeStrategy = 'paper' | 'volume' | 'schemes';

/** How many schemes are chosen from, and how many of these are candidates; of random ones, as many as are drawn. */
const looked = 1000;
const chosen = 400;
const drawn = 2000;

/**
 * Proposes schemes of a contraction, best first; none where no microkernel of the target's family covers it without
 * partial tiles, nor for a contraction that is no convolution. Deterministic for a seed.
 */
export const schemeCandidates = (
  problem: Contraction,
  target: Target,
  strategy: SchemeStrategy,
  seed: number,
): Propose => {
  const lanes = lanesOf(target, problem);
  const family = kernelFamily(target);
  if (lanes === undefined || family?.lanes !== lanes) return () => [];
  let waiting: Iterator<RankedScheme> | undefined;
  return (_, count) => {
    waiting ??= ranked(problem, target.machine, family, strategy, seed).values();
    const found: Candidate[] = [];
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const { scheme, cycles } = next.value;
      if (schemeProblems(scheme, problem, { lanes }).length > 0) continue;
      const plan = planOfScheme(scheme, problem).tree;
      if (planProblems(plan, { contraction: problem }).length > 0) continue;
      found.push({ name: printScheme(scheme), plan, predicted: cycles });
      if (found.length === count) break;
    }
    return found;
  };
};

/** None for a contraction of which there are no schemes. */
const ranked = (
  problem: Contraction,
  machine: Target['machine'],
  family: KernelFamily,
  strategy: SchemeStrategy,
  seed: number,
): readonly RankedScheme[] => {
  const next = randomIntegers(seed);
  const random = (): number => next() / 2 ** 32;
  try {
    const space = schemeSpace(problem, family);
    if (space.count === 0n) return [];
    const name = strategy === 'schemes' ? 'random' : strategy;
    return rankSchemes(space, machine, {
      strategy: name,
      random,
      ...(name === 'random' ? { count: drawn } : { count: chosen, looked }),
    });
  } catch (thrown) {
    if (thrown instanceof SpaceError) return [];
    throw thrown;
  }
};
