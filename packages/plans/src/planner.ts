/** Planners are values: Convolution Slicing Analysis is one, a search or a person's file may be others. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { Contraction } from './contraction.ts';
import type { AnyPlan } from './plan.ts';

/** The result of a planner: a plan, and what else the planner knows about it. */
export interface Planned {
  readonly tree: AnyPlan;
}

/**
 * Plans a contraction for a target. Fails, at an unknown location, for what it cannot plan; says what users should know
 * about the plan by warnings.
 */
export type Planner<Target, Result extends Planned = Planned> = (
  problem: Contraction,
  target: Target,
) => Diagnosed<Result>;
