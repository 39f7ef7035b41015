/** The function form of `transform.structured.sconv`, which takes plans of any form, too. */
import type { Plan, SlicingPlan } from '@sconv/csa';
import {
  edgeKinds,
  planExtents,
  planOfExtents,
  planPaths,
  planProblems,
  printPlan,
  slicingNest,
} from '@sconv/csa';
import { DiagnosticError, error } from '@sconv/diagnostics';
import type { Handle } from '@sconv/transform';
import { callSite } from '@sconv/transform';
import { notGenerated } from './generated-nest.ts';
import type { SconvAttributes } from './sconv-op.ts';
import { attributesOfPlan, sconvOp } from './sconv-op.ts';
import type { convolutionName, SlicedHandles } from './sconv-schedule.ts';
import { recordPlan } from './sconv-schedule.ts';

/** This file, whose calls record ops for those who call it. */
const here = callSite();

/** What `sconv` is to do: what attributes say, or a plan. */
export type SconvOptions =
  | (SconvAttributes & { readonly plan?: undefined })
  | {
      /** What CSA or somebody else has planned, for convolutions of just this shape. */
      readonly plan: Plan | SlicingPlan;
    };

/**
 * Records the slicing of convolutions. A plan that attributes can say becomes a `transform.structured.sconv` with these,
 * any other one the steps that generate it.
 *
 * Throws `DiagnosticError`: `sconv/plan` for a plan that is none, with the path of what is wrong, and
 * `sconv/plan-not-generated` for what there are no transforms for yet.
 */
export const sconv = (
  operands: { readonly target: Handle<typeof convolutionName> },
  options: SconvOptions = {},
): SlicedHandles => {
  const { plan } = options;
  const location = callSite(here);
  if (plan === undefined) return sconvOp(operands, options, { location });
  if ('tree' in plan) return sconvOp(operands, attributesOfPlan(plan), { location });
  checkPlan(plan);
  const attributes = attributesSaying(plan);
  return attributes === undefined
    ? recordPlan(operands.target, plan)
    : sconvOp(operands, attributes, { location });
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

/** Elements that planning with microkernels takes vectors of: those that there are microkernels for. */
const elementBytes = 4;

/** The attributes that stand for a plan; undefined where none do. */
const attributesSaying = (plan: Plan): SconvAttributes | undefined => {
  const nests = planPaths(plan).flatMap((path) => slicingNest(path) ?? []);
  const [first] = nests;
  if (first === undefined) return undefined;
  // A part that is smaller than a block has smaller sizes.
  const most = (size: 'nc' | 'k2' | 'k3') => Math.max(...nests.map((nest) => nest[size]));
  const { schedule, microkernel } = first;
  const tiling = { schedule, nc: most('nc'), k2: most('k2'), k3: most('k3') };
  const space = { extents: planExtents(plan), microkernel, elementBytes };
  const text = printPlan(plan);
  const edgeKind = edgeKinds.find((edges) => printPlan(planOfExtents(space, tiling, edges)) === text);
  return edgeKind === undefined ? undefined : attributesOfPlan({ ...tiling, microkernel, edgeKind });
};
