/**
 * Exact integer arithmetic on JS numbers. Every result is a safe integer (|value| < 2^53) or an `affine/overflow`
 * error; division rounds like the affine operators for all signs.
 */
import { AffineError } from './affine-error.ts';
import { describe } from './expect-kind.ts';

/** `value` with -0 normalized to 0; an error unless it is a safe integer. */
export function exact(value: number): number {
  if (Number.isSafeInteger(value)) return value + 0;
  if (Number.isNaN(value) || typeof value !== 'number')
    throw new AffineError('affine/not-an-integer', `expected an integer, not ${describe(value)}`);
  throw new AffineError(
    'affine/overflow',
    `${value} is outside the integers that a number holds exactly (2^53)`,
  );
}

/** `a + b`, or an overflow error. */
export function addExact(a: number, b: number): number {
  return exact(exact(a) + exact(b));
}

/** `a * b`, or an overflow error. A product beyond 2^53 stays beyond it when rounded, so the check is exact. */
export function mulExact(a: number, b: number): number {
  return exact(exact(a) * exact(b));
}

/** The largest integer that is at most `a / b`. */
export function floorDivInteger(a: number, b: number): number {
  refuseZero(b, 'floordiv');
  // a % b is exact for doubles; the quotient of the exact multiple is then exact as well.
  const remainder = a % b;
  const quotient = (a - remainder) / b;
  return (remainder !== 0 && remainder < 0 !== b < 0 ? quotient - 1 : quotient) + 0;
}

/** The smallest integer that is at least `a / b`. */
export function ceilDivInteger(a: number, b: number): number {
  refuseZero(b, 'ceildiv');
  const remainder = a % b;
  const quotient = (a - remainder) / b;
  return (remainder !== 0 && remainder < 0 === b < 0 ? quotient + 1 : quotient) + 0;
}

/**
 * `a - b * floor(a / b)`: in `[0, b)` for a positive divisor. MLIR leaves negative divisors undefined; here the result
 * is in `(b, 0]`, so that `(a floordiv b) * b + a mod b` is `a` for every nonzero divisor.
 */
export function modInteger(a: number, b: number): number {
  refuseZero(b, 'mod');
  const remainder = a % b;
  return (remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder) + 0;
}

/** The greatest common divisor of the magnitudes; `gcd(0, n)` is `|n|`. Errors: a value that is not exact. */
export function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(exact(a)), Math.abs(exact(b))];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** The least common multiple of two positive integers; Infinity if it is not a safe integer. */
export function lcm(a: number, b: number): number {
  const value = (a / gcd(a, b)) * b;
  return Number.isSafeInteger(value) ? value : Infinity;
}

function refuseZero(divisor: number, operator: string): void {
  if (divisor === 0) throw new AffineError('affine/zero-divisor', `${operator} by zero`);
}
