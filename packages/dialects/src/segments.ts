import type { Operation, Value } from '@sconv/ir';

/** The operands of each group of an operation that stores `operandSegmentSizes`. */
export const segments = (operation: Operation): readonly (readonly Value[])[] => {
  const sizes = operation.attributes['operandSegmentSizes'];
  let next = 0;
  return (sizes?.kind === 'dense-array' ? sizes.values : []).map((size) => {
    const group = operation.operands.slice(next, next + Number(size));
    next += group.length;
    return group;
  });
};
