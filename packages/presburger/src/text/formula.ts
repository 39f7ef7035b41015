/**
 * Formulas while they are read: alternatives of conjunctions of affine constraints. Local variables have numbers of
 * their own until a piece is made, so that alternatives share them without being rewritten.
 */
import type { BasicSet, Local } from '../basic-set.ts';
import { basicSet } from '../basic-set.ts';
import { spend } from '../budget.ts';
import type { Int } from '../int.ts';
import { addInt, divExactInt, floorDivInt, gcdInt, mulInt } from '../int.ts';
import type { Row } from '../row.ts';
import { zeros } from '../row.ts';

/** An affine form: the coefficients of its variables and locals by number, and a constant. */
export interface Form {
  readonly terms: ReadonlyMap<number, Int>;
  readonly constant: Int;
}

/** `form = 0` or `form >= 0`. */
export interface Atom {
  readonly form: Form;
  readonly kind: 'eq' | 'ge';
}

/** All of these hold. */
export type Conjunction = readonly Atom[];

/** One of these holds. */
export type Formula = readonly Conjunction[];

/** The formula that always holds. */
export const always: Formula = [[]];
/** The formula that never holds. */
export const never: Formula = [];

/** A constant. */
export const constantForm = (constant: Int): Form => ({ terms: new Map(), constant });

/** A variable. */
export const variableForm = (variable: number): Form => ({ terms: new Map([[variable, 1]]), constant: 0 });

/** `a * scaleA + b * scaleB`. */
export function combineForms(a: Form, scaleA: Int, b: Form, scaleB: Int): Form {
  spend(a.terms.size + b.terms.size);
  const terms = new Map<number, Int>();
  for (const [form, scale] of [
    [a, scaleA],
    [b, scaleB],
  ] as const) {
    for (const [variable, coefficient] of form.terms) {
      const sum = addInt(terms.get(variable) ?? 0, mulInt(coefficient, scale));
      if (sum === 0) terms.delete(variable);
      else terms.set(variable, sum);
    }
  }
  return { terms, constant: addInt(mulInt(a.constant, scaleA), mulInt(b.constant, scaleB)) };
}

/** `a - b + offset`. */
export const differenceOf = (a: Form, b: Form, offset: Int = 0): Form =>
  combineForms(combineForms(a, 1, b, -1), 1, constantForm(offset), 1);

/** Formulas all of which hold, which are given one by one. */
export class Joined {
  #alternatives: Atom[][] = [[]];

  /** What all of them say. */
  get formula(): Formula {
    return this.#alternatives;
  }

  /** Adds a formula; false, and nothing is added, if there would be more alternatives than `most`. */
  add(formula: Formula, most: number): boolean {
    const before = this.#alternatives;
    if (before.length * formula.length > most) return false;
    spend(before.length * atomsOf(formula));
    const [only] = formula;
    if (formula.length === 1 && only !== undefined)
      for (const one of before) for (const atom of only) one.push(atom);
    else {
      spend(formula.length * atomsOf(before));
      this.#alternatives = before.flatMap((one) => formula.map((other) => [...one, ...other]));
    }
    return true;
  }
}

const atomsOf = (formula: Formula): number => formula.reduce((sum, atoms) => sum + atoms.length + 1, 0);

/** What holds where an atom does not. */
export const negateAtom = ({ form, kind }: Atom): Formula => {
  const below: Conjunction = [{ form: combineForms(form, -1, constantForm(-1), 1), kind: 'ge' }];
  if (kind === 'ge') return [below];
  return [below, [{ form: combineForms(form, 1, constantForm(-1), 1), kind: 'ge' }]];
};

/** Numbers of variables and locals: those of the space first, in the order of its columns. */
export class Locals {
  readonly #numVariables: number;
  readonly #definitions: ({ readonly dividend: Form; readonly divisor: Int } | null)[] = [];

  constructor(numVariables: number) {
    this.#numVariables = numVariables;
  }

  /** A local of which some value has to satisfy the constraints. */
  unknown(): number {
    return this.#numVariables + this.#definitions.push(null) - 1;
  }

  /** How many there are. */
  get count(): number {
    return this.#definitions.length;
  }

  /** Whether a form uses an unknown that was made when there were `from` locals or more, be it in a dividend. */
  usesUnknown(form: Form, from: number): boolean {
    return [...form.terms.keys()].some((variable) => {
      const definition = this.#definitions[variable - this.#numVariables];
      if (definition === null) return variable - this.#numVariables >= from;
      return definition !== undefined && this.usesUnknown(definition.dividend, from);
    });
  }

  /** `floor(dividend / divisor)`; the divisor is positive. A form without fractions becomes no local. */
  quotient(dividend: Form, divisor: Int): Form {
    const common = [...dividend.terms.values()].reduce(gcdInt, divisor);
    const reduced = quotientBy(dividend, common);
    const by = divExactInt(divisor, common);
    if (by === 1) return reduced;
    spend(this.#definitions.length);
    const known = this.#definitions.findIndex(
      (each) => each !== null && each.divisor === by && sameForm(each.dividend, reduced),
    );
    const local = known >= 0 ? known : this.#definitions.push({ dividend: reduced, divisor: by }) - 1;
    return variableForm(this.#numVariables + local);
  }

  /** The piece of a conjunction, with those of the locals that it uses. */
  pieceOf(conjunction: Conjunction): BasicSet {
    const used = new Set<number>();
    const use = (form: Form): void => {
      for (const variable of form.terms.keys()) {
        const local = variable - this.#numVariables;
        if (local < 0 || used.has(local)) continue;
        used.add(local);
        const definition = this.#definitions[local];
        if (definition) use(definition.dividend);
      }
    };
    for (const { form } of conjunction) use(form);
    // A division comes after the locals that its dividend uses, as it was made after them.
    const order = [...used].sort((a, b) => a - b);
    const columnOf = new Map(order.map((local, i) => [local, this.#numVariables + i]));
    const length = this.#numVariables + order.length + 1;
    const rowOf = ({ terms, constant }: Form): Row => {
      // Rows take memory, too.
      spend(4 * length);
      const row = zeros(length);
      for (const [variable, coefficient] of terms)
        row[columnOf.get(variable - this.#numVariables) ?? variable] = coefficient;
      row[length - 1] = constant;
      return row;
    };
    const locals = order.map((local): Local => {
      const definition = this.#definitions[local];
      return definition ? { dividend: rowOf(definition.dividend), divisor: definition.divisor } : null;
    });
    const rows = (wanted: Atom['kind']) =>
      conjunction.filter(({ kind }) => kind === wanted).map(({ form }) => rowOf(form));
    return basicSet(this.#numVariables, { locals, equalities: rows('eq'), inequalities: rows('ge') });
  }
}

/** `-form`. */
export const negateForm = (form: Form): Form => combineForms(form, -1, constantForm(0), 0);

/** The constant that a form is; undefined if it has variables. */
export const constantOf = ({ terms, constant }: Form): Int | undefined =>
  terms.size === 0 ? constant : undefined;

/** `ceil(dividend / divisor)` with a quotient that is rounded down. */
export const roundedUp = (locals: Locals, dividend: Form, divisor: Int): Form =>
  negateForm(locals.quotient(negateForm(dividend), divisor));

/** A form whose coefficients are multiples of the divisor, divided; the constant is rounded down. */
function quotientBy({ terms, constant }: Form, divisor: Int): Form {
  const divided = [...terms].map(
    ([variable, coefficient]) => [variable, divExactInt(coefficient, divisor)] as const,
  );
  return { terms: new Map(divided), constant: floorDivInt(constant, divisor) };
}

const sameForm = (a: Form, b: Form): boolean =>
  a.constant === b.constant &&
  a.terms.size === b.terms.size &&
  [...a.terms].every(([variable, coefficient]) => b.terms.get(variable) === coefficient);
