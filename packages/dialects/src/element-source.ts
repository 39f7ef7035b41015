/**
 * Loads in the body of a structured op: tiling leaves the input of a convolution in this form, and packing and
 * delinearization start from it.
 */
import type { AffineExpr } from '@sconv/affine';
import { dim, substitute } from '@sconv/affine';
import type { DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { composeValue } from './composed-apply.ts';
import { generic, indexOp } from './linalg-generic.ts';
import { extract } from './tensor.ts';

/** Where the elements of an operand come from. */
export interface ElementSource {
  readonly tensor: Value;
  /**
   * The index of an element in each dimension of `tensor`, as an expression over the op's iteration dimensions,
   * followed by `outer`.
   */
  readonly indices: readonly AffineExpr[];
  /** Values defined outside the op: offsets and induction variables. */
  readonly outer: readonly Value[];
}

/** The element that a `tensor.extract` in the body of `operation` reads. */
export const elementSource = (
  rewriter: Rewriter,
  operation: DraftOperation,
  element: Operation,
): ElementSource => {
  const { tensor, indices } = extract.operands(element);
  return { tensor, ...indicesInBody(rewriter, operation, indices) };
};

/** Indices in the body of `operation`, a `linalg.generic`, as the expressions of an `ElementSource`. */
export const indicesInBody = (
  rewriter: Rewriter,
  operation: DraftOperation,
  indices: readonly Value[],
): Pick<ElementSource, 'indices' | 'outer'> => {
  const rank = generic.attributes(operation).iteratorTypes.length;
  const outer: Value[] = [];
  const applications = indices.map((value) => composeValue(rewriter, value));
  const expressions = applications.map(({ map, operands }) => {
    const dims = operands.map((operand) => {
      const definition = rewriter.definingOperation(operand);
      if (definition?.parent === operation && indexOp.is(definition))
        return dim(indexOp.attributes(definition).dim);
      const known = outer.findIndex((value) => value.id === operand.id);
      return dim(rank + (known >= 0 ? known : outer.push(operand) - 1));
    });
    return substitute(map.results[0]!, { dims });
  });
  return { indices: expressions, outer };
};
