/**
 * A normal form under which many equal expressions coincide, used to prove equivalence: a polynomial with integer
 * coefficients over atoms, where an atom is a dimension, a symbol, or an irreducible quotient. Remainders are expressed
 * by quotients, ceilings by floors, and the dividend of a quotient by c has coefficients in `[0, c)` without a common
 * factor with c.
 */
import { isAffineError } from './affine-error.ts';
import type { AffineExpr } from './affine-expr.ts';
import { addExact, floorDivInteger, gcd, modInteger, mulExact } from './integer.ts';

/** A coefficient times a product of atoms, identified by their texts, in order. The empty product is a constant. */
interface Monomial {
  readonly atoms: readonly Atom[];
  readonly coefficient: number;
}

interface Atom {
  readonly key: string;
  /** The quotient that the atom is, if its divisor is a constant. */
  readonly quotient?: { readonly dividend: Polynomial; readonly divisor: number };
}

/** Monomials by the text of their atoms; none has coefficient 0. */
type Polynomial = ReadonlyMap<string, Monomial>;

/** Maximum number of monomials in a polynomial; products of sums may have many. */
const maxMonomials = 512;

/**
 * Whether the normal forms of two expressions coincide, which implies that they are equal wherever both have a value.
 */
export function sameNormalForm(a: AffineExpr, b: AffineExpr): boolean {
  try {
    return plus(polynomialOf(a), scale(polynomialOf(b), -1)).size === 0;
  } catch (error) {
    // A coefficient beyond 2^53, or too many monomials: nothing is proved.
    if (isAffineError(error) || error instanceof TooManyMonomials) return false;
    throw error;
  }
}

class TooManyMonomials extends Error {}

function polynomialOf(expr: AffineExpr): Polynomial {
  switch (expr.kind) {
    case 'constant':
      return constantPolynomial(expr.value);
    case 'dim':
      return atomPolynomial({ key: `d${expr.position}` });
    case 'symbol':
      return atomPolynomial({ key: `s${expr.position}` });
    default: {
      const lhs = polynomialOf(expr.lhs);
      const rhs = polynomialOf(expr.rhs);
      switch (expr.kind) {
        case 'add':
          return plus(lhs, rhs);
        case 'mul':
          return times(lhs, rhs);
        case 'floordiv':
          return floorQuotient(lhs, rhs);
        case 'ceildiv':
          return ceilQuotient(lhs, rhs);
        case 'mod':
          return plus(lhs, scale(times(rhs, floorQuotient(lhs, rhs)), -1));
      }
    }
  }
}

function constantPolynomial(value: number): Polynomial {
  return value === 0 ? new Map() : new Map([['', { atoms: [], coefficient: value }]]);
}

function atomPolynomial(atom: Atom): Polynomial {
  return new Map([[atom.key, { atoms: [atom], coefficient: 1 }]]);
}

function plus(a: Polynomial, b: Polynomial): Polynomial {
  const sum = new Map(a);
  for (const [key, { atoms, coefficient }] of b) {
    const total = addExact(sum.get(key)?.coefficient ?? 0, coefficient);
    if (total === 0) sum.delete(key);
    else sum.set(key, { atoms, coefficient: total });
  }
  if (sum.size > maxMonomials) throw new TooManyMonomials();
  return sum;
}

function scale(polynomial: Polynomial, factor: number): Polynomial {
  if (factor === 0) return new Map();
  return mapCoefficients(polynomial, (coefficient) => mulExact(coefficient, factor));
}

function times(a: Polynomial, b: Polynomial): Polynomial {
  let product: Polynomial = new Map();
  for (const left of a.values()) {
    const row = new Map<string, Monomial>();
    for (const right of b.values()) {
      const atoms = [...left.atoms, ...right.atoms].sort((x, y) =>
        x.key < y.key ? -1 : x.key > y.key ? 1 : 0,
      );
      row.set(keyOf(atoms), { atoms, coefficient: mulExact(left.coefficient, right.coefficient) });
    }
    product = plus(product, row);
  }
  return product;
}

function keyOf(atoms: readonly Atom[]): string {
  return atoms.map(({ key }) => key).join('*');
}

/** The polynomial with mapped coefficients; zero ones are dropped. */
function mapCoefficients(polynomial: Polynomial, change: (coefficient: number) => number): Polynomial {
  const changed = new Map<string, Monomial>();
  for (const [key, { atoms, coefficient }] of polynomial) {
    const value = change(coefficient);
    if (value !== 0) changed.set(key, { atoms, coefficient: value });
  }
  return changed;
}

/** The text of a polynomial, its monomials in order. */
function textOf(polynomial: Polynomial): string {
  const monomials = [...polynomial].map(([key, { coefficient }]) => `${coefficient}*${key}`);
  return monomials.sort().join('+');
}

function constantTerm(polynomial: Polynomial): number {
  return polynomial.get('')?.coefficient ?? 0;
}

function floorQuotient(dividend: Polynomial, divisor: Polynomial): Polynomial {
  const constant = constantTerm(divisor);
  if (divisor.size === 0) return atomPolynomial({ key: `(${textOf(dividend)})/0` });
  if (divisor.size > 1 || constant === 0) return symbolicQuotient(dividend, divisor);
  return constant > 0
    ? quotientByConstant(dividend, constant)
    : quotientByConstant(scale(dividend, -1), -constant);
}

function ceilQuotient(dividend: Polynomial, divisor: Polynomial): Polynomial {
  return scale(floorQuotient(scale(dividend, -1), divisor), -1);
}

/** Extracts multiples of a divisor that is a product of atoms; the rest is an atom. */
function symbolicQuotient(dividend: Polynomial, divisor: Polynomial): Polynomial {
  const [only] = divisor.values();
  let whole: Polynomial = new Map();
  let rest = dividend;
  if (divisor.size === 1 && only?.coefficient === 1) {
    for (const [key, monomial] of dividend) {
      const atoms = withoutAtoms(monomial.atoms, only.atoms);
      if (atoms === undefined) continue;
      whole = plus(whole, new Map([[keyOf(atoms), { atoms, coefficient: monomial.coefficient }]]));
      rest = new Map([...rest].filter(([other]) => other !== key));
    }
  }
  if (rest.size === 0) return whole;
  return plus(whole, atomPolynomial({ key: `(${textOf(rest)})/(${textOf(divisor)})` }));
}

/** `atoms` without those of `removed`; undefined if one of these is missing. */
function withoutAtoms(atoms: readonly Atom[], removed: readonly Atom[]): Atom[] | undefined {
  const left = [...atoms];
  for (const { key } of removed) {
    const index = left.findIndex((atom) => atom.key === key);
    if (index < 0) return undefined;
    left.splice(index, 1);
  }
  return left;
}

/** `dividend floordiv divisor`, the divisor positive. */
function quotientByConstant(dividend: Polynomial, divisor: number): Polynomial {
  // 1. Extract multiples of the divisor: reduces coefficients to [0, divisor).
  const whole = mapCoefficients(dividend, (coefficient) => floorDivInteger(coefficient, divisor));
  const rest = mapCoefficients(dividend, (coefficient) => modInteger(coefficient, divisor));
  // 2. Cancel the common factor of the divisor and all coefficients; the constant is rounded down.
  const offset = constantTerm(rest);
  const variable = new Map([...rest].filter(([key]) => key !== ''));
  if (variable.size === 0) return whole;
  let common = divisor;
  for (const { coefficient } of variable.values()) common = gcd(common, coefficient);
  const reduced = plus(
    mapCoefficients(variable, (coefficient) => coefficient / common),
    constantPolynomial(floorDivInteger(offset, common)),
  );
  const reducedDivisor = divisor / common;
  if (reducedDivisor === 1) return plus(whole, reduced);
  // 3. (x floordiv a + k) floordiv b is (x + a * k) floordiv (a * b).
  const nested = soleQuotient(variable, common);
  if (nested !== undefined) {
    const { dividend: inner, divisor: innerDivisor } = nested;
    const shift = constantPolynomial(mulExact(innerDivisor, constantTerm(reduced)));
    return plus(whole, quotientByConstant(plus(inner, shift), mulExact(innerDivisor, reducedDivisor)));
  }
  // 4. Choose one of the equal x floordiv c and -((-x + c - 1) floordiv c).
  if (isMirrored(reduced, reducedDivisor)) {
    const mirrored = plus(scale(reduced, -1), constantPolynomial(reducedDivisor - 1));
    return plus(whole, scale(quotientByConstant(mirrored, reducedDivisor), -1));
  }
  const key = `(${textOf(reduced)})/${reducedDivisor}`;
  return plus(whole, atomPolynomial({ key, quotient: { dividend: reduced, divisor: reducedDivisor } }));
}

/** The quotient that `polynomial / factor` is, if it is a single one. */
function soleQuotient(polynomial: Polynomial, factor: number): Atom['quotient'] {
  const [only] = polynomial.values();
  if (polynomial.size !== 1 || only?.coefficient !== factor || only.atoms.length !== 1) return undefined;
  return only.atoms[0]?.quotient;
}

/**
 * Whether the first coefficient other than half the divisor exceeds that half; without one, if the constant is
 * nonzero.
 */
function isMirrored(reduced: Polynomial, divisor: number): boolean {
  const keys = [...reduced.keys()].filter((key) => key !== '').sort();
  for (const key of keys) {
    const coefficient = reduced.get(key)?.coefficient ?? 0;
    if (coefficient * 2 !== divisor) return coefficient * 2 > divisor;
  }
  return constantTerm(reduced) > 0;
}
