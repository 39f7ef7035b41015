import { constant } from '@sconv/dialects/arith';
import type { Builder, Value } from '@sconv/ir';
import { indexType, integerAttribute } from '@sconv/ir';

/** A constant of type `index` at the insertion point. */
export const indexConstant = (b: Builder, value: number): Value =>
  b(constant, { value: integerAttribute(value, indexType) });
