/** Sets and relations of MLIR's affine sets and maps: quotients and remainders by constants become local variables. */
import type { AffineExprData, AffineMapData, IntegerSetData } from '@sconv/affine';
import { fold, printExpr } from '@sconv/affine';
import type { Division } from './basic-set.ts';
import { basicSet, reducedDivision } from './basic-set.ts';
import type { Int } from './int.ts';
import { addInt, floorDivInt, modInt, mulInt, negInt } from './int.ts';
import { PresburgerError } from './presburger-error.ts';
import type { PresburgerSet, Relation } from './presburger-set.ts';
import { presburgerSet, relation } from './presburger-set.ts';
import type { Row } from './row.ts';
import { sameRow, zeros } from './row.ts';
import type { Space } from './space.ts';
import { defaultNames, numVariables, relationSpace, setSpace } from './space.ts';

/** Names of the variables; by default `d0, …`, `s0, …`, and `r0, …` for results. */
export interface AffineNames {
  readonly dims?: readonly string[];
  readonly symbols?: readonly string[];
  readonly results?: readonly string[];
}

/** The points of an affine set. Errors: `presburger/not-affine` for one that divides by a symbol, or multiplies two. */
export function fromSet(set: IntegerSetData, names: AffineNames = {}): PresburgerSet {
  const space = setSpace(
    names.dims ?? defaultNames('d', set.numDims),
    names.symbols ?? defaultNames('s', set.numSymbols),
  );
  const rows = new RowBuilder(space);
  const forms = set.constraints.map(({ expr, kind }) => ({ kind, form: rows.formOf(expr) }));
  const of = (wanted: 'eq' | 'ge') =>
    forms.filter(({ kind }) => kind === wanted).map(({ form }) => rows.rowOf(form));
  return presburgerSet(space, [
    basicSet(numVariables(space), { locals: rows.locals(), equalities: of('eq'), inequalities: of('ge') }),
  ]);
}

/** `{ (d0, …) -> (results) }`. Errors: as for `fromSet`. */
export function fromMap(map: AffineMapData, names: AffineNames = {}): Relation {
  const space = relationSpace(
    names.dims ?? defaultNames('d', map.numDims),
    names.results ?? defaultNames('r', map.results.length),
    names.symbols ?? defaultNames('s', map.numSymbols),
  );
  const rows = new RowBuilder(space);
  const forms = map.results.map((result, i) => rows.minus(rows.formOf(result), rows.column(map.numDims + i)));
  const equalities = forms.map((form) => rows.rowOf(form));
  return relation(space, [basicSet(numVariables(space), { locals: rows.locals(), equalities })]);
}

/** An affine form while local variables are still added: the constant first, then a coefficient per column so far. */
type Form = readonly Int[];

/** Builds rows of affine expressions, adding a local for each distinct quotient. Dimensions are the first columns. */
export class RowBuilder {
  readonly #firstSymbol: number;
  readonly #variables: number;
  readonly #divisions: { dividend: Form; divisor: Int }[] = [];

  constructor(space: Space) {
    this.#firstSymbol = space.inputs.length + space.dims.length;
    this.#variables = numVariables(space);
  }

  formOf(expr: AffineExprData): Form {
    return fold<Form>(expr, {
      dim: (position) => this.column(position),
      symbol: (position) => this.column(this.#firstSymbol + position),
      constant: (value) => [value],
      add: (lhs, rhs) => sum(lhs, 1, rhs, 1),
      mul: (lhs, rhs, node) => {
        if (isConstant(rhs)) return sum(lhs, rhs[0]!, [], 0);
        if (isConstant(lhs)) return sum(rhs, lhs[0]!, [], 0);
        throw notAffine(node);
      },
      mod: (lhs, rhs, node) => {
        const divisor = divisorOf(rhs, node);
        return sum(lhs, 1, this.#quotient(lhs, divisor), negInt(divisor));
      },
      floordiv: (lhs, rhs, node) => this.#quotient(lhs, divisorOf(rhs, node)),
      ceildiv: (lhs, rhs, node) => negated(this.#quotient(negated(lhs), divisorOf(rhs, node))),
    });
  }

  /** `a - b`. */
  minus(a: Form, b: Form): Form {
    return sum(a, 1, b, -1);
  }

  /** The form that is one column. */
  column(position: number): Form {
    const form = zeros(position + 2);
    form[position + 1] = 1;
    return form;
  }

  /** The row of a form, once no more forms are asked for. */
  rowOf(form: Form): Row {
    const row = zeros(this.#variables + this.#divisions.length + 1);
    for (let i = 1; i < form.length; i++) row[i - 1] = form[i]!;
    row[row.length - 1] = form[0] ?? 0;
    return row;
  }

  /** The local variables of the rows. */
  locals(): Division[] {
    return this.#divisions.map(({ dividend, divisor }) => ({ dividend: this.rowOf(dividend), divisor }));
  }

  /** `floor(form / divisor)`: whole multiples of the divisor are taken out, so that equal quotients share a local. */
  #quotient(form: Form, divisor: Int): Form {
    if (divisor < 0) return this.#quotient(negated(form), negInt(divisor));
    const whole = form.map((value) => floorDivInt(value, divisor));
    const rest = form.map((value) => modInt(value, divisor));
    while (rest.length > 1 && rest.at(-1) === 0) rest.pop();
    if (isConstant(rest)) return whole;
    // The constant of a row is last, of a form first.
    const reduced = reducedDivision([...rest.slice(1), rest[0]!], divisor);
    const dividend = [reduced.dividend.at(-1)!, ...reduced.dividend.slice(0, -1)];
    let local = this.#divisions.findIndex(
      (each) => each.divisor === reduced.divisor && sameRow(each.dividend, dividend),
    );
    if (local < 0) local = this.#divisions.push({ dividend, divisor: reduced.divisor }) - 1;
    return sum(whole, 1, this.column(this.#variables + local), 1);
  }
}

function sum(a: Form, scaleA: Int, b: Form, scaleB: Int): Form {
  const result = new Array<Int>(Math.max(a.length, b.length));
  for (let i = 0; i < result.length; i++)
    result[i] = addInt(mulInt(a[i] ?? 0, scaleA), mulInt(b[i] ?? 0, scaleB));
  return result;
}

const negated = (form: Form): Form => form.map(negInt);

const isConstant = (form: Form): boolean => form.every((value, i) => i === 0 || value === 0);

function divisorOf(form: Form, node: AffineExprData): Int {
  if (isConstant(form) && form[0] !== 0) return form[0]!;
  throw notAffine(node);
}

const notAffine = (node: AffineExprData): PresburgerError =>
  new PresburgerError(
    'presburger/not-affine',
    `${printExpr(node)} multiplies variables, or divides by one or by zero: only constants may`,
  );
