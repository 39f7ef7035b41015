/** The function form of `transform.structured.sconv`, which also accepts plans of any form. */
import type { Plan, SlicingPlan } from '@sconv/csa';
import {
  edgeKinds,
  convolution,
  planExtents,
  planPaths,
  planProblems,
  planWithTiling,
  samePlan,
  slicingNest,
} from '@sconv/csa';
import { DiagnosticError, error, expectObject } from '@sconv/diagnostics';
import type { Handle } from '@sconv/transform';
import { callSite } from '@sconv/transform';
import { notGenerated } from './generated-nest.ts';
import { isCsaError } from './plan-operation.ts';
import type { SconvAttributes } from './sconv-op.ts';
import { attributesOfPlan, structuredSconv } from './sconv-op.ts';
import type { ConvolutionName, convolutionName } from './plan-operation.ts';
import type { SlicedHandles } from './sconv-schedule.ts';
import { assertPlanned, recordPlan } from './sconv-schedule.ts';

/** This file: recorded call sites skip it. */
const here = callSite();

/** How to slice: by attributes, or by a plan, of which only the tree counts. */
export type SconvOptions =
  | (SconvAttributes & { readonly plan?: undefined })
  | {
      /** A plan made by CSA or by other means, for convolutions of exactly these extents. */
      readonly plan: Plan | SlicingPlan;
    };

/**
 * Records the slicing of convolutions; for grouped ones a plan covers one group. A plan that attributes can express
 * becomes a `transform.structured.sconv`, any other the steps that generate it for a `linalg.conv_2d_nchw_fchw`. At
 * run time, a convolution with other extents than the plan's is the definite failure `sconv/plan-shape`.
 *
 * Throws `DiagnosticError`: `sconv/plan` for an inconsistent plan, with the path of the problem, and
 * `sconv/plan-not-generated` for parts that no transforms exist for yet.
 */
export const sconv = (
  operands: { readonly target: Handle<ConvolutionName> },
  options: SconvOptions = {},
): SlicedHandles => {
  expectObject('options', options);
  const { plan } = options;
  if (plan === undefined) return structuredSconv(operands, options, { helper: here });
  const isSlicing = 'tree' in plan;
  const tree = isSlicing ? plan.tree : plan;
  checkPlan(tree);
  const tiling = [...(isSlicing ? [plan] : []), ...tilingsOf(tree)].find((each) => isPlanOf(each, tree));
  return tiling === undefined
    ? recordPlan(operands.target as Handle<typeof convolutionName>, tree)
    : recordTiling(operands.target, { ...tiling, tree });
};

/** `sconv` with a plan from the analysis, unchecked: its attributes are equivalent to its tree. */
export const recordTiling = (
  target: Handle<ConvolutionName>,
  plan: PlannedTiling & Pick<SlicingPlan, 'tree'>,
  pairs = false,
): SlicedHandles => {
  assertPlanned(target, plan.tree, { helper: here });
  return structuredSconv(
    { target },
    { ...attributesOfPlan(plan), ...(pairs ? { pairs } : {}) },
    { helper: here },
  );
};

/** Rejects an inconsistent plan, and one that no transforms exist for. */
const checkPlan = (plan: Plan): void => {
  const fail = (code: 'sconv/plan' | 'sconv/plan-not-generated', path: string, message: string) =>
    new DiagnosticError([error(code, `${path}: ${message}`, callSite(here))]);
  const [problem] = planProblems(plan);
  if (problem !== undefined) throw fail('sconv/plan', problem.path, problem.message);
  const unsupported = notGenerated(plan);
  if (unsupported !== undefined)
    throw fail('sconv/plan-not-generated', unsupported.path, unsupported.message);
};

/** The input of a plan's attributes. */
type PlannedTiling = Parameters<typeof attributesOfPlan>[0];

/** Candidate tilings of a plan with microkernels, one per kind of edges. */
const tilingsOf = (plan: Plan): readonly PlannedTiling[] => {
  const nests = planPaths(plan).flatMap((path) => slicingNest(path) ?? []);
  const [first] = nests;
  if (first === undefined) return [];
  // Parts smaller than a block have smaller sizes.
  const most = (size: 'nc' | 'k2' | 'k3') => Math.max(...nests.map((nest) => nest[size]));
  const { schedule, microkernel } = first;
  const sizes = { nc: most('nc'), k2: most('k2'), k3: most('k3') };
  return edgeKinds.map((edgeKind) => ({ schedule, ...sizes, microkernel, edgeKind }));
};

/** Whether the attributes of a tiling reproduce exactly this plan. */
const isPlanOf = ({ microkernel, edgeKind, ...tiling }: PlannedTiling, plan: Plan): boolean => {
  const { batch, channels: inputChannels, windows: inputWidth, filters } = planExtents(plan);
  try {
    // With a one-element filter there are as many windows as input columns.
    const one = { inputHeight: 1, filterHeight: 1, filterWidth: 1 };
    const shape = convolution({ batch, inputChannels, inputWidth, filters, ...one });
    return samePlan(planWithTiling(shape, microkernel, tiling, edgeKind).tree, plan);
  } catch (problem) {
    // Hand-edited numbers may not form a tiling.
    if (isCsaError(problem)) return false;
    throw problem;
  }
};
