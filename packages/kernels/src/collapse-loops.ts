/**
 * Makes one loop of neighbouring loops of a structured op on buffers, where all of its operands are contiguous along
 * them: rows of vectors get longer, and fewer of them end in a part of a vector.
 *
 *     linalg.generic ins(%a : memref<8x7x7xf32>) …      %flat = memref.collapse_shape %a [[0, 1, 2]]
 *                                                  →    linalg.generic ins(%flat : memref<392xf32>) …
 *
 * Elements are visited in the same order.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, isFunctionOfDim, makeMap, substitute } from '@sconv/affine';
import { createGenericLike, indexDimensions, takeBody } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import { collapseShape, inferCollapsedType, isGuaranteedCollapsible } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { builder, DYNAMIC } from '@sconv/ir';

/** Collapses the loops of all structured ops on buffers at or below `root`. */
export const collapseLoops = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    const view = structured(rewriter.registry, operation);
    if (view?.body === undefined || operation.results.length > 0) continue;
    const used = indexDimensions(operation);
    if (used.length > 0 || view.loopRanges.includes(DYNAMIC)) continue;
    const groups = groupsOf(view);
    if (groups.length < view.iteratorTypes.length) collapse(rewriter, operation, view, groups);
  }
};

type Groups = readonly (readonly number[])[];

/** Loops by the one that they become, in order. */
const groupsOf = (view: StructuredOp): Groups => {
  const { iteratorTypes, indexingMaps, inputs, outputs } = view;
  const operands = [...inputs, ...outputs];
  const isJoined = (loop: number, group: readonly number[]): boolean =>
    iteratorTypes[loop] === iteratorTypes[loop - 1] &&
    operands.every((operand, i) => isContiguousAlong(operand, indexingMaps[i]!, loop, group));
  const groups: number[][] = [];
  iteratorTypes.forEach((_, loop) => {
    const group = groups.at(-1);
    if (group !== undefined && isJoined(loop, group)) group.push(loop);
    else groups.push([loop]);
  });
  return groups;
};

/**
 * Whether an operand has the elements of a loop and of the `group` around it next to each other, or moves with neither
 * it nor the one around it. Of unit dimensions two may have fitting strides, and three of them not.
 */
const isContiguousAlong = (
  { type }: Value,
  { results }: AffineMap,
  loop: number,
  group: readonly number[],
): boolean => {
  const places = results.flatMap((expr, i) =>
    isFunctionOfDim(expr, loop) || isFunctionOfDim(expr, loop - 1) ? [i] : [],
  );
  if (places.length === 0) return true;
  const [outer, inner] = places;
  if (type.kind !== 'memref' || places.length !== 2 || inner !== outer! + 1) return false;
  return (
    isDim(results[outer!]!, loop - 1) &&
    isDim(results[inner]!, loop) &&
    isGuaranteedCollapsible(
      type,
      dimensionsIn(results, (i) => [...group.slice(1), loop].some((each) => isDim(results[i]!, each))),
    )
  );
};

const isDim = (expr: AffineExpr, position: number): boolean =>
  expr.kind === 'dim' && expr.position === position;

/** The dimensions of an operand, each that `joins` its predecessor with it. */
const dimensionsIn = (results: readonly AffineExpr[], joins: (dimension: number) => boolean): Groups => {
  const groups: number[][] = [];
  results.forEach((_, i) => {
    if (joins(i)) groups.at(-1)!.push(i);
    else groups.push([i]);
  });
  return groups;
};

const collapse = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { inputs, outputs, indexingMaps, iteratorTypes }: StructuredOp,
  groups: Groups,
): void => {
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  /** The loop that each becomes; all but the first of a group are gone. */
  const dims = iteratorTypes.map((_, loop) => dim(groups.findIndex((group) => group.includes(loop))));
  const isGone = (expr: AffineExpr): boolean =>
    expr.kind === 'dim' && groups.some((group) => group.indexOf(expr.position) > 0);
  const flat = (value: Value, i: number): Value => {
    const { results } = indexingMaps[i]!;
    if (value.type.kind !== 'memref' || !results.some(isGone)) return value;
    const reassociation = dimensionsIn(results, (position) => isGone(results[position]!));
    const resultTypes = [inferCollapsedType(value.type, reassociation)!];
    return b(collapseShape, { src: value, reassociation }, { resultTypes });
  };
  const operands = [...inputs, ...outputs].map(flat);
  const made = createGenericLike(rewriter, operation, {
    inputs: operands.slice(0, inputs.length),
    outputs: operands.slice(inputs.length),
    indexingMaps: indexingMaps.map(({ results }) =>
      makeMap(
        groups.length,
        0,
        results.filter((expr) => !isGone(expr)).map((expr) => substitute(expr, { dims })),
      ),
    ),
    iteratorTypes: groups.map(([first]) => iteratorTypes[first!]!),
  });
  takeBody(rewriter, operation, made);
  rewriter.eraseOperation(operation);
};
