import type { Operation, Value } from '@sconv/ir';
import { valuesBetween } from '@sconv/ir';

/** The operand groups of an operation with `operandSegmentSizes`. */
export const segments = (operation: Operation): readonly (readonly Value[])[] => {
  const sizes = operation.attributes['operandSegmentSizes'];
  const groups: (readonly Value[])[] = [];
  let next = 0;
  for (const size of sizes?.kind === 'dense-array' ? sizes.values : []) {
    const group = valuesBetween(operation.operands, next, next + Number(size));
    groups.push(group);
    next += group.length;
  }
  return groups;
};
