/** Whether polyhedra have lexicographically least points, by their rays alone: whatever the constants are. */
import type { Row } from './row.ts';
import { negateRow, unitRow } from './row.ts';
import { Tableau } from './tableau.ts';

/**
 * Whether one of the first `count` of `size` unknowns decreases without end, while those before it stay, in a
 * polyhedron of these rows that has integer points: whether there is a ray along which the first of them to change
 * decreases. The rays depend on the coefficients of the unknowns only, the first `size` entries of each row, so that
 * the answer holds for all parameters. Errors: `presburger/undecided`.
 */
export function isLexicographicallyUnbounded(size: number, count: number, rows: readonly Row[]): boolean {
  const rays = new Tableau(size);
  for (const row of rows) rays.add([...row.slice(0, size), 0]);
  for (let unknown = 0; unknown < count; unknown++) {
    const decrease = negateRow(unitRow(size + 1, unknown));
    // A cone: a form is at most 0 or has no end.
    if (rays.maximize(decrease).kind === 'unbounded') return true;
    rays.add(decrease);
  }
  return false;
}
