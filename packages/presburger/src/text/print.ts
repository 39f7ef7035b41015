/** Prints sets and relations in isl's syntax. */
import type { BasicSet } from '../basic-set.ts';
import { isObviouslyEmpty } from '../basic-set.ts';
import type { Int } from '../int.ts';
import { absInt, divExactInt, modInt, mulInt, negInt } from '../int.ts';
import type { PresburgerUnion } from '../presburger-set.ts';
import type { Row } from '../row.ts';
import { combineRows, isConstantRow, negateRow } from '../row.ts';
import { unusedName } from '../space.ts';

/**
 * The text of a set or relation in isl's syntax, which isl and `parseSet` and `parseRelation` read:
 * `[n] -> { [i] : 0 <= i < n and i mod 2 = 0 }`. A dimension that has the name of a symbol, or one of the range
 * that has the name of one of the domain, is primed.
 */
export function print({ kind, space, pieces }: PresburgerUnion): string {
  const { symbols } = space;
  const taken = new Set(symbols);
  const unused = (name: string): string => {
    const found = unusedName(name, taken);
    taken.add(found);
    return found;
  };
  const inputs = space.inputs.map(unused);
  const dims = space.dims.map(unused);
  const tuple = (names: readonly string[]) => `[${names.join(', ')}]`;
  const head = kind === 'relation' ? `${tuple(inputs)} -> ${tuple(dims)}` : tuple(dims);
  const names = [...inputs, ...dims, ...symbols];
  const parts = pieces
    .filter((piece) => !isObviouslyEmpty(piece))
    .map((piece) => {
      const body = new PiecePrinter(piece, names, kind === 'relation' ? dims : []).body();
      return body === '' ? head : `${head} : ${body}`;
    });
  const parameters = symbols.length > 0 ? `${tuple(symbols)} -> ` : '';
  return `${parameters}{ ${parts.length > 0 ? parts.join('; ') : `${head} : false`} }`;
}

/** A term of a sum: its coefficient, and what it multiplies; the constant multiplies nothing. */
interface Term {
  readonly coefficient: Int;
  readonly factor: string;
}

class PiecePrinter {
  readonly #piece: BasicSet;
  readonly #names: string[];
  /** The names that equalities are solved for. */
  readonly #results: ReadonlySet<string>;

  constructor(piece: BasicSet, names: readonly string[], results: readonly string[]) {
    this.#piece = piece;
    this.#results = new Set(results);
    this.#names = [...names];
    const taken = new Set(names);
    piece.locals.forEach((local, i) => {
      // A quotient's text has brackets of its own, so that it is a factor wherever it stands.
      if (local === null) this.#names.push(unusedName(`e${i}`, taken));
      else this.#names.push(`floor(${bracketed(this.#sum(this.#terms(local.dividend)))}/${local.divisor})`);
    });
  }

  body(): string {
    const { equalities, inequalities, locals, numVariables } = this.#piece;
    const parts = [...equalities.map((row) => this.#equality(row)), ...this.#bounds(inequalities)];
    const unknown = this.#names.filter((_, i) => i >= numVariables && locals[i - numVariables] === null);
    const conjunction = parts.join(' and ');
    return unknown.length > 0 ? `exists (${unknown.join(', ')} : ${conjunction || 'true'})` : conjunction;
  }

  /** `i = 2*j + 1`, `i mod 2 = 1`; the value of a relation on the left: `r0 = 8*i + j`. */
  #equality(row: Row): string {
    const terms = this.#terms(row);
    const results = terms.filter(({ factor }) => this.#results.has(factor));
    const [result] = results;
    if (results.length === 1 && result !== undefined && absInt(result.coefficient) === 1) {
      const others = terms.filter((term) => term !== result);
      return `${result.factor} = ${this.#sum(result.coefficient < 0 ? others : others.map(opposite))}`;
    }
    const first = terms.find(({ factor }) => factor !== '');
    const [left, right] = sides(first !== undefined && first.coefficient < 0 ? terms.map(opposite) : terms);
    return `${this.#sum(left)} = ${this.#sum(right)}`;
  }

  /** The inequalities, two bounds of one variable or sum as a chain: `0 <= i <= 9`. */
  #bounds(rows: readonly Row[]): string[] {
    const printed = new Set<Row>();
    return rows.flatMap((row) => {
      if (printed.has(row)) return [];
      const other = rows.find((each) => each !== row && !printed.has(each) && isOpposite(each, row));
      if (other === undefined) return [this.#inequality(row)];
      printed.add(other);
      const positive = row.find((value) => value !== 0)! > 0;
      const [lower, upper] = positive ? [row, other] : [other, row];
      const middle = this.#sum(this.#terms([...lower.slice(0, -1), 0]));
      return [`${String(negInt(lower.at(-1)!))} <= ${middle} <= ${String(upper.at(-1)!)}`];
    });
  }

  /** `i <= 9`, `i < n`: the variable that comes first is on the left. */
  #inequality(row: Row): string {
    const terms = this.#terms(row);
    const isConstant = (side: readonly Term[]) => side.every(({ factor }) => factor === '');
    const variables = terms.filter(({ factor }) => factor !== '');
    // Between variables, less by one is less.
    const isStrict = terms.at(-1)?.factor === '' && terms.at(-1)!.coefficient === -1;
    const strict = isStrict && !sides(variables).some(isConstant);
    const [positive, negative] = sides(strict ? variables : terms);
    const equals = strict ? '' : '=';
    return variables[0] !== undefined && variables[0].coefficient > 0
      ? `${this.#sum(positive)} >${equals} ${this.#sum(negative)}`
      : `${this.#sum(negative)} <${equals} ${this.#sum(positive)}`;
  }

  /** The terms of a form; `x - c * floor(x / c)` is a `mod`. */
  #terms(row: Row): Term[] {
    const { locals, numVariables } = this.#piece;
    const remainders: Term[] = [];
    let rest = row;
    for (let i = locals.length - 1; i >= 0; i--) {
      const local = locals[i];
      const coefficient = rest[numVariables + i]!;
      if (!local || coefficient === 0 || modInt(coefficient, local.divisor) !== 0) continue;
      const factor = negInt(divExactInt(coefficient, local.divisor));
      const { dividend } = local;
      if (!dividend.every((value, j) => j === dividend.length - 1 || fits(rest[j]!, mulInt(value, factor))))
        continue;
      // What is left has neither the dividend nor the quotient.
      const taken = combineRows(dividend, factor, dividend, 0);
      taken[numVariables + i] = coefficient;
      rest = combineRows(rest, 1, taken, -1);
      remainders.push({
        coefficient: factor,
        factor: `${bracketed(this.#sum(this.#terms(dividend)))} mod ${local.divisor}`,
      });
    }
    const terms: Term[] = [];
    const last = rest.length - 1;
    rest.forEach((coefficient, i) => {
      if (i < last && coefficient !== 0) terms.push({ coefficient, factor: this.#names[i] ?? '' });
    });
    terms.push(...remainders);
    if (rest[last] !== 0) terms.push({ coefficient: rest[last]!, factor: '' });
    return terms;
  }

  #sum(terms: readonly Term[]): string {
    if (terms.length === 0) return '0';
    return terms
      .map(({ coefficient, factor }, i) => {
        const sign = i === 0 ? (coefficient < 0 ? '-' : '') : coefficient < 0 ? ' - ' : ' + ';
        return `${sign}${product(absInt(coefficient), factor, terms.length > 1)}`;
      })
      .join('');
  }
}

/** A sum as an operand; a name needs no brackets. */
const bracketed = (sum: string): string => (/^[\w']+$/.test(sum) ? sum : `(${sum})`);

/** Whether a form has the multiple of a dividend in a column: with its sign, and at least as much. */
const fits = (has: Int, wanted: Int): boolean => has === wanted || wanted === 0;

function product(coefficient: Int, factor: string, isPart: boolean): string {
  if (factor === '') return String(coefficient);
  const remainder = factor.includes(' mod ') && !factor.startsWith('floor');
  if (coefficient === 1) return remainder && isPart ? `(${factor})` : factor;
  return `${String(coefficient)}*${remainder ? `(${factor})` : factor}`;
}

const opposite = ({ coefficient, factor }: Term): Term => ({ coefficient: negInt(coefficient), factor });

/** The terms with positive coefficients, and the opposites of the others. */
function sides(terms: readonly Term[]): [Term[], Term[]] {
  return [
    terms.filter(({ coefficient }) => coefficient > 0),
    terms.filter(({ coefficient }) => coefficient < 0).map(opposite),
  ];
}

/** Whether two forms have opposite coefficients, but for their constants. */
const isOpposite = (a: Row, b: Row): boolean =>
  !isConstantRow(a) && negateRow(a).every((value, i) => i === a.length - 1 || value === b[i]);
