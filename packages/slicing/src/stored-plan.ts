/** Reads and verifies the plan that a convolution carries. */
import type { ConvolutionShape, SlicingPlan } from '@sconv/csa';
import { contractionOf } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, silenceable, success } from '@sconv/diagnostics';
import { planAttributeName } from '@sconv/dialects';
import type { Operation } from '@sconv/ir';
import { isProductForm } from '@sconv/normalization';
import type { AnyPlan, Contraction, Planned } from '@sconv/plans';
import { isOpenPlan, planExtents, planProblems } from '@sconv/plans';
import { checkExtents, extentsFailure } from './assert-extents.ts';
import { planAttributeFailures, planOfAttribute } from './plan-attribute.ts';
import { convolutionShape, slicedGeometry } from './plan-operation.ts';

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
      andThen(checkExtents(operation, planExtents<string>(tree), own), () => {
        const plan = ofOneGroup(tree);
        const problem = planProblemIn(operation, plan, own.shape);
        if (problem !== undefined) return silenceable(error('sconv/plan', problem, operation.location));
        return success({ tree: plan, shape: own.shape });
      }),
    ),
  );
};

/** The plan of each group, where the plan begins with the loop over all of them. */
const ofOneGroup = (tree: AnyPlan): AnyPlan =>
  tree.kind === 'loop' && tree.dimension === 'group' ? tree.body : tree;

/**
 * The contraction of a part of one group of a convolution, of this shape, whose operands lie as those of `operation`.
 */
export const contractionIn = (operation: Operation, shape: ConvolutionShape): Contraction => {
  const { form, geometry } = slicedGeometry(operation)!;
  // Rows and columns that no window reaches are there all the same.
  const { inputHeight, inputWidth } = geometry;
  return contractionOf({ ...shape, inputHeight, inputWidth, padding: noPadding }, form);
};

const noPadding = { top: 0, bottom: 0, left: 0, right: 0 };

/** Why there is no code for a plan of this part; undefined if there is. */
export const planProblemIn = (
  operation: Operation,
  tree: AnyPlan,
  shape: ConvolutionShape,
): string | undefined => {
  const [problem] = planProblems(tree, { contraction: contractionIn(operation, shape) });
  if (problem !== undefined) return `${problem.path}: ${problem.message}`;
  return isOpenPlan(tree) && isProductForm(slicedGeometry(operation)!.form)
    ? 'plan: a matrix product has windows, no rows and columns'
    : undefined;
};
