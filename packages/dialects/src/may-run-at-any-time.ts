/** Whether an operation may run where it did not: on values that the program does not compute with it. */
import type { Operation, Rewriter } from '@sconv/ir';
import { constantIndexOf } from './composed-apply.ts';

const divisions = /^arith\.(?:div|rem|floordiv|ceildiv)(s?u?)i$/;

/** Whether an operation without effects may be speculated: a division of integers needs a known divisor. */
export const mayRunAtAnyTime = (rewriter: Rewriter, operation: Operation): boolean => {
  const division = divisions.exec(operation.name);
  if (division === null) return true;
  const divisor = constantIndexOf(rewriter, operation.operands[1]!);
  return divisor !== undefined && divisor !== 0 && (division[1] === 'u' || divisor !== -1);
};
