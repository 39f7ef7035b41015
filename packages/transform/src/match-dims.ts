/** Positions selected by `TransformMatchDims`: `[0, -1]`, `[all]`, `[except(0)]`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { noteAt } from './inspect.ts';

/** How to interpret the list. */
export interface DimsFlags {
  readonly isInverted: boolean;
  readonly isAll: boolean;
}

/** Errors of the flags. */
export function* dimsErrors(list: readonly number[], { isInverted, isAll }: DimsFlags): Generator<string> {
  if (isAll && isInverted) yield "cannot request both 'all' and 'inverted' values in the list";
  else if (isAll && list.length > 0) yield "cannot both request 'all' and specific values in the list";
  else if (!isAll && list.length === 0)
    yield "must request specific values in the list if 'all' is not specified";
  else if (new Set(list).size !== list.length) yield 'expected the listed values to be unique';
}

/** The failure of `expandDims`, for op declarations. */
export const positionFailures = {
  'transform/position': { mode: 'silenceable', when: 'a position is out of range, or listed twice' },
} as const;

/** A set of `count` positions, and its name in notes. */
interface Positioned {
  /** The querying script op. */
  readonly operation: Operation;
  readonly target: Operation;
  readonly count: number;
  readonly what: string;
}

/** The positions that a list selects; negative ones count from the end. */
export const expandDims = (
  list: readonly number[],
  { isInverted, isAll }: DimsFlags,
  { operation, target, count, what }: Positioned,
): Diagnosed<readonly number[]> => {
  const all = Array.from({ length: count }, (_, i) => i);
  if (isAll) return success(all);
  const fail = (message: string) =>
    silenceable(
      error('transform/position', message, operation.location, [
        noteAt(`while considering ${what} of this payload operation`, target),
      ]),
    );
  const listed: number[] = [];
  for (const raw of list) {
    const position = raw < 0 ? count + raw : raw;
    const from = `${position} (updated from ${raw})`;
    if (position >= count) return fail(`position overflow ${from} for maximum ${count}`);
    if (position < 0) return fail(`position underflow ${from}`);
    if (listed.includes(position)) return fail(`repeated position ${from}`);
    listed.push(position);
  }
  return success(isInverted ? all.filter((position) => !listed.includes(position)) : listed);
};
