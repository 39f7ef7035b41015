/** Integer solutions of equations: all of them, as the integer combinations of some vectors. */
import { spend } from './budget.ts';
import type { Int } from './int.ts';
import { absInt, addInt, divExactInt, floorDivInt, modInt, mulInt, negInt } from './int.ts';
import type { Row } from './row.ts';
import { contentOf, divideRow, zeros } from './row.ts';

/** The points `offset + Σ y_i columns[i]` for integers y, each once. */
export interface Lattice {
  readonly columns: readonly Row[];
  readonly offset: Row;
}

/** All integer points of `size` coordinates. */
export const fullLattice = (size: number): Lattice => ({
  columns: Array.from({ length: size }, (_, i) => {
    const column = zeros(size);
    column[i] = 1;
    return column;
  }),
  offset: zeros(size),
});

/** A form over the coordinates of points as one over the parameters of a lattice. */
export function formOnLattice(row: Row, { columns, offset }: Lattice): Int[] {
  spend((columns.length + 1) * row.length);
  const result = columns.map((column) => dot(row, column));
  result.push(addInt(dot(row, offset), row.at(-1)!));
  return result;
}

/** The point of a lattice for these parameters. */
export function pointOfLattice({ columns, offset }: Lattice, parameters: Row): Int[] {
  let point = [...offset];
  columns.forEach((column, i) => {
    point = addScaled(point, column, parameters[i]!);
  });
  return point;
}

/**
 * The points of a lattice at which all forms over its coordinates are 0; undefined if there are none. Each equation
 * loses a parameter, by Euclid's algorithm on its coefficients.
 */
export function solveEqualities(lattice: Lattice, equalities: readonly Row[]): Lattice | undefined {
  let { columns, offset } = lattice;
  for (const equality of equalities) {
    const row = formOnLattice(equality, { columns, offset });
    const content = contentOf(row);
    if (content === 0) {
      if (row.at(-1) !== 0) return undefined;
      continue;
    }
    if (modInt(row.at(-1)!, content) !== 0) return undefined;
    const form: Int[] = divideRow(row, content);
    const basis = [...columns];
    const pivot = isolate(form, basis);
    // form[pivot] is 1 or -1, and the other coefficients are 0: the parameter is known.
    const value = form[pivot] === 1 ? negInt(form.at(-1)!) : form.at(-1)!;
    offset = addScaled(offset, basis[pivot]!, value);
    basis.splice(pivot, 1);
    columns = basis;
  }
  return { columns, offset };
}

/**
 * Changes the basis, and the form with it, until the form depends on one parameter only, with the coefficient that is
 * the greatest common divisor of all up to the sign; the position of that parameter.
 */
export function isolate(form: Int[], basis: Row[]): number {
  for (;;) {
    let pivot = -1;
    for (let i = 0; i < basis.length; i++)
      if (form[i] !== 0 && (pivot < 0 || absInt(form[i]!) < absInt(form[pivot]!))) pivot = i;
    const divisor = absInt(form[pivot]!);
    let isDone = true;
    for (let i = 0; i < basis.length; i++) {
      if (i === pivot || form[i] === 0) continue;
      const nearest = nearestQuotient(form[i]!, divisor);
      const quotient = form[pivot]! < 0 ? negInt(nearest) : nearest;
      form[i] = addInt(form[i]!, negInt(mulInt(quotient, form[pivot]!)));
      basis[i] = addScaled(basis[i]!, basis[pivot]!, negInt(quotient));
      if (form[i] !== 0) isDone = false;
    }
    if (isDone) return pivot;
  }
}

/** `a / b` rounded to the nearest integer. */
export const nearestQuotient = (a: Int, b: Int): Int => floorDivInt(addInt(mulInt(a, 2), b), mulInt(b, 2));

/** `a + b * scale`. */
export function addScaled(a: Row, b: Row, scale: Int): Int[] {
  spend(a.length);
  const result = new Array<Int>(a.length);
  for (let i = 0; i < a.length; i++) result[i] = addInt(a[i]!, mulInt(b[i]!, scale));
  return result;
}

/** The sum of products of the entries of the shorter, the second. */
export function dot(row: Row, column: Row): Int {
  let sum: Int = 0;
  for (let i = 0; i < column.length; i++) if (row[i] !== 0) sum = addInt(sum, mulInt(row[i]!, column[i]!));
  return sum;
}

/** The integer vector in the same direction without common factors; itself if it is 0. */
export function primitive(vector: Row): Row {
  const content = contentOf(vector, 0, vector.length);
  return content === 0 || content === 1 ? vector : vector.map((value) => divExactInt(value, content));
}
