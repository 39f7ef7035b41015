/** Equalities of unknowns, solved over the integers: what is left has fewer unknowns, and inequalities only. */
import type { BasicSet } from './basic-set.ts';
import { columnsOf, isObviouslyEmpty, reducedDivision } from './basic-set.ts';
import { normalizeConstraints } from './constraints.ts';
import { constrained, withLocal } from './constrained.ts';
import type { Int } from './int.ts';
import { absInt, floorDivInt, negInt } from './int.ts';
import { addScaled, dot, isolate } from './lattice.ts';
import type { Row } from './row.ts';
import { combineRows, isUnit, negateRow, unitRow, zeros } from './row.ts';
import type { Split } from './split-piece.ts';
import { outerRow } from './split-piece.ts';

/** A problem without equalities. Columns of the rows: those of `outer` without its constant, the unknowns, 1. */
export interface Unknowns {
  readonly outer: BasicSet;
  readonly unknowns: number;
  readonly inequalities: readonly Row[];
}

/** A problem, and forms over its columns. */
export interface UnknownsWithForms extends Unknowns {
  readonly forms: readonly Row[];
}

/**
 * Equalities solved: each determines an unknown, as a quotient of what is known, and demands that nothing remains of
 * the division. The forms are over the columns of the problem. Undefined if the equalities contradict each other.
 */
export function withoutEqualities(split: Split, asked: readonly Row[] = []): UnknownsWithForms | undefined {
  let { outer, unknowns, equalities, inequalities } = split;
  let forms = asked;
  for (;;) {
    if (equalities.length === 0) {
      // Opposite inequalities may turn out to be equalities once others are solved.
      const normal = normalizeConstraints([], inequalities);
      if (normal === undefined) return undefined;
      ({ equalities, inequalities } = normal);
    }
    const [first, ...others] = equalities;
    if (first === undefined) return { outer, unknowns, inequalities, forms };
    if (isObviouslyEmpty(outer)) return undefined;
    const known = columnsOf(outer) - 1;
    // The unknowns in a basis in which the equality depends on one only.
    const coefficients = first.slice(known, known + unknowns);
    const basis: Row[] = Array.from({ length: unknowns }, (_, i) => unitRow(unknowns, i));
    if (coefficients.every((value) => value === 0)) {
      outer = constrained(outer, [outerRow(first, known)], []);
      equalities = others;
      continue;
    }
    const pivot = isolate(coefficients, basis);
    const factor = coefficients[pivot]!;
    const rest = outerRow(first, known);
    const signed = factor < 0 ? rest : negateRow(rest);
    const divisor = absInt(factor);
    // The unknown is signed / divisor.
    let value: Row = signed;
    let columns = known;
    if (divisor !== 1) {
      const division = reducedDivision(signed, divisor);
      outer = withLocal(outer, division);
      columns = columnsOf(outer) - 1;
      value = unitRow(columns + 1, columns - 1);
      const exact = [...signed.slice(0, -1), negInt(divisor), signed.at(-1)!];
      outer = constrained(outer, [exact], []);
    }
    const substituted = (row: Row): Row => {
      const changed = inBasis(row.slice(known, known + unknowns), basis);
      const outerPart: Row = [...row.slice(0, known), ...zeros(columns - known), row.at(-1)!];
      const form = combineRows(outerPart, 1, value, changed[pivot]!);
      return [...form.slice(0, -1), ...changed.filter((_, i) => i !== pivot), form.at(-1)!];
    };
    equalities = others.map(substituted);
    inequalities = inequalities.map(substituted);
    forms = forms.map(substituted);
    unknowns -= 1;
  }
}

/** A problem whose lexicographically least unknowns give the least forms. */
export interface OrderedUnknowns extends UnknownsWithForms {
  /** How many unknowns, the first ones, the forms depend on. */
  readonly ordered: number;
}

/**
 * The problem in a basis of the unknowns in which each form depends on the unknowns up to one only, and grows with that
 * one (C. Hermite's normal form).
 */
export function inLexicographicBasis(split: UnknownsWithForms): OrderedUnknowns {
  const { outer, unknowns, inequalities, forms } = split;
  const known = columnsOf(outer) - 1;
  const unknownsOf = (row: Row) => row.slice(known, known + unknowns);
  const free: Row[] = Array.from({ length: unknowns }, (_, i) => unitRow(unknowns, i));
  const basis: Row[] = [];
  for (const form of forms) {
    const coefficients = inBasis(unknownsOf(form), free);
    if (coefficients.every((value) => value === 0)) continue;
    const pivot = isolate(coefficients, free);
    const factor = coefficients[pivot]!;
    const [vector] = free.splice(pivot, 1);
    const next = factor < 0 ? negateRow(vector!) : vector!;
    // Small coefficients: an earlier vector may have any multiple of a later one added.
    inBasis(unknownsOf(form), basis).forEach((value, i) => {
      const quotient = floorDivInt(value, absInt(factor));
      if (quotient !== 0) basis[i] = addScaled(basis[i]!, next, negInt(quotient));
    });
    basis.push(next);
  }
  const ordered = basis.length;
  basis.push(...free);
  const changed = (row: Row): Row => [
    ...row.slice(0, known),
    ...inBasis(unknownsOf(row), basis),
    row.at(-1)!,
  ];
  return {
    ...{ outer, unknowns, ordered },
    inequalities: inequalities.map(changed),
    forms: forms.map(changed),
  };
}

/**
 * Without unknowns from number `first` on that are bounded on one side only, or by integers on one side (Fourier and
 * Motzkin). No form depends on them.
 */
export function withoutEasyUnknowns(split: Unknowns, first = 0): Unknowns {
  let { outer, unknowns, inequalities } = split;
  const known = columnsOf(outer) - 1;
  for (let unknown = first; unknown < unknowns;) {
    const at = known + unknown;
    const lower = inequalities.filter((row) => row[at]! > 0);
    const upper = inequalities.filter((row) => row[at]! < 0);
    const isExact = lower.every((row) => isUnit(row[at]!)) || upper.every((row) => isUnit(row[at]!));
    if (!isExact || lower.length * upper.length > lower.length + upper.length + 2) {
      unknown += 1;
      continue;
    }
    const combined = lower.flatMap((low) =>
      upper.map((high) => combineRows(low, negInt(high[at]!), high, low[at]!)),
    );
    inequalities = [...inequalities.filter((row) => row[at] === 0), ...combined].map((row) => [
      ...row.slice(0, at),
      ...row.slice(at + 1),
    ]);
    unknowns -= 1;
    unknown = first;
  }
  const isOuter = (row: Row) => row.slice(known, known + unknowns).every((value) => value === 0);
  outer = constrained(
    outer,
    [],
    inequalities.filter(isOuter).map((row) => outerRow(row, known)),
  );
  return { outer, unknowns, inequalities: inequalities.filter((row) => !isOuter(row)) };
}

/** The coefficients of a form in a basis. */
const inBasis = (coefficients: Row, basis: readonly Row[]): Int[] =>
  basis.map((vector) => dot(coefficients, vector));
