/** The microkernel on packed tiles: its maps, and the body of a contraction (ST §5.4; Listing 8, line 43). */
import type { AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import type { Block, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';

const overFour = (...positions: readonly number[]): AffineMap =>
  makeMap(
    4,
    0,
    positions.map((position) => dim(position)),
  );

/** Maps of a microkernel's windows, filters and output, over image, filter, window and k. */
export const microkernelMaps: readonly AffineMap[] = [overFour(0, 3, 2), overFour(3, 1), overFour(0, 1, 2)];

/** Whether indexing maps are those of a microkernel. */
export const areMicrokernelMaps = (maps: readonly AffineMap[]): boolean =>
  maps.length === microkernelMaps.length && maps.every((map, i) => equals(map, microkernelMaps[i]!));

/** Multiplication and the addition that goes with it. */
const pairs: readonly (readonly [string, string])[] = [
  ['arith.mulf', 'arith.addf'],
  ['arith.muli', 'arith.addi'],
];

/** Whether a body is `yield a * b + out`, and nothing else, in either order of each operand pair. */
export const isMultiplyAdd = (body: Block): boolean => {
  const [multiply, accumulate, , ...more] = body.operations;
  const [a, b, out, ...others] = body.arguments;
  if (multiply === undefined || accumulate === undefined || a === undefined || out === undefined)
    return false;
  if (more.length > 0 || others.length > 0) return false;
  if (!pairs.some(([times, plus]) => times === multiply.name && plus === accumulate.name)) return false;
  const both = (operands: readonly Value[], first: Value | undefined, second: Value | undefined): boolean =>
    operands.length === 2 &&
    [first, second].every((value) => operands.some((operand) => operand.id === value?.id));
  const yielded = terminatorOf(body).operands;
  return (
    both(multiply.operands, a, b) &&
    both(accumulate.operands, multiply.results[0], out) &&
    yielded.length === 1 &&
    yielded[0]?.id === accumulate.results[0]?.id
  );
};
