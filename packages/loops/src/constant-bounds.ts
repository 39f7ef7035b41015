/** Constant bounds of loops. */
import { createConstantValue, indexNumber, knownBounds } from '@sconv/dialects';
import type { LoopBounds } from '@sconv/dialects/scf';
import type { Rewriter, Type, Value } from '@sconv/ir';
import { integerAttribute } from '@sconv/ir';

/** The bounds as numbers; undefined unless all are constant and the step is positive. */
export const constantBounds = (rewriter: Rewriter, bounds: LoopBounds): LoopBounds<number> | undefined =>
  knownBounds(bounds, (bound) => indexNumber(rewriter, bound));

/** A constant of an integer type or `index`, at the insertion point. */
export const createInteger = (rewriter: Rewriter, value: number, type: Type): Value => {
  if (type.kind !== 'index' && type.kind !== 'integer') throw new Error(`a bound of the type ${type.kind}`);
  return createConstantValue(rewriter, integerAttribute(value, type), type);
};
