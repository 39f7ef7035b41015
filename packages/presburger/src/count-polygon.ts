/**
 * How many integer points a polygon has, whatever its size: sums of rounded quotients, as fast as Euclid's algorithm
 * (D. E. Knuth, The Art of Computer Programming 2, 1997, section 3.3.3 has such sums).
 */
import { spend } from './budget.ts';
import type { Int } from './int.ts';
import { addInt, divExactInt, floorDivInt, modInt, mulInt, negInt, subInt } from './int.ts';
import type { Row } from './row.ts';

/**
 * The points of a polygon with rows over two unknowns. The first of these takes the integers from `min` to `max`, for
 * each of which there is some number that the other may be.
 */
export function countPolygon(rows: readonly Row[], min: Int, max: Int): Int {
  if (min > max) return 0;
  const upper = rows.filter((row) => row[1]! < 0).map(quotientOf);
  const lower = rows.filter((row) => row[1]! > 0).map(quotientOf);
  // The interval of the other unknown is never less than empty, so that each length may be summed as it is.
  const lengths = addInt(sumOfLeast(upper, min, max), sumOfLeast(lower, min, max));
  return addInt(lengths, addInt(subInt(max, min), 1));
}

/** `floor((slope x + constant) / divisor)`: at most this is the other unknown, or its negative. */
interface Quotient {
  readonly slope: Int;
  readonly constant: Int;
  readonly divisor: Int;
}

const quotientOf = (row: Row): Quotient => ({
  slope: row[0]!,
  constant: row[2]!,
  divisor: row[1]! < 0 ? negInt(row[1]!) : row[1]!,
});

/** The sum of the least of the quotients at each x from `min` to `max`. */
function sumOfLeast(quotients: readonly Quotient[], min: Int, max: Int): Int {
  let sum: Int = 0;
  for (let x = min; x <= max;) {
    spend(16 * quotients.length);
    const least = leastAt(quotients, x);
    let last = max;
    for (const other of quotients) {
      const steeper = crossed(least.slope, least.divisor, other.slope, other.divisor);
      if (steeper <= 0) continue;
      const ahead = crossed(other.constant, other.divisor, least.constant, least.divisor);
      const meeting = floorDivInt(ahead, steeper);
      if (meeting < last) last = meeting;
    }
    const first = addInt(mulInt(least.slope, x), least.constant);
    sum = addInt(sum, floorSum(addInt(subInt(last, x), 1), least.slope, first, least.divisor));
    x = addInt(last, 1);
  }
  return sum;
}

/** The sign of `a / over - b / under` for positive divisors, as that of its numerator. */
const crossed = (a: Int, over: Int, b: Int, under: Int): Int => subInt(mulInt(a, under), mulInt(b, over));

/** The quotient that is least at x before it is rounded, and of several the one that is least behind x. */
function leastAt(quotients: readonly Quotient[], x: Int): Quotient {
  const valueOf = ({ slope, constant }: Quotient) => addInt(mulInt(slope, x), constant);
  const [start] = quotients;
  if (start === undefined) throw new Error('a polygon has a bound on each side');
  return quotients.reduce((best, each) => {
    const difference = crossed(valueOf(each), each.divisor, valueOf(best), best.divisor);
    const isLess =
      difference < 0 || (difference === 0 && crossed(each.slope, each.divisor, best.slope, best.divisor) < 0);
    return isLess ? each : best;
  }, start);
}

/** The sum of `floor((slope x + constant) / divisor)` for x from 0 to `count - 1`. */
export function floorSum(count: Int, slope: Int, constant: Int, divisor: Int): Int {
  let sum: Int = 0;
  for (let [n, a, b, m] = [count, slope, constant, divisor]; ;) {
    const triangle = divExactInt(mulInt(n, subInt(n, 1)), 2);
    sum = addInt(sum, addInt(mulInt(triangle, floorDivInt(a, m)), mulInt(n, floorDivInt(b, m))));
    [a, b] = [modInt(a, m), modInt(b, m)];
    const end = addInt(mulInt(a, n), b);
    if (end < m) return sum;
    // What is left counts points below a line: counted the other way round, the slope is m / a.
    [n, a, b, m] = [floorDivInt(end, m), m, modInt(end, m), a];
  }
}
