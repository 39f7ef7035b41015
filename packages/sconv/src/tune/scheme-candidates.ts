/** Candidates from the space of optimization schemes (TT §5.3), with the text of a scheme as their name. */
import { randomIntegers } from '@sconv/interpreter';
import type { Contraction } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import { lanesOf, planOfScheme, printScheme, schemeProblems } from '@sconv/schemes';
import type { SchemeSpace } from '@sconv/spaces';
import { schemeSpace, SpaceError } from '@sconv/spaces';
import type { KernelFamily, Target } from '@sconv/targets';
import type { Candidate, Propose } from '@sconv/tuning';

/** Draws without a new plan before the space counts as exhausted. */
const patience = 200;

/**
 * Proposes schemes of a contraction, drawn uniformly; none where no microkernel of the target's registers covers it
 * without partial tiles. Deterministic for a seed.
 */
export const schemeCandidates = (problem: Contraction, machine: Target['machine'], seed: number): Propose => {
  const lanes = lanesOf({ machine }, problem);
  const space = lanes === undefined ? undefined : spaceOf(problem, familyFor(machine, lanes));
  if (lanes === undefined || space === undefined || space.count === 0n) return () => [];
  const next = randomIntegers(seed);
  const random = (): number => next() / 2 ** 32;
  const seen = new Set<string>();
  return (_, count) => {
    const found: Candidate[] = [];
    for (let idle = 0; found.length < count && idle < patience; idle += 1) {
      const [scheme] = space.sample(random, 1);
      const name = printScheme(scheme!);
      if (seen.has(name)) continue;
      seen.add(name);
      if (schemeProblems(scheme!, problem, { lanes }).length > 0) continue;
      const plan = planOfScheme(scheme!, problem).tree;
      if (planProblems(plan, { contraction: problem }).length > 0) continue;
      found.push({ name, plan });
      idle = 0;
    }
    return found;
  };
};

/** Undefined for a contraction of which there are no schemes. */
const spaceOf = (problem: Contraction, family: KernelFamily): SchemeSpace | undefined => {
  try {
    return schemeSpace(problem, family);
  } catch (thrown) {
    if (thrown instanceof SpaceError) return undefined;
    throw thrown;
  }
};

/** The kernels whose sums, with a vector of each operand, fit the registers, plain or with a row of taps unrolled. */
const familyFor = ({ vector }: Target['machine'], lanes: number): KernelFamily => {
  const registers = vector?.registers ?? 16;
  const heightsOf = (vectors: number): readonly number[] =>
    Array.from({ length: registers }, (_, i) => i + 1).filter(
      (height) => height > 1 && vectors * height + vectors + 1 <= registers,
    );
  const classes = [1, 3].flatMap((tapColumns) =>
    [1, 2, 3].map((vectors) => ({
      unroll: { channels: 1, tapRows: 1, tapColumns },
      vectors,
      heights: heightsOf(vectors),
    })),
  );
  return { lanes, classes: classes.filter(({ heights }) => heights.length > 0), source: 'registers' };
};
