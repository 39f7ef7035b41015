/** The unknown of a parametric problem that has the fewest values. */
import type { BasicSet } from './basic-set.ts';
import { allConstraints, columnsOf } from './basic-set.ts';
import { subInt } from './int.ts';
import type { Row } from './row.ts';
import { negateRow, zeros } from './row.ts';
import type { Extent } from './tableau.ts';
import { Tableau } from './tableau.ts';

/** An unknown, by number, and bounds of its values for all parameters. */
export interface Range extends Extent {
  readonly unknown: number;
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
    const extent = tableau.extent(known + unknown);
    if (extent === undefined) continue;
    const { least, most } = extent;
    const isThinner = thinnest === undefined || subInt(most, least) < subInt(thinnest.most, thinnest.least);
    if (isThinner) thinnest = { unknown, ...extent };
  }
  return thinnest;
}
