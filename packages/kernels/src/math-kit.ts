/**
 * Arithmetic that mathematical functions are written in: a function is written once, for numbers and for vectors, for
 * WebAssembly and as ops. Conditions choose between values that are both computed.
 */

/** Operations on numbers of f64; bits are integers as wide, and conditions of a kind of their own. */
export interface MathKit<E> {
  readonly of: (value: number) => E;
  readonly bitsOf: (value: bigint) => E;
  /** Computes a value once. */
  readonly keep: (a: E) => E;
  readonly add: (a: E, b: E) => E;
  readonly sub: (a: E, b: E) => E;
  readonly mul: (a: E, b: E) => E;
  readonly div: (a: E, b: E) => E;
  /** Of which either is NaN, NaN. */
  readonly min: (a: E, b: E) => E;
  readonly max: (a: E, b: E) => E;
  readonly abs: (a: E) => E;
  readonly neg: (a: E) => E;
  readonly sqrt: (a: E) => E;
  readonly floor: (a: E) => E;
  /** The nearest integer, ties to even. */
  readonly nearest: (a: E) => E;
  readonly lt: (a: E, b: E) => E;
  readonly le: (a: E, b: E) => E;
  readonly eq: (a: E, b: E) => E;
  readonly choose: (condition: E, a: E, b: E) => E;
  readonly toBits: (a: E) => E;
  readonly fromBits: (a: E) => E;
  readonly addBits: (a: E, b: E) => E;
  readonly subBits: (a: E, b: E) => E;
  readonly andBits: (a: E, b: E) => E;
  readonly orBits: (a: E, b: E) => E;
  readonly shiftLeft: (bits: E, count: number) => E;
  /** Keeps the sign. */
  readonly shiftRight: (bits: E, count: number) => E;
}

/** The operations that functions of f32 take, with bits of 32. */
export interface SingleKit<E> extends Pick<
  MathKit<E>,
  | 'of'
  | 'bitsOf'
  | 'keep'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'abs'
  | 'neg'
  | 'lt'
  | 'choose'
  | 'toBits'
  | 'fromBits'
  | 'addBits'
  | 'subBits'
  | 'andBits'
  | 'orBits'
  | 'shiftLeft'
  | 'shiftRight'
> {
  /** The second one if it is less, or else the first, such as NaN. */
  readonly lesser: (a: E, b: E) => E;
  /** The second one if it is greater, or else the first, such as NaN. */
  readonly greater: (a: E, b: E) => E;
}

/** A sum of powers of `x` with these coefficients, the constant one first. */
export const polynomial = <E>(
  { of, add, mul }: Pick<MathKit<E>, 'of' | 'add' | 'mul'>,
  x: E,
  coefficients: readonly number[],
): E =>
  coefficients.slice(0, -1).reduceRight((sum, each) => add(mul(sum, x), of(each)), of(coefficients.at(-1)!));

/**
 * The same sum in pairs, pairs of pairs and so on (Estrin): few of its steps wait for another, which is faster where a
 * function is computed of many numbers, and rounds no worse for `x` of a small range.
 */
export const pairwisePolynomial = <E>(
  k: Pick<MathKit<E>, 'of' | 'add' | 'mul' | 'keep'>,
  x: E,
  coefficients: readonly number[],
): E => sumOfPairs(k, x, coefficients.map(k.of));

const sumOfPairs = <E>(k: Pick<MathKit<E>, 'add' | 'mul' | 'keep'>, x: E, terms: readonly E[]): E => {
  if (terms.length === 1) return terms[0]!;
  const pairs = terms.flatMap((term, i) => {
    if (i % 2 === 1) return [];
    const next = terms[i + 1];
    return [next === undefined ? term : k.add(term, k.mul(next, x))];
  });
  return sumOfPairs(k, pairs.length === 1 ? x : k.keep(k.mul(x, x)), pairs);
};

/** `x` with the sign of `like`; `x` is not negative. */
export const withSign = <E>(k: MathKit<E>, x: E, like: E): E =>
  k.fromBits(k.orBits(k.toBits(x), k.andBits(k.toBits(like), k.bitsOf(-(2n ** 63n)))));

/** A number as two: `high` is it rounded, and `low` what is left. */
export interface Split<E> {
  readonly high: E;
  readonly low: E;
}

/** The exact sum, if the first is not the smaller one. */
export const quickSum = <E>(k: MathKit<E>, a: E, b: E): Split<E> => {
  const high = k.keep(k.add(a, b));
  return { high, low: k.keep(k.sub(b, k.sub(high, a))) };
};

/** The exact sum. */
export const exactSum = <E>(k: MathKit<E>, a: E, b: E): Split<E> => {
  const high = k.keep(k.add(a, b));
  const part = k.keep(k.sub(high, a));
  return { high, low: k.keep(k.add(k.sub(a, k.sub(high, part)), k.sub(b, part))) };
};

/** Upper and lower halves of the digits. */
const halves = <E>(k: MathKit<E>, a: E): Split<E> => {
  const scaled = k.keep(k.mul(a, k.of(2 ** 27 + 1)));
  const high = k.keep(k.sub(scaled, k.sub(scaled, a)));
  return { high, low: k.keep(k.sub(a, high)) };
};

/** The exact product of numbers below 2^990, which is no subnormal. */
export const exactProduct = <E>(k: MathKit<E>, a: E, b: E): Split<E> => {
  const high = k.keep(k.mul(a, b));
  const [x, y] = [halves(k, a), halves(k, b)];
  const rest = k.sub(k.mul(x.high, y.high), high);
  const crossed = k.add(k.add(rest, k.mul(x.high, y.low)), k.mul(x.low, y.high));
  return { high, low: k.keep(k.add(crossed, k.mul(x.low, y.low))) };
};
