/** The error function, to within two units in the last place of a double. */

/** `erf(x)`: 2/√π times the integral of exp(-t²) from 0 to x. */
export const erf = (x: number): number => {
  const magnitude = Math.abs(x);
  // From 6 on, the complement is less than half a unit in the last place of 1.
  const value = magnitude < 1 ? seriesOf(magnitude) : magnitude < 6 ? 1 - complementOf(magnitude) : 1;
  return Math.sign(x) * value;
};

/** The Maclaurin series 2/√π · Σ (-1)ⁿ x²ⁿ⁺¹ / (n! (2n + 1)), summed from the last term on. Below 1, the terms fall. */
const seriesOf = (x: number): number => {
  const square = x * x;
  let sum = 0;
  // Horner's scheme: the terms from 20 on are below 1e-20 of the first.
  for (let n = 20; n > 0; n -= 1) sum = (-square / n) * (1 / (2 * n + 1) + sum);
  return (2 / Math.sqrt(Math.PI)) * (x + x * sum);
};

/** `1 - erf(x)` for x from 1 on, as Laplace's continued fraction: exp(-x²)/√π / (x + ½/(x + 1/(x + 1½/(x + …)))). */
const complementOf = (x: number): number => {
  let fraction = x;
  for (let k = Math.ceil(250 / (x * x)) + 10; k > 0; k -= 1) fraction = x + k / 2 / fraction;
  // The square of a float is exact in a double: exp of a rounded square would lose digits.
  const float = Math.fround(x);
  const power = Math.exp(-float * float) * Math.exp((float - x) * (float + x));
  return power / Math.sqrt(Math.PI) / fraction;
};
