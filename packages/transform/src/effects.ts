/** The operands of a script op by declared group, and which of them it consumes. */
import type { Operation, Value } from '@sconv/ir';
import { groupSizes, valuesBetween } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';

/** The operands of each group, in the order of the declaration. */
export const operandGroups = (
  definition: TransformOpDefinition,
  operation: Operation,
): readonly (readonly Value[])[] => {
  let next = 0;
  return sizesOf(definition, operation).map((size) =>
    valuesBetween(operation.operands, next, (next += size)),
  );
};

const sizesOf = (definition: TransformOpDefinition, operation: Operation): readonly number[] => {
  const segments = operation.attributes['operandSegmentSizes'];
  const sizes = groupSizes(definition.operandSpecs, operation.operands.length, segments);
  if (sizes === undefined) throw new Error(`operands of '${operation.name}' do not fit their declaration`);
  return sizes;
};

/** The operands whose handles are invalid after the operation. */
export const consumedOperands = (definition: TransformOpDefinition, operation: Operation): readonly Value[] =>
  definition.transform.consumed(operation).map((position) => operation.operands[position]!);
