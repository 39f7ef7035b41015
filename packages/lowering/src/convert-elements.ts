/** Converts elements, or vectors of them, before packings store them. */
import type { ElementConversion } from '@sconv/dialects';
import { broadcast } from '@sconv/dialects/vector';
import type { Id, Rewriter, Value } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';

/** Clones a conversion's steps onto an element, or onto a vector, at the insertion point. */
export const convertElements = (
  rewriter: Rewriter,
  { element, steps, result }: ElementConversion,
  value: Value,
): Value => {
  const copies = new Map<Id, Value>([[element.id, value]]);
  const b = builder(rewriter);
  for (const step of steps) {
    const operands = step.operands.map((operand) => copies.get(operand.id) ?? operand);
    const vector = operands.find(({ type }) => type.kind === 'vector')?.type;
    if (vector?.kind !== 'vector') {
      rewriter.clone(step, copies);
      continue;
    }
    const { shape } = vector;
    // Broadcast the zero point.
    const ofVectors = operands.map((operand): Value =>
      operand.type.kind === 'vector'
        ? operand
        : b(broadcast, { source: operand }, { resultTypes: [vectorType(shape, operand.type)] }),
    );
    const { name, attributes, location } = step;
    const copy = rewriter.create({
      name,
      operands: ofVectors,
      resultTypes: [vectorType(shape, step.results[0]!.type)],
      attributes,
      location,
    });
    copies.set(step.results[0]!.id, copy.results[0]!);
  }
  return copies.get(result.id)!;
};
