/** Rows: the coefficients of an affine form, one per column, the constant last. */
import { spend } from './budget.ts';
import type { Int } from './int.ts';
import { absInt, addInt, divExactInt, floorDivInt, gcdInt, mulInt, negInt } from './int.ts';

/** The coefficients of an affine form over the columns of a piece; the last is the constant. */
export type Row = readonly Int[];

/** `length` zeros. */
export const zeros = (length: number): Int[] => new Array<Int>(length).fill(0);

/** The form that is 1 in one column, and a constant. */
export function unitRow(length: number, column: number, coefficient: Int = 1, constant: Int = 0): Int[] {
  const row = zeros(length);
  row[length - 1] = constant;
  row[column] = coefficient;
  return row;
}

/** `a * scaleA + b * scaleB`. */
export function combineRows(a: Row, scaleA: Int, b: Row, scaleB: Int): Int[] {
  spend(a.length);
  const result = new Array<Int>(a.length);
  for (let i = 0; i < a.length; i++) result[i] = addInt(mulInt(a[i]!, scaleA), mulInt(b[i]!, scaleB));
  return result;
}

/** `-row`. */
export const negateRow = (row: Row): Int[] => row.map(negInt);

/** `-row - 1`: at least 0 where `row` is negative. */
export function complementRow(row: Row): Int[] {
  const negated = negateRow(row);
  negated[row.length - 1] = addInt(negated[row.length - 1]!, -1);
  return negated;
}

/** The row with its constant changed by `offset`. */
export function shiftRow(row: Row, offset: Int): Int[] {
  const shifted = [...row];
  shifted[row.length - 1] = addInt(row.at(-1)!, offset);
  return shifted;
}

/** The greatest common divisor of the coefficients from `start` to `end`, without the constant. */
export function contentOf(row: Row, start = 0, end = row.length - 1): Int {
  let content: Int = 0;
  for (let i = start; i < end && content !== 1; i++) if (row[i] !== 0) content = gcdInt(content, row[i]!);
  return content;
}

/** `row / divisor`; all coefficients are multiples, and the constant is rounded down. */
export function divideRow(row: Row, divisor: Int): Int[] {
  const result = new Array<Int>(row.length);
  for (let i = 0; i < row.length - 1; i++) result[i] = divExactInt(row[i]!, divisor);
  result[row.length - 1] = floorDivInt(row.at(-1)!, divisor);
  return result;
}

/** The row without what it has of `column`, by a multiple of `pivot`, whose coefficient there is `±1`. */
export function eliminateColumn(row: Row, column: number, pivot: Row): Row {
  const coefficient = row[column]!;
  if (coefficient === 0) return row;
  return combineRows(row, 1, pivot, pivot[column] === 1 ? negInt(coefficient) : coefficient);
}

/** The row in other columns: column `i` goes to `target[i]`, or is left out for -1; the constant stays last. */
export function moveColumns(row: Row, target: readonly number[], length: number): Int[] {
  spend(length);
  const result = zeros(length);
  for (let i = 0; i < target.length; i++) {
    const to = target[i]!;
    if (to >= 0) result[to] = addInt(result[to]!, row[i]!);
  }
  result[length - 1] = row.at(-1)!;
  return result;
}

/** The row with `count` columns of zeros before the constant. */
export function padRow(row: Row, count: number): Row {
  if (count === 0) return row;
  const result = zeros(row.length + count);
  for (let i = 0; i < row.length - 1; i++) result[i] = row[i]!;
  result[result.length - 1] = row.at(-1)!;
  return result;
}

/** The value of the form at a point. */
export function valueOf(row: Row, point: Row): Int {
  spend(row.length);
  let value: Int = row.at(-1)!;
  for (let i = 0; i < row.length - 1; i++)
    if (row[i] !== 0) value = addInt(value, mulInt(row[i]!, point[i]!));
  return value;
}

/** Whether all coefficients but the constant are 0. */
export function isConstantRow(row: Row): boolean {
  for (let i = 0; i < row.length - 1; i++) if (row[i] !== 0) return false;
  return true;
}

/** Whether two rows are equal, with the constant. */
export function sameRow(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Whether a coefficient is 1 or -1. */
export const isUnit = (coefficient: Int): boolean => absInt(coefficient) === 1;
