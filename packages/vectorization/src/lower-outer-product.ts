/** Lowers outer products to a multiplication and a combination per row, as upstream's `OuterProductOpLowering`. */
import { onOp } from '@sconv/canonicalization/matching';
import { broadcast, maskAround, outerproduct } from '@sconv/dialects/vector';
import type { RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { combined, hasCombination } from './contraction.ts';
import { createZeros, partOf, withPart } from './vector-parts.ts';

export const outerProductPattern: RewritePattern = onOp(
  outerproduct,
  'lower-outer-product',
  (rewriter, operation) => {
    const root = maskAround(operation) ?? operation;
    const mask = root === operation ? undefined : root.operands[0];
    const { lhs, rhs, acc } = outerproduct.operands(operation);
    const { kind } = outerproduct.attributes(operation);
    const type = operation.results[0]!.type as VectorType;
    if (!hasCombination(kind, type) || (type.scalable[0] === true && rhs.type.kind === 'vector')) return;
    const made = rewriter.scoped(() => {
      rewriter.setInsertionPointBefore(root);
      if (rhs.type.kind === 'vector') return rows(rewriter, { lhs, rhs, acc, kind, type, mask });
      const repeated: Value = builder(rewriter)(broadcast, { source: rhs }, { resultTypes: [lhs.type] });
      return combined(rewriter, lhs, repeated, acc, kind, mask);
    });
    if (made !== undefined) rewriter.replaceOperation(root, [made]);
  },
);

interface Product {
  readonly lhs: Value;
  readonly rhs: Value;
  readonly acc: Value | undefined;
  readonly kind: ReturnType<typeof outerproduct.attributes>['kind'];
  readonly type: VectorType;
  readonly mask: Value | undefined;
}

const rows = (rewriter: Rewriter, { lhs, rhs, acc, kind, type, mask }: Product): Value | undefined => {
  let result: Value | undefined = createZeros(rewriter, type);
  for (let row = 0; row < type.shape[0]! && result !== undefined; row++) {
    const element = partOf(rewriter, lhs, [row]);
    const repeated: Value = builder(rewriter)(broadcast, { source: element }, { resultTypes: [rhs.type] });
    const own = acc && partOf(rewriter, acc, [row]);
    const chosen = mask && partOf(rewriter, mask, [row]);
    const part = combined(rewriter, repeated, rhs, own, kind, chosen);
    result = part && withPart(rewriter, part, result, [row]);
  }
  return result;
};
