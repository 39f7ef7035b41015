/** The strategies of a search. */
import type { KernelChoice } from '@sconv/csa';
import type { Contraction } from '@sconv/plans';
import type { Target } from '@sconv/targets';
import type { Propose } from '@sconv/tuning';
import { schemeCandidates } from './scheme-candidates.ts';
import { tilingCandidates } from './tiling-candidates.ts';

/** How candidates are found. */
export const strategyNames = ['evolve', 'model', 'random', 'volume', 'paper', 'schemes'] as const;
export type Strategy = (typeof strategyNames)[number];

/**
 * What proposes candidates for a contraction: `volume`, `paper` and `schemes` choose optimization schemes (TT §5.3),
 * the others tilings of Convolution Slicing Analysis.
 */
export const candidatesBy = (
  strategy: Strategy,
  problem: Contraction,
  kernels: KernelChoice,
  target: Target,
  seed: number,
): Propose =>
  strategy === 'evolve' || strategy === 'model' || strategy === 'random'
    ? tilingCandidates(problem, kernels, strategy, seed)
    : schemeCandidates(problem, target, strategy, seed);
