/** The padding of a `tensor.pad`, as an op that writes it to the whole destination. */
import { identityMap } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { createConstantValue, indexNumber } from '@sconv/dialects';
import { fill, generic, index, namedOpBody, yieldOp as linalgYield } from '@sconv/dialects/linalg';
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { constantValueOf, isShaped } from '@sconv/ir';

/** Whether an amount is known to be zero. */
export const isZero = (rewriter: Rewriter, amount: MixedIndex): boolean =>
  indexNumber(rewriter, amount) === 0;

/** Fills `dest` with the padding value: `linalg.fill` if it is uniform, else a `linalg.generic`; may move the body. */
export const createPadContent = (rewriter: Rewriter, pad: DraftOperation, dest: Value): DraftOperation => {
  const yielded = pad.regions[0]!.blocks[0]!.last!.operands[0]!;
  const definition = rewriter.definingOperation(yielded);
  const constant = definition && constantValueOf(rewriter.registry, definition);
  if (constant === undefined && !rewriter.isDefinedOutside(yielded, pad))
    return createGenericOf(rewriter, pad, dest);
  const value = constant === undefined ? yielded : createConstantValue(rewriter, constant, yielded.type);
  return rewriter.create(
    fill.state<Rewriter>({
      operands: { inputs: [value], outputs: [dest] },
      resultTypes: dest.type.kind === 'tensor' ? [dest.type] : [],
      bodies: [namedOpBody(fill, [value, dest])],
      location: pad.location,
    }),
  );
};

/** A `linalg.generic` that writes to `dest` what the body of a `tensor.pad` or `tensor.generate` yields per index. */
export const createGenericOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  dest: Value,
): DraftOperation => {
  if (!isShaped(dest.type) || !('shape' in dest.type)) throw new Error('a destination has a rank');
  const { shape, elementType } = dest.type;
  const created = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [], outputs: [dest] },
      attributes: { indexingMaps: [identityMap(shape.length)], iteratorTypes: shape.map(() => 'parallel') },
      resultTypes: dest.type.kind === 'tensor' ? [dest.type] : [],
      bodies: [undefined],
      location: operation.location,
    }),
  );
  const body = rewriter.createBlock(created.regions[0]!, [elementType]);
  rewriter.scoped(() => {
    moveBody(rewriter, operation.regions[0]!.blocks[0]!, body);
  });
  return created;
};

/** Moves a body whose arguments are indices into that of a structured op. */
const moveBody = (rewriter: Rewriter, from: DraftBlock, body: DraftBlock): void => {
  rewriter.setInsertionPointToEnd(body);
  const indices = from.arguments.map((_, dim) => rewriter.createValue(index.state({ attributes: { dim } })));
  rewriter.inlineBlock(from, indices);
  const end = body.last!;
  rewriter.replaceWith(end, linalgYield.state({ operands: { values: end.operands } }));
};
