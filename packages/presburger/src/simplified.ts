/** Pieces with fewer locals: those that nothing uses, or that an equality determines. */
import type { BasicSet, Local } from './basic-set.ts';
import { basicSet, isObviouslyEmpty, mapLocals, reducedDivision } from './basic-set.ts';
import { absInt, addInt, negInt } from './int.ts';
import type { Row } from './row.ts';
import { eliminateColumn, isUnit, negateRow } from './row.ts';

/**
 * The same points: existential locals are replaced by the form that an equality gives them, or become the division
 * that it makes them, and locals that nothing uses are left out.
 */
export function simplified(piece: BasicSet): BasicSet {
  let simpler = piece;
  for (;;) {
    if (isObviouslyEmpty(simpler)) return simpler;
    const next = withoutDetermined(simpler) ?? withoutUnused(simpler) ?? withQuotients(simpler);
    if (next === undefined) return simpler;
    simpler = next;
  }
}

/** Without one local that an equality gives a form without fractions. */
function withoutDetermined(piece: BasicSet): BasicSet | undefined {
  const { numVariables, locals, equalities, inequalities } = piece;
  for (const [i, local] of locals.entries()) {
    if (local !== null) continue;
    const column = numVariables + i;
    for (const row of equalities) {
      if (!isUnit(row[column]!)) continue;
      const substituted = (each: Row) => eliminateColumn(each, column, row);
      const changed = mapLocals(locals, substituted);
      if (!changed.every((each, at) => each === null || usesEarlier(each.dividend, numVariables + at)))
        continue;
      const others = equalities.filter((each) => each !== row).map(substituted);
      return withoutLocal(numVariables, changed, others, inequalities.map(substituted), i);
    }
  }
  return undefined;
}

const usesEarlier = (dividend: Row, column: number): boolean =>
  dividend.slice(column, -1).every((value) => value === 0);

/** Without one local that no row uses. */
function withoutUnused({ numVariables, locals, equalities, inequalities }: BasicSet): BasicSet | undefined {
  const rows = [
    ...equalities,
    ...inequalities,
    ...locals.flatMap((local) => (local ? [local.dividend] : [])),
  ];
  const unused = locals.findIndex((_, i) => rows.every((row) => row[numVariables + i] === 0));
  return unused < 0 ? undefined : withoutLocal(numVariables, locals, equalities, inequalities, unused);
}

function withoutLocal(
  numVariables: number,
  locals: readonly Local[],
  equalities: readonly Row[],
  inequalities: readonly Row[],
  removed: number,
): BasicSet {
  const narrow = (row: Row): Row => row.filter((_, column) => column !== numVariables + removed);
  return basicSet(numVariables, {
    locals: mapLocals(
      locals.filter((_, i) => i !== removed),
      narrow,
    ),
    equalities: equalities.map(narrow),
    inequalities: inequalities.map(narrow),
  });
}

/** With a division for one local `e` of which `c e` is known, or `0 <= form - c e <= c - 1`. */
function withQuotients(piece: BasicSet): BasicSet | undefined {
  const { numVariables, locals, equalities, inequalities } = piece;
  for (const [i, local] of locals.entries()) {
    const column = numVariables + i;
    if (local !== null) continue;
    const isKnown = (row: Row) => row[column] !== 0 && usesEarlier(row, column + 1);
    const equality = equalities.find(isKnown);
    const bound =
      equality ??
      inequalities.find((row) => row[column]! < 0 && isKnown(row) && isBoundedBy(row, column, inequalities));
    if (bound === undefined) continue;
    // The form without the local, over what it is multiplied with.
    const dividend = (bound[column]! < 0 ? bound : negateRow(bound)).with(column, 0);
    const division = reducedDivision(dividend, absInt(bound[column]!));
    return basicSet(numVariables, {
      locals: locals.with(i, division),
      equalities,
      inequalities,
    });
  }
  return undefined;
}

/** Whether `row <= c - 1` too, where `row` is `form - c * column`. */
function isBoundedBy(row: Row, column: number, inequalities: readonly Row[]): boolean {
  const opposite = negateRow(row).slice(0, -1).join();
  const most = addInt(negInt(row[column]!), -1);
  return inequalities.some(
    (each) => each.slice(0, -1).join() === opposite && addInt(each.at(-1)!, row.at(-1)!) <= most,
  );
}
