export { schemeProblems } from './check-scheme.ts';
export type { SchemeLimits, SchemeProblem } from './check-scheme.ts';
export { checkedScheme } from './checked-scheme.ts';
export { kernelCode } from './kernel-code.ts';
export type { KernelCode } from './kernel-code.ts';
export { letterOf } from './dimensions.ts';
export { lambdaToSequence } from './lambda-to-sequence.ts';
export { schemeExtents } from './scheme-extents.ts';
export { planOfScheme } from './plan-of-scheme.ts';
export type { PlannedScheme } from './plan-of-scheme.ts';
export { lanesOf, schemePlanner } from './planner.ts';
export type { VectorMachine } from './planner.ts';
export { schemeOfPlan } from './scheme-of-plan.ts';
export type { SchemeForm } from './scheme-of-plan.ts';
export { printAuthorScheme } from './author-notation.ts';
export { parseScheme } from './parse-scheme.ts';
export type { ParseOptions } from './parse-scheme.ts';
export { printScheme } from './print-scheme.ts';
export type {
  LambdaSpecifier,
  PackedSpecifier,
  Remaining,
  Scheme,
  SequenceSpecifier,
  Specifier,
  Tiled,
  Vectorized,
} from './scheme.ts';
