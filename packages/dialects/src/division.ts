/** Which divisions of integers may be speculated. */
import type { Operation } from '@sconv/ir';
import { everyInteger, signed, widthOf } from './arith-fold.ts';
import { elementTypeOf } from './constraints.ts';
import type { Speculatable } from './interfaces.ts';
import type { IntegerOp } from './scalar-op.ts';

/** The quotient of the smallest integer and -1 overflows; processors trap on its remainder too. */
export const signedDivisionTraps = (divisor: bigint): boolean => divisor === 0n || divisor === -1n;
export const unsignedDivisionTraps = (divisor: bigint): boolean => divisor === 0n;

/**
 * Speculates an op that may trap if all elements of its second operand are known, and it traps for none of them.
 *
 * @deviation Upstream speculates any remainder and `floordivsi`, and no division by a vector of different elements.
 */
export const unlessTraps =
  (traps: NonNullable<IntegerOp['traps']>) =>
  ({ operands: [, second] }: Operation, constantOf: Parameters<Speculatable>[1]): boolean => {
    if (second === undefined) return false;
    const width = widthOf(elementTypeOf(second.type));
    return everyInteger(constantOf(second), (value) => !traps(signed(value, width)));
  };
