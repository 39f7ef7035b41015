/** Outer products as a product and a sum for each row, as upstream's `OuterProductOpLowering`. */
import { createConstantValue, uniformConstant } from '@sconv/dialects';
import { addi, mulf, muli } from '@sconv/dialects/arith';
import { broadcast, extract, fma, insert, outerproduct } from '@sconv/dialects/vector';
import type { Builder, RewritePattern, Value, VectorType } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';

export const outerProductPattern: RewritePattern = {
  name: 'lower-outer-product',
  root: outerproduct.name,
  rewrite: (rewriter, operation) => {
    const { lhs, rhs, acc } = outerproduct.operands(operation);
    const type = operation.results[0]!.type as VectorType;
    const { kind } = outerproduct.attributes(operation);
    if (operation.parent?.name === 'vector.mask' || type.scalable[0] === true) return;
    // What is no sum needs the operation of its kind.
    if (acc !== undefined && kind !== 'add') return;
    const b = builder(rewriter);
    if (rhs.type.kind !== 'vector') {
      const repeated = b(broadcast, { source: rhs }, { resultTypes: [lhs.type] });
      rewriter.replaceOperation(operation, [multiplied(b, lhs, repeated, acc)]);
      return;
    }
    const zero = uniformConstant(type.elementType.kind === 'float' ? 0 : 0n, type);
    if (zero === undefined) return;
    let result = createConstantValue(rewriter, zero, type);
    const rowType = vectorType(rhs.type.shape, type.elementType, rhs.type.scalable);
    for (let row = 0; row < type.shape[0]!; row++) {
      const staticPosition = [row];
      const element: Value = b(extract, { vector: lhs, staticPosition });
      const repeated = b(broadcast, { source: element }, { resultTypes: [rowType] });
      const sum: Value | undefined = acc && b(extract, { vector: acc, staticPosition });
      const source = multiplied(b, repeated, rhs, sum);
      result = b(
        insert,
        { source, dest: result as Value<VectorType>, staticPosition },
        { resultTypes: [type] },
      );
    }
    rewriter.replaceOperation(operation, [result]);
  },
};

const multiplied = (b: Builder, lhs: Value, rhs: Value, acc: Value | undefined): Value => {
  const type = lhs.type as VectorType;
  if (type.elementType.kind === 'float') {
    const factors = { lhs: lhs as Value<VectorType>, rhs: rhs as Value<VectorType> };
    return acc === undefined ? b(mulf, factors) : b(fma, { ...factors, acc: acc as Value<VectorType> });
  }
  const product: Value = b(muli, { lhs, rhs });
  return acc === undefined ? product : b(addi, { lhs: product, rhs: acc });
};
