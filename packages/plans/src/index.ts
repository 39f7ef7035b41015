export { chooseLayouts } from './choose-layouts.ts';
export type { LayoutChoice, LayoutEdge, LayoutGraph, LayoutLimits } from './choose-layouts.ts';
export type {
  Contraction,
  ContractionDimension,
  ContractionEpilogue,
  ContractionOperand,
} from './contraction.ts';
export { elementStep } from './element-step.ts';
export type { Planned, Planner } from './planner.ts';
export { PlanError } from './errors.ts';
export { foldPlan, isOpenPlan, planExtents, planPaths, samePlan } from './plan.ts';
export type {
  AnyPlan,
  ConvolutionDimension,
  Extents,
  KernelNode,
  LoopNode,
  OpenDimension,
  OpenPlan,
  PackedOperand,
  PackNode,
  PartStep,
  Plan,
  PlanFold,
  PlanPath,
  RegisterPart,
  ScalarNode,
  SplitNode,
} from './plan.ts';
export { hasEvenWindows } from './check-leaf.ts';
export { planProblems } from './check-plan.ts';
export { extentsIn, fused, open, tileDimension } from './families.ts';
export type { Family } from './families.ts';
export type { PlanLimits, PlanProblem } from './check-plan.ts';
export { printPlan } from './print-plan.ts';
