export type {
  Contraction,
  ContractionDimension,
  ContractionEpilogue,
  ContractionOperand,
} from './contraction.ts';
export type { Planned, Planner } from './planner.ts';
export { PlanError } from './errors.ts';
export { foldPlan, planExtents, planPaths, samePlan } from './plan.ts';
export type {
  ConvolutionDimension,
  Extents,
  KernelNode,
  LoopNode,
  PackedOperand,
  PackNode,
  PartStep,
  Plan,
  PlanFold,
  PlanPath,
  ScalarNode,
  SplitNode,
} from './plan.ts';
export { planProblems, tileDimension } from './check-plan.ts';
export type { PlanLimits, PlanProblem } from './check-plan.ts';
export { printPlan } from './print-plan.ts';
