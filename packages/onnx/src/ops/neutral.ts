/** What sums, products and maxima begin with. */
import type { ElementType } from '../element-type.ts';

/** The least element: a maximum with it is the other operand. */
export const lowestOf = ({ kind, isUnsigned, size }: ElementType): number =>
  kind === 'float' ? -Infinity : isUnsigned || kind === 'boolean' ? 0 : -(2 ** (8 * size - 1));

/** The greatest element. */
export const highestOf = ({ kind, isUnsigned, size }: ElementType): number | bigint => {
  if (kind === 'float') return Infinity;
  return kind === 'boolean' ? 1 : (1n << BigInt(8 * size - (isUnsigned ? 0 : 1))) - 1n;
};
