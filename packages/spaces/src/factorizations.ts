/** Ordered factorizations: how the iterations of a dimension are handed to its loops, outermost first. */

/** All divisors, ascending. */
export const divisors = (value: number): readonly number[] => {
  const low: number[] = [];
  const high: number[] = [];
  for (let divisor = 1; divisor * divisor <= value; divisor += 1) {
    if (value % divisor !== 0) continue;
    low.push(divisor);
    if (divisor * divisor < value) high.push(value / divisor);
  }
  return [...low, ...high.reverse()];
};

/** How many prime factors a number has, with repetitions: the most loops that its iterations are handed to. */
export const primeFactors = (value: number): number => {
  let [rest, count] = [value, 0];
  for (let prime = 2; prime * prime <= rest; prime += 1) for (; rest % prime === 0; rest /= prime) count += 1;
  return rest > 1 ? count + 1 : count;
};

/** The products of `length` factors above 1 that are `value`, in lexical order. */
export interface Factorizations {
  readonly count: (value: number, length: number) => number;
  readonly at: (value: number, length: number, i: number) => readonly number[];
  readonly indexOf: (factors: readonly number[]) => number;
}

/** Counts each product once, and keeps the counts. */
export const factorizations = (): Factorizations => {
  const counts = new Map<string, number>();
  const factorsOf = new Map<number, readonly number[]>();
  const firsts = (value: number): readonly number[] => {
    const known = factorsOf.get(value) ?? divisors(value).slice(1);
    factorsOf.set(value, known);
    return known;
  };
  const count = (value: number, length: number): number => {
    if (length < 2) return value === 1 ? 1 - length : length;
    const key = `${value}^${length}`;
    const known =
      counts.get(key) ?? firsts(value).reduce((sum, first) => sum + count(value / first, length - 1), 0);
    counts.set(key, known);
    return known;
  };
  return {
    count,
    at: (value, length, i) => {
      const factors: number[] = [];
      let [rest, left] = [value, i];
      for (let more = length - 1; more > 0; more -= 1) {
        for (const first of firsts(rest)) {
          const below = count(rest / first, more);
          if (left < below) {
            factors.push(first);
            rest /= first;
            break;
          }
          left -= below;
        }
      }
      return length === 0 ? [] : [...factors, rest];
    },
    indexOf: (factors) => {
      let rest = factors.reduce((all, each) => all * each, 1);
      let index = 0;
      factors.slice(0, -1).forEach((factor, i) => {
        for (const first of firsts(rest)) {
          if (first === factor) break;
          index += count(rest / first, factors.length - i - 1);
        }
        rest /= factor;
      });
      return index;
    },
  };
};
