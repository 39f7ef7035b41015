/** Constants of integers, as the patterns of arith read and create them. */
import { elementOf, elementTypeOf, uniformConstant } from '@sconv/dialects';
import type { DraftOperation, Rewriter, Type, Value } from '@sconv/ir';
import { constantOf, createConstant } from '../match.ts';

/** The common integer of a constant's elements, sign-extended from its width. */
export const integerOf = (rewriter: Rewriter, value: Value | undefined): bigint | undefined => {
  const element = elementOf(constantOf(rewriter, value));
  return typeof element === 'bigint' && value !== undefined
    ? BigInt.asIntN(widthOf(value.type), element)
    : undefined;
};

/** The bit width of a type's elements; 64 for `index`. */
export const widthOf = (type: Type): number => {
  const element = elementTypeOf(type);
  return element.kind === 'integer' ? element.width : 64;
};

/** The constant of a type with all elements `value`. */
export const constantLike = (
  rewriter: Rewriter,
  operation: DraftOperation,
  value: bigint,
  type: Type,
): Value | undefined => {
  const constant = uniformConstant(BigInt.asIntN(widthOf(type), value), type);
  return constant && createConstant(rewriter, operation, constant, type);
};
