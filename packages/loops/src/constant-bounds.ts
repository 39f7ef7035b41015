/** Constant bounds of loops. */
import { AffineError, exact } from '@sconv/affine';
import { createConstantValue, indexNumber, knownBounds } from '@sconv/dialects';
import type { LoopBounds } from '@sconv/dialects/scf';
import type { Rewriter, Type, Value } from '@sconv/ir';
import { integerAttribute, printType } from '@sconv/ir';

/** The bounds as numbers; undefined unless all are constant and the step is positive. */
export const constantBounds = (rewriter: Rewriter, bounds: LoopBounds): LoopBounds<number> | undefined =>
  knownBounds(bounds, (bound) => indexNumber(rewriter, bound));

/** The value of a constant bound, of any size. */
export const integerOf = (rewriter: Rewriter, bound: Value): bigint | undefined => {
  const constant = rewriter.constantOf(bound);
  return constant?.kind === 'integer' ? constant.value : undefined;
};

/** A constant of an integer type or `index`, at the insertion point; throws as `checkInteger`. */
export const createInteger = (rewriter: Rewriter, value: number | bigint, type: Type): Value => {
  checkInteger(value, type);
  return createConstantValue(rewriter, integerAttribute(value, type), type);
};

/**
 * Throws an `affine/overflow` for a value that an integer type or `index`, being signed, has not: a loop up to it, or
 * in steps of it, would be another one.
 */
export const checkInteger = (value: number | bigint, type: Type): void => {
  if (type.kind !== 'index' && type.kind !== 'integer') throw new Error(`a bound of the type ${type.kind}`);
  const width = type.kind === 'index' ? 64 : type.width;
  if (typeof value === 'number') exact(value);
  if (width > 1 && BigInt.asIntN(width, BigInt(value)) !== BigInt(value))
    throw new AffineError('affine/overflow', `${printType(type)} has no ${value}`);
};
