/**
 * Folds arithmetic into contractions and outer products: upstream's `populateFoldArithExtensionPatterns` and
 * `populateElementwiseToVectorOpsPatterns`.
 */
import { definedBy, onOp, onOps } from '@sconv/canonicalization/matching';
import { elementTypeOf } from '@sconv/dialects';
import { extf, extsi, mulf, muli } from '@sconv/dialects/arith';
import { broadcast, contract, isMasked, outerproduct, transpose } from '@sconv/dialects/vector';
import type { RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, typeEquals } from '@sconv/ir';

/**
 * A contraction of two factors extended in the same way takes the narrow ones; the accumulator keeps its type.
 *
 * @deviation Upstream also takes factors of two element types, which is invalid IR.
 */
const contractOfExtensions = onOp(contract, 'contract-of-extensions', (rewriter, operation) => {
  if (isMasked(operation)) return;
  const { lhs, rhs } = contract.operands(operation);
  for (const extension of [extf, extsi]) {
    const sources = [lhs, rhs].map((operand) => definedBy(rewriter, operand, extension)?.operands[0]);
    const [a, b] = sources;
    if (a === undefined || b === undefined) continue;
    if (!typeEquals(elementTypeOf(a.type), elementTypeOf(b.type))) continue;
    rewriter.setOperand(operation, 0, a);
    rewriter.setOperand(operation, 1, b);
    return;
  }
});

/** The one-dimensional source of a broadcast, repeated in each row. */
const rowOf = (rewriter: Rewriter, value: Value | undefined): Value<VectorType> | undefined => {
  const source = definedBy(rewriter, value, broadcast)?.operands[0];
  return source?.type.kind === 'vector' && source.type.shape.length === 1
    ? (source as Value<VectorType>)
    : undefined;
};

/** The one-dimensional source of a transposed broadcast, repeated in each column. */
const columnOf = (rewriter: Rewriter, value: Value | undefined): Value<VectorType> | undefined => {
  const transposed = definedBy(rewriter, value, transpose);
  if (transposed === undefined || String(transpose.attributes(transposed).permutation) !== '1,0')
    return undefined;
  return rowOf(rewriter, transposed.operands[0]);
};

const productOfRepeated = onOps([mulf, muli], 'product-of-repeated', (rewriter, operation) => {
  const { type } = operation.results[0]!;
  if (type.kind !== 'vector' || type.shape.length !== 2) return;
  const [a, b] = operation.operands;
  for (const [x, y] of [
    [a, b],
    [b, a],
  ]) {
    const [lhs, rhs] = [columnOf(rewriter, x), rowOf(rewriter, y)];
    if (lhs === undefined || rhs === undefined) continue;
    const made = builder(rewriter)(outerproduct, { lhs, rhs, kind: 'add' }, { resultTypes: [type] });
    rewriter.replaceOperation(operation, [made]);
    return;
  }
});

export const extensionPatterns: readonly RewritePattern[] = [contractOfExtensions];
export const outerProductPatterns: readonly RewritePattern[] = productOfRepeated;
