/** Integer points where few values of the variables come into question, which determine the divisions. */
import type { BasicSet } from './basic-set.ts';
import { allConstraints, columnsOf } from './basic-set.ts';
import type { Int } from './int.ts';
import { addInt, floorDivInt, subInt } from './int.ts';
import { negateRow, valueOf } from './row.ts';
import type { Extent } from './tableau.ts';
import { Tableau } from './tableau.ts';

/** The most points that are looked at. */
const mostPoints = 4096;

/** The values of the variables, and of the locals, all of which are divisions. */
export function valuesOfColumns({ locals }: BasicSet, variables: readonly Int[]): readonly Int[] {
  const values = [...variables];
  for (const local of locals) values.push(floorDivInt(valueOf(local!.dividend, values), local!.divisor));
  return values;
}

/**
 * Variables of a point of a piece without locals but divisions, if they are in a box of few points: undefined for an
 * empty piece, `large` where the box is.
 */
export function pointInBox(piece: BasicSet): readonly Int[] | 'large' | undefined {
  const { equalities, inequalities } = allConstraints(piece);
  const tableau = new Tableau(columnsOf(piece) - 1);
  for (const row of [...inequalities, ...equalities, ...equalities.map(negateRow)])
    if (!tableau.add(row)) return undefined;
  const extents: Extent[] = [];
  let points = 1;
  for (let column = 0; column < piece.numVariables; column++) {
    const extent = tableau.extent(column);
    if (extent === undefined) return 'large';
    points *= Number(addInt(subInt(extent.most, extent.least), 1));
    if (points <= 0) return undefined;
    if (points > mostPoints) return 'large';
    extents.push(extent);
  }
  const isIn = (variables: readonly Int[]) => {
    const values = valuesOfColumns(piece, variables);
    return (
      piece.equalities.every((row) => valueOf(row, values) === 0) &&
      piece.inequalities.every((row) => valueOf(row, values) >= 0)
    );
  };
  const point = extents.map(({ least }) => least);
  while (!isIn(point)) {
    const column = extents.findLastIndex(({ most }, i) => point[i]! < most);
    if (column < 0) return undefined;
    point[column] = addInt(point[column]!, 1);
    for (let i = column + 1; i < point.length; i++) point[i] = extents[i]!.least;
  }
  return point;
}
