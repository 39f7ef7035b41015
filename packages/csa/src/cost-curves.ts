/** Predicted cost over each parameter: the alternatives to the chosen tiling. */

import { constraints } from './constraints.ts';
import { costModels } from './cost-models.ts';
import { candidateSizes } from './heuristics.ts';
import { largestTiling } from './largest-tiling.ts';
import type { ConvolutionPlan } from './plan.ts';
import { checkPlanRecord } from './plan-input.ts';
import { hierarchy, roles, slice, type Dataflow, type MachineCaches } from './tiling.ts';

export interface CurvePoint {
  readonly value: number;
  readonly cycles: number;
}

export interface CostCurve {
  readonly schedule: Dataflow;
  /** Ascending by value; only tilings that satisfy the constraints. */
  readonly points: readonly CurvePoint[];
  /** The parameter's value in this schedule's candidate. */
  readonly chosen: number;
}

/** Predicted costs over each size, of both schedules. */
export type CostCurves = Readonly<Record<'nc' | 'k2' | 'k3', readonly [CostCurve, CostCurve]>>;

/** Evenly cutting values per curve, besides those of halving. */
const curveValues = 24;

/**
 * Cycles of both schedules over Nc, K2 and K3. Parameters chosen before the varied one keep the candidate's value;
 * later ones are searched for again, as in the analysis.
 */
export const costCurves = (plan: ConvolutionPlan, machine: MachineCaches): CostCurves => {
  checkPlanRecord(plan);
  const sliced = slice(plan.shape, plan.microkernel);
  const caches = hierarchy(machine, plan.fractions);
  const heuristic = plan.heuristic === 'exhaustive' ? 'binary-search' : plan.heuristic;
  const curve = (schedule: Dataflow, parameter: 'nc' | 'k2' | 'k3'): CostCurve => {
    const { nc, k2, [parameter]: chosen } = plan.candidates[schedule];
    const { stationary, moving } = roles(sliced, schedule, nc);
    const largest = { nc: sliced.channels, k2: moving.tiles, k3: stationary.tiles }[parameter];
    const before = { nc: {}, k2: { nc }, k3: { nc, k2 } }[parameter];
    const points = [...new Set([...candidateSizes(largest, curveValues), chosen])]
      .sort((a, b) => a - b)
      .flatMap((value) => {
        const tiling = largestTiling(sliced, schedule, caches, heuristic, { ...before, [parameter]: value });
        if (!constraints(sliced, tiling, caches).every(({ holds }) => holds)) return [];
        return [{ value, cycles: costModels[plan.costModel](sliced, tiling, caches, plan.edgeKind).cycles }];
      });
    return { schedule, points, chosen };
  };
  return {
    nc: [curve('is', 'nc'), curve('ws', 'nc')],
    k2: [curve('is', 'k2'), curve('ws', 'k2')],
    k3: [curve('is', 'k3'), curve('ws', 'k3')],
  };
};
