/** Reads and verifies the plan that a convolution carries. */
import type { ConvolutionShape, SlicingPlan } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import { planAttributeName } from '@sconv/dialects';
import type { Operation } from '@sconv/ir';
import type { Plan, Planned } from '@sconv/plans';
import { planExtents } from '@sconv/plans';
import { checkExtents, extentsFailure } from './assert-extents.ts';
import { planAttributeFailures, planOfAttribute } from './plan-attribute.ts';
import { convolutionShape } from './plan-operation.ts';

/** A plan for a convolution, or for one of its groups, and what its planner has told about it. */
export interface PlannedShape extends Planned, Partial<Omit<SlicingPlan, 'tree' | 'shape'>> {
  readonly shape: ConvolutionShape;
}

/** The failures of `storedPlan`. */
export const planFailures = { ...planAttributeFailures, ...extentsFailure } as const;

/**
 * The plan in `sconv.plan`; undefined if a convolution carries none. A step that has changed the convolution since has
 * made it a plan for something else: `sconv/plan-shape`.
 */
export const storedPlan = (operation: Operation): Diagnosed<PlannedShape | undefined> => {
  const attribute = operation.attributes[planAttributeName];
  if (attribute === undefined) return success(undefined);
  return andThen(convolutionShape(operation), (own) =>
    andThen(planOfAttribute(attribute, operation.location), (tree) =>
      mapSuccess(checkExtents(operation, planExtents(tree), own), () => ({
        tree: ofOneGroup(tree),
        shape: own.shape,
      })),
    ),
  );
};

/** The plan of each group, where the plan begins with the loop over all of them. */
const ofOneGroup = (tree: Plan): Plan =>
  tree.kind === 'loop' && tree.dimension === 'group' ? tree.body : tree;
