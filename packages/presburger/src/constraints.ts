/** Conjunctions of affine constraints in normal form. */
import { spend } from './budget.ts';
import { addInt, modInt, negInt } from './int.ts';
import type { Row } from './row.ts';
import { contentOf, divideRow } from './row.ts';

/** Forms that are 0, and forms that are at least 0. */
export interface Constraints {
  readonly equalities: readonly Row[];
  readonly inequalities: readonly Row[];
}

/** Parallel inequalities: the tightest in one direction, and in the other. */
interface Pair {
  row: Row;
  opposite: Row | undefined;
}

/**
 * The constraints with factors divided out, constants tightened to integers, parallel ones merged and opposite ones
 * made an equality; undefined if that shows that no integer satisfies them.
 */
export function normalizeConstraints(
  equalities: readonly Row[],
  inequalities: readonly Row[],
): Constraints | undefined {
  // Texts of rows are compared, which costs several times what their sums do.
  const columns = (equalities[0] ?? inequalities[0] ?? []).length;
  spend(8 * (equalities.length + inequalities.length) * columns + 32);
  const zero = new Map<string, Row>();
  for (const row of equalities) {
    const content = contentOf(row);
    if (modInt(row.at(-1)!, content === 0 ? 1 : content) !== 0) return undefined;
    if (content === 0) {
      if (row.at(-1) !== 0) return undefined;
      continue;
    }
    const reduced = content === 1 ? row : divideRow(row, content);
    zero.set(signless(reduced).join(), reduced);
  }
  const pairs = new Map<string, Pair>();
  for (const row of inequalities) {
    const content = contentOf(row);
    if (content === 0) {
      if (row.at(-1)! < 0) return undefined;
      continue;
    }
    merge(pairs, content === 1 ? row : divideRow(row, content));
  }
  const atLeast: Row[] = [];
  for (const { row, opposite } of pairs.values()) {
    const gap = opposite === undefined ? 1 : addInt(row.at(-1)!, opposite.at(-1)!);
    if (gap < 0) return undefined;
    if (gap === 0) zero.set(signless(row).join(), row);
    else if (opposite === undefined) atLeast.push(row);
    else atLeast.push(row, opposite);
  }
  return { equalities: [...zero.values()], inequalities: atLeast };
}

/** Keeps the tighter of parallel inequalities, and opposite ones together. */
function merge(pairs: Map<string, Pair>, row: Row): void {
  const coefficients = row.slice(0, -1);
  const direction = coefficients.join();
  const same = pairs.get(direction);
  if (same !== undefined) {
    if (row.at(-1)! < same.row.at(-1)!) same.row = row;
    return;
  }
  const against = pairs.get(coefficients.map(negInt).join());
  if (against === undefined) pairs.set(direction, { row, opposite: undefined });
  else if (against.opposite === undefined || row.at(-1)! < against.opposite.at(-1)!) against.opposite = row;
}

/** The row with a positive first coefficient: rows that are 0 at the same points have the same. */
function signless(row: Row): Row {
  const first = row.find((value) => value !== 0) ?? 0;
  return first < 0 ? row.map(negInt) : row;
}
