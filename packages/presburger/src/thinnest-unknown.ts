/** The unknown of a parametric problem that has the fewest values. */
import type { BasicSet } from './basic-set.ts';
import { allConstraints, columnsOf } from './basic-set.ts';
import type { Int } from './int.ts';
import { addInt, floorDivInt, negInt } from './int.ts';
import type { Row } from './row.ts';
import { negateRow, unitRow, zeros } from './row.ts';
import { Tableau } from './tableau.ts';

/** An unknown, by number, and bounds of its values for all parameters. */
export interface Range {
  readonly unknown: number;
  readonly least: Int;
  readonly most: Int;
}

/**
 * The unknown with the shortest range, of those that are bounded; undefined if none is, or no point is left. Columns of
 * the rows: those of the context without its constant, the unknowns, 1.
 */
export function thinnestUnknown(
  context: BasicSet,
  unknowns: number,
  rows: readonly Row[],
): Range | undefined {
  const known = columnsOf(context) - 1;
  const size = known + unknowns;
  const wide = (row: Row): Row => [...row.slice(0, known), ...zeros(unknowns), row.at(-1)!];
  const { equalities, inequalities } = allConstraints(context);
  const tableau = new Tableau(size);
  const both = equalities.flatMap((row) => [row, negateRow(row)]);
  for (const row of [...[...both, ...inequalities].map(wide), ...rows])
    if (!tableau.add(row)) return undefined;
  let thinnest: Range | undefined;
  for (let unknown = 0; unknown < unknowns; unknown++) {
    const greatest = (sign: 1 | -1): Int | undefined => {
      const end = tableau.maximize(unitRow(size + 1, known + unknown, sign));
      return end.kind === 'optimum' ? floorDivInt(end.value, end.denominator) : undefined;
    };
    const [most, negated] = [greatest(1), greatest(-1)];
    if (most === undefined || negated === undefined) continue;
    const least = negInt(negated);
    const isThinner =
      thinnest === undefined || addInt(most, negated) < addInt(thinnest.most, negInt(thinnest.least));
    if (isThinner) thinnest = { unknown, least, most };
  }
  return thinnest;
}
