/** Redirects loads in a body: shared by delinearization and pad folding. */
import type { AffineExpr } from '@sconv/affine';
import { dim, makeMap, substitute, usedDims } from '@sconv/affine';
import { createApplication, createIterations, eraseUnused } from '@sconv/dialects';
import type { ElementSource } from '@sconv/dialects';
import { genericView } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';

/** Materializes the indices of a source before `element`, a `tensor.extract` in the body of `operation`. */
export const createIndices = (
  rewriter: Rewriter,
  operation: DraftOperation,
  element: DraftOperation,
  source: ElementSource,
): readonly Value[] => {
  const { loopRanges } = genericView(operation);
  // The indices go directly into the body, where the element need not be.
  rewriter.setInsertionPointToStart(bodyOf(operation));
  const iterations = createIterations(rewriter, loopRanges.length, source.indices);
  rewriter.setInsertionPointBefore(element);
  const operands = [...iterations, ...source.outer];
  return source.indices.map((expr) => createApplication(rewriter, onlyUsed(expr, operands)));
};

/** Makes a `tensor.extract` read this tensor at these indices, and erases its dead producers. */
export const readElement = (
  rewriter: Rewriter,
  element: DraftOperation,
  tensor: Value,
  indices: readonly Value[],
): DraftOperation => {
  const old = extract.operands(element);
  const read = rewriter.replaceWith(
    element,
    extract.state({
      operands: { tensor, indices },
      resultTypes: element.results.map((result) => result.type),
    }),
  );
  for (const value of [...old.indices, old.tensor]) eraseUnused(rewriter, value);
  return read;
};

/** An expression with only the operands that it uses, renumbered. */
const onlyUsed = (expr: AffineExpr, operands: readonly (Value | undefined)[]) => {
  const used = usedDims(expr);
  const renamed = operands.map((_, position) => dim(Math.max(0, used.indexOf(position))));
  return {
    map: makeMap(used.length, 0, [substitute(expr, { dims: renamed })]),
    operands: used.map((position) => operands[position]!),
  };
};
