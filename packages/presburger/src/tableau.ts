/**
 * The simplex tableau: rational points of linear constraints, exactly. Rows are integers over one common denominator,
 * so that a pivot divides without remainder and needs no greatest common divisors (J. Edmonds, Systems of distinct
 * representatives and linear algebra, 1967). Pivots go by the least index (R. Bland, 1977): no cycles.
 */
import { spend } from './budget.ts';
import { cross } from './cross.ts';
import type { Int } from './int.ts';
import { addInt, divExactInt, floorDivInt, gcdInt, mulInt, negInt } from './int.ts';
import type { Row } from './row.ts';
import { unitRow } from './row.ts';

/** The greatest value of a form, `value / denominator`; or a ray along which it grows without end. */
export type Optimum =
  | { readonly kind: 'optimum'; readonly value: Int; readonly denominator: Int }
  | { readonly kind: 'unbounded'; readonly ray: readonly Int[] };

/** The least and the greatest integer of an unknown, the least being greater where there is none. */
export interface Extent {
  readonly least: Int;
  readonly most: Int;
}

/** The rational points that satisfy some inequalities over `size` unknowns. */
export class Tableau {
  /** The number of unknowns that may have any sign; constraints, numbered after them, are at least 0. */
  readonly size: number;
  /** Each row: the constant, then one entry per column, over `#denominator`. */
  readonly #rows: Int[][] = [];
  #denominator: Int = 1;
  /** What stands in each row and column. */
  readonly #inRow: number[] = [];
  readonly #inColumn: number[];
  /** Where each unknown or constraint stands: its row, or `-1 - column`. */
  readonly #place: number[];
  #isEmpty = false;

  constructor(size: number) {
    this.size = size;
    this.#inColumn = Array.from({ length: size }, (_, i) => i);
    this.#place = this.#inColumn.map((i) => -1 - i);
  }

  /** Whether no rational point satisfies the constraints. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Adds `row >= 0`; false if no rational point is left. */
  add(row: Row): boolean {
    if (this.#isEmpty) return false;
    this.#place.push(this.#append(row, this.#place.length));
    return this.#raiseLast();
  }

  /** Whether the point at hand is an integer one. */
  hasIntegerPoint(): boolean {
    if (this.#denominator === 1) return true;
    for (let i = 0; i < this.size; i++) {
      const place = this.#place[i]!;
      if (place >= 0 && !divides(this.#denominator, this.#rows[place]![0]!)) return false;
    }
    return true;
  }

  /** A point that satisfies the constraints, as numerators over one denominator. */
  point(): { readonly numerators: readonly Int[]; readonly denominator: Int } {
    const numerators = Array.from({ length: this.size }, (_, i) => {
      const place = this.#place[i]!;
      return place < 0 ? 0 : this.#rows[place]![0]!;
    });
    return { numerators, denominator: this.#denominator };
  }

  /** The greatest value of a form, and a point where it is taken is at hand then. The tableau is not empty. */
  maximize(form: Row): Optimum {
    const objective = this.#append(form, -1);
    for (;;) {
      const improving = this.#improvingColumn(objective);
      if (improving === undefined) break;
      const limit = this.#limitingRow(improving.column, improving.sign, objective);
      if (limit < 0) {
        this.#rows.pop();
        this.#inRow.pop();
        return { kind: 'unbounded', ray: this.#ray(improving.column, improving.sign) };
      }
      this.#pivot(limit, improving.column);
    }
    const value = this.#rows[objective]![0]!;
    this.#rows.pop();
    this.#inRow.pop();
    return { kind: 'optimum', value, denominator: this.#denominator };
  }

  /** The least and greatest integers of an unknown, each at a vertex; undefined if it has no end on a side. */
  extent(unknown: number, atVertex?: () => void): Extent | undefined {
    const [most, negated] = ([1, -1] as const).map((sign) => {
      const end = this.maximize(unitRow(this.size + 1, unknown, sign));
      atVertex?.();
      return end.kind === 'optimum' ? floorDivInt(end.value, end.denominator) : undefined;
    });
    return most === undefined || negated === undefined ? undefined : { least: negInt(negated), most };
  }

  /** The form over the columns as a new last row; its number. */
  #append(form: Row, constraint: number): number {
    const row = new Array<Int>(this.size + 1).fill(0);
    row[0] = mulInt(form[this.size]!, this.#denominator);
    for (let i = 0; i < this.size; i++) {
      const coefficient = form[i]!;
      if (coefficient === 0) continue;
      const place = this.#place[i]!;
      if (place < 0) row[-place] = addInt(row[-place]!, mulInt(coefficient, this.#denominator));
      else {
        const basic = this.#rows[place]!;
        for (let j = 0; j <= this.size; j++) row[j] = addInt(row[j]!, mulInt(coefficient, basic[j]!));
      }
    }
    this.#inRow.push(constraint);
    return this.#rows.push(row) - 1;
  }

  /** Pivots until the last row is at least 0; false if it cannot be. */
  #raiseLast(): boolean {
    const last = this.#rows.length - 1;
    for (;;) {
      // The row may have left for a column, where it is 0.
      const constraint = this.#place.length - 1;
      if (this.#place[constraint] !== last || this.#rows[last]![0]! >= 0) return true;
      const improving = this.#improvingColumn(last);
      if (improving === undefined) {
        this.#isEmpty = true;
        return false;
      }
      const limit = this.#limitingRow(improving.column, improving.sign, last);
      // Row `last` reaches 0 first, or another row does.
      const isFirst = limit < 0 || this.#compareRatios(last, limit, improving.column) <= 0;
      this.#pivot(isFirst ? last : limit, improving.column);
    }
  }

  /** A column that increases the row: one without sign if there is, else the one of least index. */
  #improvingColumn(row: number): { column: number; sign: 1 | -1 } | undefined {
    const entries = this.#rows[row]!;
    let best = -1;
    for (let j = 0; j < this.size; j++) {
      const entry = entries[j + 1]!;
      if (entry === 0) continue;
      const unknown = this.#inColumn[j]!;
      if (unknown < this.size) return { column: j, sign: entry > 0 ? 1 : -1 };
      if (entry > 0 && (best < 0 || unknown < this.#inColumn[best]!)) best = j;
    }
    return best < 0 ? undefined : { column: best, sign: 1 };
  }

  /** The constraint that becomes 0 first as the column grows, apart from row `except`; -1 if none does. */
  #limitingRow(column: number, sign: 1 | -1, except: number): number {
    let best = -1;
    for (let i = 0; i < this.#rows.length; i++) {
      if (i === except || this.#inRow[i]! < this.size) continue;
      const entry = this.#rows[i]![column + 1]!;
      if (entry === 0 || entry > 0 === sign > 0) continue;
      if (best < 0) best = i;
      else {
        const order = this.#compareRatios(i, best, column);
        if (order < 0 || (order === 0 && this.#inRow[i]! < this.#inRow[best]!)) best = i;
      }
    }
    return best;
  }

  /** The sign of `|constant / entry|` of row `a` minus that of row `b`. */
  #compareRatios(a: number, b: number, column: number): number {
    const [rowA, rowB] = [this.#rows[a]!, this.#rows[b]!];
    const [left, right] = [mulInt(rowA[0]!, rowB[column + 1]!), mulInt(rowB[0]!, rowA[column + 1]!)];
    const [x, y] = [left < 0 ? -left : left, right < 0 ? -right : right];
    return x < y ? -1 : x > y ? 1 : 0;
  }

  /** The direction in which the unknowns move with a column, in lowest terms. */
  #ray(column: number, sign: 1 | -1): Int[] {
    const ray = Array.from({ length: this.size }, (_, i): Int => {
      const place = this.#place[i]!;
      const entry =
        place >= 0 ? this.#rows[place]![column + 1]! : -1 - place === column ? this.#denominator : 0;
      return sign < 0 ? negInt(entry) : entry;
    });
    const common = ray.reduce(gcdInt, 0);
    return ray.map((value) => divExactInt(value, common));
  }

  /** Exchanges what stands in a row and in a column. */
  #pivot(row: number, column: number): void {
    const { size } = this;
    spend((this.#rows.length + 4) * (size + 4));
    const pivotRow = this.#rows[row]!;
    const before = this.#denominator;
    const isNegative = pivotRow[column + 1]! < 0;
    if (isNegative) for (let j = 0; j <= size; j++) pivotRow[j] = negInt(pivotRow[j]!);
    const pivot = pivotRow[column + 1]!;
    for (let i = 0; i < this.#rows.length; i++) {
      if (i === row) continue;
      const other = this.#rows[i]!;
      const factor = other[column + 1]!;
      if (factor === 0) {
        if (pivot !== before) for (let j = 0; j <= size; j++) other[j] = scaled(other[j]!, pivot, before);
        continue;
      }
      for (let j = 0; j <= size; j++) other[j] = cross(other[j]!, pivot, factor, pivotRow[j]!, before);
      other[column + 1] = isNegative ? negInt(factor) : factor;
    }
    for (let j = 0; j <= size; j++) pivotRow[j] = negInt(pivotRow[j]!);
    pivotRow[column + 1] = isNegative ? negInt(before) : before;
    this.#denominator = pivot;
    this.#exchange(row, column);
  }

  #exchange(row: number, column: number): void {
    const [leaving, entering] = [this.#inRow[row]!, this.#inColumn[column]!];
    this.#inRow[row] = entering;
    this.#inColumn[column] = leaving;
    this.#place[entering] = row;
    this.#place[leaving] = -1 - column;
  }
}

const scaled = (value: Int, by: Int, over: Int): Int => (value === 0 ? 0 : cross(value, by, 0, 0, over));

const divides = (divisor: Int, value: Int): boolean =>
  typeof divisor === 'number' && typeof value === 'number'
    ? value % divisor === 0
    : BigInt(value) % BigInt(divisor) === 0n;
