/**
 * Trigonometric functions of f64, their inverses, those of hyperbolic ones, and powers, of one number. What would lose
 * digits is computed in two parts.
 */
import type { MathKit, Split } from '@sconv/kernels';
import {
  exactProduct,
  exactSum,
  exponentialOf,
  polynomial,
  preciseLogarithm,
  quickSum,
  withSign,
} from '@sconv/kernels';
import type { FunctionBuilder, FunctionRef, Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f64, i32, select, typed } from './instructions.ts';
import { numberKit } from './math-kit.ts';

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
const alternating = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => ((i + (first >> 1)) % 2 === 0 ? 1 : -1) / factorial(first + 2 * i));

/** -1/3!, 1/5! …, and 1/4!, -1/6! …. */
const sineTerms = alternating(3, 8);
const cosineTerms = alternating(4, 7);

/** The sine of an angle from -π/4 to π/4. */
const sineOf = (k: MathKit<Expr>, { high, low }: Split<Expr>): Split<Expr> => {
  const square = k.keep(k.mul(high, high));
  const cube = k.mul(k.mul(square, high), polynomial(k, square, sineTerms));
  const ofLow = k.mul(low, k.sub(k.of(1), k.mul(k.of(0.5), square)));
  return quickSum(k, high, k.keep(k.add(cube, ofLow)));
};

const cosineOf = (k: MathKit<Expr>, { high, low }: Split<Expr>): Split<Expr> => {
  const square = k.keep(k.mul(high, high));
  const half = k.keep(k.mul(k.of(0.5), square));
  const begun = k.keep(k.sub(k.of(1), half));
  const lost = k.sub(k.sub(k.of(1), begun), half);
  const terms = k.sub(k.mul(k.mul(square, square), polynomial(k, square, cosineTerms)), k.mul(high, low));
  return quickSum(k, begun, k.keep(k.add(lost, terms)));
};

/** A quotient in two parts; numbers below 2^990. */
const quotient = (k: MathKit<Expr>, a: Split<Expr>, b: Split<Expr>): Split<Expr> => {
  const high = k.keep(k.div(a.high, b.high));
  const product = exactProduct(k, high, b.high);
  const rest = k.add(k.sub(k.sub(a.high, product.high), product.low), k.sub(a.low, k.mul(high, b.low)));
  return { high, low: k.keep(k.div(rest, b.high)) };
};

const sumOf = (k: MathKit<Expr>, { high, low }: Split<Expr>): Expr => k.add(high, low);

/** Functions of one number, given the function that reduces angles. */
type OfNumber = (f: FunctionBuilder, x: Expr<'f64'>, reduction: () => FunctionRef) => Expr;

const isOdd = (f: FunctionBuilder, quarters: Local<'i32'>, bit: number): Expr<'i32'> =>
  i32.and(f.get(quarters), i32.const(bit));

const reducedAngle = (
  f: FunctionBuilder,
  x: Expr<'f64'>,
  reduction: FunctionRef,
): { readonly angle: Split<Expr>; readonly quarters: Local<'i32'> } => {
  const [high, low, quarters] = f.call(reduction, x) as [Local<'f64'>, Local<'f64'>, Local<'i32'>];
  return { angle: { high: f.get(high), low: f.get(low) }, quarters };
};

/** The sine of an angle, `ahead` quarters of a turn ahead. */
const sineAhead =
  (ahead: 0 | 1): OfNumber =>
  (f, x, reduction) => {
    const k = numberKit(f);
    const { angle, quarters } = reducedAngle(f, x, reduction());
    if (ahead === 1) f.set(quarters, i32.add(f.get(quarters), i32.const(1)));
    const value = f.local('f64');
    f.if(
      isOdd(f, quarters, 1),
      () => {
        f.set(value, typed(sumOf(k, cosineOf(k, angle)), 'f64'));
      },
      () => {
        // A small one is its sine, 0 with its sign.
        const sine = k.keep(sumOf(k, sineOf(k, angle)));
        const isSmall = k.lt(k.abs(angle.high), k.of(2 ** -27));
        f.set(value, typed(k.choose(isSmall, angle.high, sine), 'f64'));
      },
    );
    return select(f64.neg(f.get(value)), f.get(value), isOdd(f, quarters, 2));
  };

const tangent: OfNumber = (f, x, reduction) => {
  const k = numberKit(f);
  const { angle, quarters } = reducedAngle(f, x, reduction());
  const [sine, cosine] = [sineOf(k, angle), cosineOf(k, angle)];
  const odd = f.get(f.let(isOdd(f, quarters, 1)));
  const minus = { high: k.keep(k.neg(cosine.high)), low: k.keep(k.neg(cosine.low)) };
  const either = (a: Split<Expr>, b: Split<Expr>): Split<Expr> => ({
    high: k.keep(k.choose(odd, a.high, b.high)),
    low: k.keep(k.choose(odd, a.low, b.low)),
  });
  const result = k.keep(sumOf(k, quotient(k, either(minus, sine), either(sine, cosine))));
  const isSmall = k.lt(k.abs(x), k.of(2 ** -27));
  return k.choose(isSmall, x, result);
};

/** atan(q) is q + q³ times the polynomial of these in q², up to √2 - 1. */
const arcTangentTerms = [
  -0.3333333333333333, 0.19999999999999804, -0.14285714285659828, 0.11111111105155447, -0.09090908753500877,
  0.07692296375032143, -0.06666424885738255, 0.05878928997834775, -0.05230454270650244, 0.04551593220626549,
  -0.034570561981427744, 0.016285756855221028,
];
const halfPiLow = 6.123233995736766e-17;

/** The angle, from 0 to π/2, of a right triangle with these sides, not negative and below 2^990. */
const angleOf = (k: MathKit<Expr>, opposite: Split<Expr>, adjacent: Split<Expr>): Split<Expr> => {
  // Turned back by a quarter or an eighth of a turn, its tangent is small.
  const isSteep = k.keep(k.lt(k.mul(adjacent.high, k.of(Math.SQRT2 + 1)), opposite.high));
  const isFlat = k.keep(k.le(opposite.high, k.mul(adjacent.high, k.of(Math.SQRT2 - 1))));
  const difference = exactSum(k, opposite.high, k.keep(k.neg(adjacent.high)));
  const sum = exactSum(k, opposite.high, adjacent.high);
  const pick = (steep: Expr, flat: Expr, other: Expr): Expr =>
    k.keep(k.choose(isSteep, steep, k.choose(isFlat, flat, other)));
  const above: Split<Expr> = {
    high: pick(k.neg(adjacent.high), opposite.high, difference.high),
    low: pick(k.neg(adjacent.low), opposite.low, k.add(difference.low, k.sub(opposite.low, adjacent.low))),
  };
  const below = pick(opposite.high, adjacent.high, sum.high);
  const isPoint = k.eq(below, k.of(0));
  const below2: Split<Expr> = {
    high: k.keep(k.choose(isPoint, k.of(1), below)),
    low: pick(opposite.low, adjacent.low, k.add(sum.low, k.add(opposite.low, adjacent.low))),
  };
  const q = quotient(k, above, below2);
  const square = k.keep(k.mul(q.high, q.high));
  const cube = k.mul(k.mul(q.high, square), polynomial(k, square, arcTangentTerms));
  const turned = pick(k.of(Math.PI / 2), k.of(0), k.of(Math.PI / 4));
  const turnedLow = pick(k.of(halfPiLow), k.of(0), k.of(halfPiLow / 2));
  const rest = quickSum(k, q.high, k.keep(k.add(cube, k.add(q.low, turnedLow))));
  const whole = quickSum(k, turned, rest.high);
  const isAlone = k.keep(k.eq(turned, k.of(0)));
  return {
    high: k.keep(k.choose(isAlone, rest.high, whole.high)),
    low: k.keep(k.choose(isAlone, rest.low, k.add(whole.low, rest.low))),
  };
};

const exact = (k: MathKit<Expr>, high: Expr): Split<Expr> => ({ high, low: k.of(0) });

/** π less an angle, if the condition holds. */
const supplement = (k: MathKit<Expr>, condition: Expr, { high, low }: Split<Expr>): Expr => {
  const other = k.sub(k.of(Math.PI), k.sub(k.sub(high, k.of(2 * halfPiLow)), k.neg(low)));
  return k.choose(condition, other, k.add(high, low));
};

const arcTangent: OfNumber = (f, x) => {
  const k = numberKit(f);
  const magnitude = k.keep(k.min(k.abs(x), k.of(2 ** 60)));
  return withSign(k, sumOf(k, angleOf(k, exact(k, magnitude), exact(k, k.of(1)))), x);
};

/** The square root in two parts. */
const squareRoot = (k: MathKit<Expr>, { high, low }: Split<Expr>): Split<Expr> => {
  const root = k.keep(k.sqrt(high));
  const square = exactProduct(k, root, root);
  const rest = k.add(k.sub(k.sub(high, square.high), square.low), low);
  const isZero = k.eq(root, k.of(0));
  return { high: root, low: k.keep(k.choose(isZero, k.of(0), k.div(rest, k.mul(k.of(2), root)))) };
};

/** √(1 - x²) of a number from -1 to 1; NaN of others. */
const otherSide = (k: MathKit<Expr>, x: Expr): Split<Expr> => {
  const square = exactProduct(k, x, x);
  const rest = exactSum(k, k.of(1), k.keep(k.neg(square.high)));
  const low = k.sub(rest.low, square.low);
  return squareRoot(k, quickSum(k, rest.high, k.keep(low)));
};

const arcSine: OfNumber = (f, x) => {
  const k = numberKit(f);
  const magnitude = k.keep(k.min(k.abs(x), k.of(2)));
  return withSign(k, sumOf(k, angleOf(k, exact(k, magnitude), otherSide(k, magnitude))), x);
};

const arcCosine: OfNumber = (f, x) => {
  const k = numberKit(f);
  const magnitude = k.keep(k.min(k.abs(x), k.of(2)));
  const angle = angleOf(k, otherSide(k, magnitude), exact(k, magnitude));
  return supplement(k, k.lt(x, k.of(0)), angle);
};

/** log(high + low) in two parts, with a low part that is small. */
const logarithmOf = (k: MathKit<Expr>, { high, low }: Split<Expr>): Expr => {
  const log = preciseLogarithm(k, high);
  return k.add(log.high, k.add(log.low, k.div(low, high)));
};

/** log(x) + ln 2 of a large number. */
const largeLogarithm = (k: MathKit<Expr>, x: Expr): Expr => {
  const log = preciseLogarithm(k, x);
  return k.add(k.add(log.high, k.of(Math.LN2)), log.low);
};

const areaSine: OfNumber = (f, x) => {
  const k = numberKit(f);
  const magnitude = k.keep(k.abs(x));
  const within = k.keep(k.min(magnitude, k.of(2 ** 30)));
  // log(x + √(x² + 1))
  const square = exactProduct(k, within, within);
  const sum = exactSum(k, square.high, k.of(1));
  const root = squareRoot(k, { high: sum.high, low: k.keep(k.add(sum.low, square.low)) });
  const whole = exactSum(k, root.high, within);
  const near = logarithmOf(k, { high: whole.high, low: k.keep(k.add(whole.low, root.low)) });
  // x - x³/6 + 3x⁵/40, where the sum is close to 1.
  const series = polynomial(k, square.high, [-1 / 6, 3 / 40, -15 / 336]);
  const small = k.add(magnitude, k.mul(k.mul(magnitude, square.high), series));
  const large = largeLogarithm(k, magnitude);
  const isSmall = k.lt(magnitude, k.of(2 ** -8));
  const result = k.choose(isSmall, small, k.choose(k.lt(magnitude, k.of(2 ** 30)), near, large));
  return withSign(k, k.choose(k.lt(magnitude, k.of(Infinity)), result, magnitude), x);
};

const areaCosine: OfNumber = (f, x) => {
  const k = numberKit(f);
  const within = k.keep(k.min(x, k.of(2 ** 30)));
  // log(x + √(x² - 1))
  const square = exactProduct(k, within, within);
  const difference = exactSum(k, square.high, k.of(-1));
  const root = squareRoot(k, quickSum(k, difference.high, k.keep(k.add(difference.low, square.low))));
  const whole = exactSum(k, within, root.high);
  const near = logarithmOf(k, { high: whole.high, low: k.keep(k.add(whole.low, root.low)) });
  const result = k.choose(k.lt(x, k.of(2 ** 30)), near, largeLogarithm(k, x));
  const positive = k.choose(k.lt(x, k.of(1)), k.of(NaN), result);
  return k.choose(k.lt(x, k.of(Infinity)), positive, x);
};

const areaTangent: OfNumber = (f, x) => {
  const k = numberKit(f);
  const magnitude = k.keep(k.min(k.abs(x), k.of(2)));
  // log((1 + x) / (1 - x)) / 2
  const ratio = quotient(k, exactSum(k, k.of(1), magnitude), exactSum(k, k.of(1), k.keep(k.neg(magnitude))));
  const near = k.mul(k.of(0.5), logarithmOf(k, ratio));
  const square = k.keep(k.mul(magnitude, magnitude));
  const series = polynomial(k, square, [1 / 3, 1 / 5, 1 / 7, 1 / 9]);
  const small = k.add(magnitude, k.mul(k.mul(magnitude, square), series));
  const inside = k.choose(k.lt(magnitude, k.of(2 ** -7)), small, near);
  const atOne = k.choose(k.eq(magnitude, k.of(1)), k.of(Infinity), inside);
  const result = k.choose(k.lt(k.of(1), magnitude), k.of(NaN), atOne);
  return withSign(k, result, x);
};

/** By the name of the operation of `math`, those of one number. */
export const numberFunctions: Readonly<Record<string, OfNumber>> = {
  'math.sin': sineAhead(0),
  'math.cos': sineAhead(1),
  'math.tan': tangent,
  'math.asin': arcSine,
  'math.acos': arcCosine,
  'math.atan': arcTangent,
  'math.asinh': areaSine,
  'math.acosh': areaCosine,
  'math.atanh': areaTangent,
};

/** Functions of two numbers. */
type OfNumbers = (f: FunctionBuilder, a: Expr<'f64'>, b: Expr<'f64'>) => Expr;

/** The angle of the point (x, y), from -π to π. */
const angleOfPoint: OfNumbers = (f, y, x) => {
  const k = numberKit(f);
  const [up, along] = [k.keep(k.abs(y)), k.keep(k.abs(x))];
  const largest = k.keep(k.max(up, along));
  const small = k.choose(k.lt(largest, k.of(2 ** -400)), k.of(2 ** 600), k.of(1));
  const scale = k.keep(k.choose(k.lt(k.of(2 ** 900), largest), k.of(2 ** -150), small));
  // Infinite sides are equal to each other, and so much larger than others that these do not count.
  const side = (length: Expr): Split<Expr> => exact(k, k.keep(k.min(k.mul(length, scale), k.of(2 ** 989))));
  const angle = angleOf(k, side(up), side(along));
  const isBehind = f64.lt(f64.copysign(f64.const(1), x), f64.const(0));
  const result = withSign(k, supplement(k, isBehind, angle), y);
  return k.choose(k.eq(largest, largest), result, k.of(NaN));
};

/** C's `pow`. */
const power: OfNumbers = (f, x, y) => {
  const k = numberKit(f);
  const magnitude = k.keep(k.abs(x));
  // 1. exp(y log|x|), the exponent in two parts; larger ones than 2^64 leave nothing else than 0, 1 and ∞.
  const log = preciseLogarithm(k, magnitude);
  const exponent = k.keep(k.max(k.min(y, k.of(2 ** 64)), k.of(-(2 ** 64))));
  const product = exactProduct(k, exponent, log.high);
  const low = k.keep(k.add(product.low, k.mul(exponent, log.low)));
  const ordinary = k.keep(
    exponentialOf(k, product.high, 0, k.keep(k.max(k.min(low, k.of(2 ** -30)), k.of(-(2 ** -30))))),
  );
  // 2. Of 0 and ∞, 0 or ∞.
  const grows = k.keep(f64.lt(f64.const(0), y));
  const isLarge = k.eq(magnitude, k.of(Infinity));
  const isZero = k.eq(magnitude, k.of(0));
  const atInfinity = k.choose(grows, k.of(Infinity), k.of(0));
  const atZero = k.choose(grows, k.of(0), k.of(Infinity));
  const size = k.keep(k.choose(isLarge, atInfinity, k.choose(isZero, atZero, ordinary)));
  // 3. Of a negative number, negative for an odd exponent, and none for a fraction.
  const half = k.keep(k.mul(y, k.of(0.5)));
  const isWhole = k.keep(k.eq(k.floor(y), y));
  const isOdd = i32.and(typed(isWhole, 'i32'), f64.ne(typed(k.floor(half), 'f64'), typed(half, 'f64')));
  const isNegative = f64.lt(f64.copysign(f64.const(1), x), f64.const(0));
  const signed = k.choose(i32.and(isNegative, isOdd), k.neg(size), size);
  const isNone = i32.and(
    i32.and(f64.lt(x, f64.const(0)), f64.lt(f64.const(-Infinity), x)),
    i32.eqz(typed(isWhole, 'i32')),
  );
  const result = k.choose(isNone, k.of(NaN), signed);
  // 4. 1 to any power, any number to the power of 0, and -1 to an infinite one are 1.
  const isOne = i32.or(
    i32.or(typed(k.eq(x, k.of(1)), 'i32'), typed(k.eq(y, k.of(0)), 'i32')),
    i32.and(typed(k.eq(magnitude, k.of(1)), 'i32'), typed(k.eq(k.abs(y), k.of(Infinity)), 'i32')),
  );
  const isNumber = i32.and(typed(k.eq(x, x), 'i32'), typed(k.eq(y, y), 'i32'));
  return k.choose(isOne, k.of(1), k.choose(isNumber, result, k.of(NaN)));
};

/** C's `fmod`, exact: multiples of `y` by powers of two are subtracted, the largest first. */
const remainder: OfNumbers = (f, x, y) => {
  const [rest, divisor] = [f.let(f64.abs(x)), f.let(f64.abs(y))];
  const multiple = f.let(f.get(divisor));
  const half = f64.const(0.5);
  const isOrdinary = i32.and(
    i32.and(f64.lt(f64.const(0), f.get(divisor)), f64.lt(f.get(divisor), f64.const(Infinity))),
    f64.lt(f.get(rest), f64.const(Infinity)),
  );
  f.if(isOrdinary, () => {
    f.loop((next) => {
      f.if(f64.le(f.get(multiple), f64.mul(f.get(rest), half)), () => {
        f.set(multiple, f64.add(f.get(multiple), f.get(multiple)));
        f.branch(next);
      });
    });
    f.loop((next) => {
      f.if(f64.le(f.get(multiple), f.get(rest)), () => {
        f.set(rest, f64.sub(f.get(rest), f.get(multiple)));
      });
      f.set(multiple, f64.mul(f.get(multiple), half));
      f.branchIf(next, f64.le(f.get(divisor), f.get(multiple)));
    });
  });
  // Of 0, of infinite dividends and of what is no number there is none; infinite divisors leave the dividend.
  const hasOne = i32.and(f64.lt(f.get(rest), f64.const(Infinity)), f64.lt(f64.const(0), f.get(divisor)));
  return select(f64.copysign(f.get(rest), x), f64.const(NaN), hasOne);
};

/** By the name of the operation, those of two numbers. */
export const pairFunctions: Readonly<Record<string, OfNumbers>> = {
  'arith.remf': remainder,
  'math.atan2': angleOfPoint,
  'math.powf': power,
};
