/** Which divisions of integers may be speculated. */
import { implement } from '@sconv/ir';
import { everyInteger, signed, widthOf } from './arith-fold.ts';
import { elementTypeOf } from './constraints.ts';
import { speculatable } from './interfaces.ts';

/**
 * Speculates a division if all elements of the divisor are known, and none of them traps.
 *
 * @deviation Upstream speculates any remainder and `floordivsi`, and no division by a vector of different elements.
 */
const dividing = (mayTrap: (divisor: bigint) => boolean) =>
  implement(speculatable, ({ operands: [, divisor] }, constantOf) => {
    if (divisor === undefined) return false;
    const width = widthOf(elementTypeOf(divisor.type));
    return everyInteger(constantOf(divisor), (value) => !mayTrap(signed(value, width)));
  });

/** The quotient of the smallest integer and -1 overflows; processors trap on its remainder too. */
export const signedDivision = dividing((divisor) => divisor === 0n || divisor === -1n);
export const unsignedDivision = dividing((divisor) => divisor === 0n);
