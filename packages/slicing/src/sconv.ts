/** The function form of `transform.structured.sconv`, which takes plans of any form, too. */
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
import { DiagnosticError, error } from '@sconv/diagnostics';
import type { Handle } from '@sconv/transform';
import { callSite } from '@sconv/transform';
import { notGenerated } from './generated-nest.ts';
import { isCsaError } from './plan-operation.ts';
import type { SconvAttributes } from './sconv-op.ts';
import { attributesOfPlan, sconvOp } from './sconv-op.ts';
import type { ConvolutionName, convolutionName } from './plan-operation.ts';
import type { SlicedHandles } from './sconv-schedule.ts';
import { assertPlanned, recordPlan } from './sconv-schedule.ts';

/** This file, whose calls record ops for those who call it. */
const here = callSite();

/** What `sconv` is to do: what attributes say, or a plan, whose tree counts. */
export type SconvOptions =
  | (SconvAttributes & { readonly plan?: undefined })
  | {
      /** What CSA or somebody else has planned, for convolutions of just these extents. */
      readonly plan: Plan | SlicingPlan;
    };

/**
 * Records the slicing of convolutions; of grouped ones a plan is for one group. A plan that attributes can say becomes a `transform.structured.sconv` with these,
 * any other one the steps that generate it for a `linalg.conv_2d_nchw_fchw`. Running it ends in the definite failure `sconv/plan-shape` at a convolution of
 * other extents than the plan's.
 *
 * Throws `DiagnosticError`: `sconv/plan` for a plan that is none, with the path of what is wrong, and
 * `sconv/plan-not-generated` for what there are no transforms for yet.
 */
export const sconv = (
  operands: { readonly target: Handle<ConvolutionName> },
  options: SconvOptions = {},
): SlicedHandles => {
  const { plan } = options;
  if (plan === undefined) return sconvOp(operands, options, { helper: here });
  const isSlicing = 'tree' in plan;
  const tree = isSlicing ? plan.tree : plan;
  checkPlan(tree);
  const tiling = [...(isSlicing ? [plan] : []), ...tilingsOf(tree)].find((each) => isPlanOf(each, tree));
  return tiling === undefined
    ? recordPlan(operands.target as Handle<typeof convolutionName>, tree)
    : recordTiling(operands.target, { ...tiling, tree });
};

/** `sconv` with a plan as the analysis made it, of which nothing is checked: its attributes say the same as its tree. */
export const recordTiling = (
  target: Handle<ConvolutionName>,
  plan: PlannedTiling & Pick<SlicingPlan, 'tree'>,
): SlicedHandles => {
  assertPlanned(target, plan.tree, { helper: here });
  return sconvOp({ target }, attributesOfPlan(plan), { helper: here });
};

/** Refuses a plan that does not add up, and one that there are no transforms for. */
const checkPlan = (plan: Plan): void => {
  const fail = (code: 'sconv/plan' | 'sconv/plan-not-generated', path: string, message: string) =>
    new DiagnosticError([error(code, `${path}: ${message}`, callSite(here))]);
  const [problem] = planProblems(plan);
  if (problem !== undefined) throw fail('sconv/plan', problem.path, problem.message);
  const unsupported = notGenerated(plan);
  if (unsupported !== undefined)
    throw fail('sconv/plan-not-generated', unsupported.path, unsupported.message);
};

/** What the attributes of a plan are made of. */
type PlannedTiling = Parameters<typeof attributesOfPlan>[0];

/** The tilings that a plan with microkernels may be of, one for each kind of edges. */
const tilingsOf = (plan: Plan): readonly PlannedTiling[] => {
  const nests = planPaths(plan).flatMap((path) => slicingNest(path) ?? []);
  const [first] = nests;
  if (first === undefined) return [];
  // A part that is smaller than a block has smaller sizes.
  const most = (size: 'nc' | 'k2' | 'k3') => Math.max(...nests.map((nest) => nest[size]));
  const { schedule, microkernel } = first;
  const sizes = { nc: most('nc'), k2: most('k2'), k3: most('k3') };
  return edgeKinds.map((edgeKind) => ({ schedule, ...sizes, microkernel, edgeKind }));
};

/** Whether the attributes of a tiling stand for this plan, and no other. */
const isPlanOf = ({ microkernel, edgeKind, ...tiling }: PlannedTiling, plan: Plan): boolean => {
  const { batch, channels: inputChannels, windows: inputWidth, filters } = planExtents(plan);
  try {
    // A filter of one element has as many windows as the input has columns.
    const one = { inputHeight: 1, filterHeight: 1, filterWidth: 1 };
    const shape = convolution({ batch, inputChannels, inputWidth, filters, ...one });
    return samePlan(planWithTiling(shape, microkernel, tiling, edgeKind).tree, plan);
  } catch (problem) {
    // Numbers that a person has changed may be no tiling at all.
    if (isCsaError(problem)) return false;
    throw problem;
  }
};
