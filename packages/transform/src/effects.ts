/** Which handles an operation of a script consumes. */
import type { Operation, Value } from '@sconv/ir';
import { groupSizes } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';

/** The operands whose handles must not be used after the operation. */
export const consumedOperands = (
  definition: TransformOpDefinition,
  operation: Operation,
): readonly Value[] => {
  const segments = operation.attributes['operandSegmentSizes'];
  const sizes = groupSizes(definition.operandSpecs, operation.operands.length, segments) ?? [];
  let next = 0;
  return sizes.flatMap((size, group) => {
    const operands = operation.operands.slice(next, next + size);
    next += size;
    return definition.transform.effects[group] === 'consumes' ? operands : [];
  });
};
