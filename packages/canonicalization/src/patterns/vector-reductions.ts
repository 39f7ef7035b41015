/** Canonicalization of reductions and contractions. */
import { createCombination, elementOf } from '@sconv/dialects';
import { addf, addi } from '@sconv/dialects/arith';
import { contract, extract, maskAround, multiReduction, reduction, shapeCast } from '@sconv/dialects/vector';
import type { CombiningKind } from '@sconv/dialects/vector';
import type { RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, i1, typeEquals, vectorType } from '@sconv/ir';
import { constantOf, definedBy, onOp, onOps } from '../match.ts';

/** Combines the result so far with a value, where a mask is set. */
const combineMasked = (
  rewriter: Rewriter,
  kind: CombiningKind,
  acc: Value,
  value: Value,
  chosen: Value | undefined,
): Value | undefined =>
  chosen === undefined
    ? createCombination(rewriter, kind, acc, value)
    : createCombination(rewriter, kind, value, acc, { mask: chosen });

/**
 * A reduction of a unit dimension is its only element.
 *
 * @deviation Where a mask is not set, the result is what was to be accumulated onto; upstream takes the element.
 */
const oneElementEach = onOp(multiReduction, 'reduction-of-single-elements', (rewriter, operation) => {
  const { source, acc } = multiReduction.operands(operation);
  const { kind, reductionDims } = multiReduction.attributes(operation);
  const { shape } = source.type;
  if (reductionDims.some((position) => shape[position] !== 1)) return;
  const around = maskAround(operation);
  const result = rewriter.scoped(() => {
    if (around !== undefined) rewriter.setInsertionPointBefore(around);
    const b = builder(rewriter);
    const staticPosition = shape.map(() => 0);
    const chosen = around?.operands[0] as Value<VectorType> | undefined;
    const { type } = acc;
    if (type.kind !== 'vector') {
      const on: Value | undefined = chosen && b(extract, { vector: chosen, staticPosition });
      const value: Value = b(extract, { vector: source, staticPosition });
      return combineMasked(rewriter, kind, acc, value, on);
    }
    const maskType = vectorType(type.shape, i1, type.scalable);
    const on: Value | undefined = chosen && b(shapeCast, { source: chosen }, { resultTypes: [maskType] });
    const value: Value = b(shapeCast, { source }, { resultTypes: [type] });
    return combineMasked(rewriter, kind, acc, value, on);
  });
  if (result !== undefined) rewriter.replaceOperation(around ?? operation, [result]);
});

const ofOneElement = onOp(reduction, 'reduction-of-one-element', (rewriter, operation) => {
  const { vector, acc } = reduction.operands(operation);
  const { kind } = reduction.attributes(operation);
  const { shape, scalable } = vector.type;
  if (shape.length !== 1 || shape[0] !== 1 || scalable[0] === true) return;
  const around = maskAround(operation);
  const { fastmath } = operation.attributes;
  const result = rewriter.scoped(() => {
    if (around !== undefined) rewriter.setInsertionPointBefore(around);
    const b = builder(rewriter);
    const at = { staticPosition: [0] };
    const chosen = around?.operands[0];
    const on: Value | undefined = chosen && acc && b(extract, { vector: chosen, ...at });
    const value: Value = b(extract, { vector, ...at });
    return acc === undefined
      ? value
      : createCombination(rewriter, kind, value, acc, {
          mask: on,
          attributes: fastmath === undefined ? {} : { fastmath },
        });
  });
  if (result !== undefined) rewriter.replaceOperation(around ?? operation, [result]);
});

const isZero = (rewriter: Rewriter, value: Value): boolean => {
  const element = elementOf(constantOf(rewriter, value));
  return element !== undefined && Number(element) === 0 && !Object.is(element, -0);
};

/**
 * A sum with a contraction that accumulates onto zeros: accumulate onto the other term.
 *
 * @deviation Upstream replaces the zeros wherever they are operands, so that one that is multiplied becomes the term,
 * too.
 */
const sumOfContraction = onOps([addi, addf], 'sum-of-contraction', (rewriter, operation) => {
  for (const [own, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const product = definedBy(rewriter, operation.operands[own], contract);
    if (product === undefined) continue;
    const { acc } = contract.operands(product);
    const term = operation.operands[other]!;
    if (!isZero(rewriter, acc) || contract.attributes(product).kind !== 'add') continue;
    if (!typeEquals(acc.type, term.type)) continue;
    const made = rewriter.clone(product);
    rewriter.setOperand(made, 2, term);
    rewriter.replaceOperation(operation, made.results);
    return;
  }
});

export const vectorReductionPatterns: readonly RewritePattern[] = [
  oneElementEach,
  ofOneElement,
  ...sumOfContraction,
];
