/** The box around a piece that single constraints give: what tells most pieces apart without solving anything. */
import type { BasicSet } from './basic-set.ts';
import { spend } from './budget.ts';
import type { Int } from './int.ts';
import { negInt } from './int.ts';
import type { Row } from './row.ts';
import { isUnit } from './row.ts';

/** Least and largest values of each variable of the space; undefined where no single constraint bounds it. */
interface Box {
  readonly least: readonly (Int | undefined)[];
  readonly largest: readonly (Int | undefined)[];
}

/** Pieces never change: each one's box is found once. */
const boxes = new WeakMap<BasicSet, Box>();

function boxOf(piece: BasicSet): Box {
  const known = boxes.get(piece);
  if (known !== undefined) return known;
  const least = new Array<Int | undefined>(piece.numVariables).fill(undefined);
  const largest = [...least];
  const bound = (row: Row, column: number, isLower: boolean): void => {
    const constant = row.at(-1)!;
    // The coefficient is 1 for a lower bound, -1 for an upper one.
    if (isLower) {
      const value = negInt(constant);
      const before = least[column];
      if (before === undefined || before < value) least[column] = value;
    } else {
      const before = largest[column];
      if (before === undefined || before > constant) largest[column] = constant;
    }
  };
  for (const row of piece.inequalities) {
    const column = onlyColumn(row, piece.numVariables);
    if (column !== undefined) bound(row, column, row[column]! > 0);
  }
  for (const row of piece.equalities) {
    const column = onlyColumn(row, piece.numVariables);
    if (column === undefined) continue;
    const isLower = row[column]! > 0;
    bound(row, column, isLower);
    bound(row.map(negInt), column, !isLower);
  }
  const box = { least, largest };
  boxes.set(piece, box);
  return box;
}

/** The one variable of a row that has no other column, with a coefficient of 1 or -1. */
function onlyColumn(row: Row, numVariables: number): number | undefined {
  spend(row.length);
  let found: number | undefined;
  for (let column = 0; column < row.length - 1; column++) {
    if (row[column] === 0) continue;
    if (found !== undefined || column >= numVariables || !isUnit(row[column]!)) return undefined;
    found = column;
  }
  return found;
}

/** Whether a variable's values in one piece are all below those in the other: no point is in both. */
export function areApart(a: BasicSet, b: BasicSet): boolean {
  const [first, second] = [boxOf(a), boxOf(b)];
  spend(a.numVariables);
  for (let i = 0; i < a.numVariables; i++)
    if (isBelow(first.largest[i], second.least[i]) || isBelow(second.largest[i], first.least[i])) return true;
  return false;
}

const isBelow = (largest: Int | undefined, least: Int | undefined): boolean =>
  largest !== undefined && least !== undefined && largest < least;
