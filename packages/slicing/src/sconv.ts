/** The function form of `transform.structured.sconv`, which also accepts plans. */
import type { SlicingPlan } from '@sconv/csa';
import { DiagnosticError, error, expectObject } from '@sconv/diagnostics';
import { planAttributeName } from '@sconv/dialects';
import type { AnyPlan } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import type { Handle } from '@sconv/transform';
import { annotate, callSite } from '@sconv/transform';
import { planAttribute } from './plan-attribute.ts';
import type { ConvolutionName } from './plan-operation.ts';
import type { SconvAttributes } from './sconv-op.ts';
import { attributesOfPlan, structuredSconv } from './sconv-op.ts';
import type { SlicedHandles } from './sconv-schedule.ts';
import { assertPlanned } from './sconv-schedule.ts';

/** This file: recorded call sites skip it. */
const here = callSite();

/** How to slice: by attributes, or by a plan, of which only the tree counts. */
export type SconvOptions =
  | (SconvAttributes & { readonly plan?: undefined })
  | ({
      /** A plan made by CSA or by other means, for convolutions of exactly these extents. */
      readonly plan: AnyPlan | SlicingPlan;
    } & Pick<SconvAttributes, 'panels' | 'pairs'>);

/**
 * Records the slicing of convolutions. A plan is put on them as the attribute `sconv.plan`, which
 * `transform.structured.sconv` reads; for grouped convolutions it covers one group, or all of them in its outermost
 * loop. At run time, a convolution with other extents than the plan's is the failure `sconv/plan-shape`.
 *
 * Throws `DiagnosticError` (`sconv/plan`) for an inconsistent plan, with the path of the problem.
 */
export const sconv = (
  operands: { readonly target: Handle<ConvolutionName> },
  options: SconvOptions = {},
): SlicedHandles => {
  expectObject('options', options);
  const { plan, ...attributes } = options;
  if (plan === undefined) return structuredSconv(operands, attributes, { helper: here });
  const tree = isPlanned(plan) ? plan.tree : plan;
  const [problem] = planProblems(tree);
  if (problem !== undefined) {
    const message = `${problem.path}: ${problem.message}`;
    throw new DiagnosticError([error('sconv/plan', message, callSite(here))]);
  }
  return recordChecked(operands.target, tree, attributes);
};

/** Whether it is a plan with what its planner knows; what is no object is no plan, which the check of the tree says. */
const isPlanned = (plan: AnyPlan | SlicingPlan): plan is SlicingPlan =>
  typeof plan === 'object' && (plan as unknown) !== null && 'tree' in plan;

/** Records a plan of the analysis by its sizes, as people write them, for convolutions of exactly its extents. */
export const recordTiling = (
  target: Handle<ConvolutionName>,
  plan: SlicingPlan,
  attributes: Pick<SconvAttributes, 'panels' | 'pairs'> = {},
): SlicedHandles => {
  assertPlanned(target, plan.tree, { helper: here });
  return structuredSconv({ target }, { ...attributesOfPlan(plan), ...attributes }, { helper: here });
};

/** `sconv` with a plan that is consistent. */
export const recordChecked = (
  target: Handle<ConvolutionName>,
  tree: AnyPlan,
  attributes: Pick<SconvAttributes, 'panels' | 'pairs'> = {},
): SlicedHandles => {
  const { recorder } = target;
  recorder.at(callSite(here), () => {
    annotate({ target, param: recorder.param(planAttribute(tree)) }, { name: planAttributeName });
  });
  return structuredSconv({ target }, attributes, { helper: here });
};
