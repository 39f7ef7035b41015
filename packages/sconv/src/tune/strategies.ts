/** The strategies of a search. */
import type { KernelChoice } from '@sconv/csa';
import type { Contraction } from '@sconv/plans';
import type { Target } from '@sconv/targets';
import type { Propose } from '@sconv/tuning';
import { schemeCandidates } from './scheme-candidates.ts';
import { tilingCandidates } from './tiling-candidates.ts';

/** How candidates are found. */
export const strategyNames = ['evolve', 'model', 'random', 'schemes'] as const;
export type Strategy = (typeof strategyNames)[number];

/**
 * What proposes candidates for a contraction: `schemes` draws from the space of optimization schemes (TT §5.3), the
 * others choose tilings of Convolution Slicing Analysis (`tilingCandidates`).
 */
export const candidatesBy = (
  strategy: Strategy,
  problem: Contraction,
  kernels: KernelChoice,
  { machine }: Target,
  seed: number,
): Propose =>
  strategy === 'schemes'
    ? schemeCandidates(problem, machine, seed)
    : tilingCandidates(problem, kernels, strategy, seed);
