/** Where a map is tested: sets, constraints and boxes, by the names of its dimensions. */
import type { Bounds } from '@sconv/affine';
import { basicSet } from '../basic-set.ts';
import { intersect } from '../combine.ts';
import { addInt, negInt } from '../int.ts';
import { PresburgerError } from '../presburger-error.ts';
import type { PresburgerSet } from '../presburger-set.ts';
import { presburgerSet, universeSet } from '../presburger-set.ts';
import type { Row } from '../row.ts';
import { unitRow } from '../row.ts';
import type { Space } from '../space.ts';
import { numVariables } from '../space.ts';
import type { SetLike } from '../text/like.ts';
import { toSet } from '../text/like.ts';

/**
 * The points to test at: a set (or its text), a box `{ w: [0, 75] }` of half-open bounds, or constraints `['0 <= w',
 * 'w < n']`. Names are those of the text of what is tested, or `d0, …, s0, …`.
 */
export type Over = SetLike | readonly string[] | Readonly<Record<string, Bounds>>;

/**
 * The points of `over` in a space of these dimensions. Errors: those of the texts; `presburger/name` for an unknown
 * name; `presburger/invalid-argument` for bounds that are no integers below 2^53 in magnitude.
 */
export function pointsOver(over: Over | undefined, space: Space): PresburgerSet {
  if (over === undefined) return universeSet(space);
  if (typeof over === 'string') return isSetText(over) ? toSet(over) : constrained([over], space);
  if (isList(over)) return constrained(over, space);
  return isSet(over) ? toSet(over) : boxed(over, space);
}

const isList = (over: Over): over is readonly string[] => Array.isArray(over);

const isSet = (over: object): over is Exclude<SetLike, string> =>
  'kind' in over && (over.kind === 'presburger-set' || over.kind === 'set');

const isSetText = (text: string): boolean => /^\s*(?:[[{(]|affine_set)/.test(text) && /[:{]/.test(text);

function constrained(constraints: readonly string[], { dims, symbols }: Space): PresburgerSet {
  const parameters = symbols.length > 0 ? `[${symbols.join(', ')}] -> ` : '';
  return toSet(
    `${parameters}{ [${dims.join(', ')}] : ${constraints.map((each) => `(${each})`).join(' and ') || 'true'} }`,
  );
}

function boxed(box: Readonly<Record<string, Bounds>>, space: Space): PresburgerSet {
  const columns = numVariables(space);
  const rows = Object.entries(box).flatMap(([name, [lo, hi]]): Row[] => {
    const column = columnOf(name, space);
    expectBounds(name, lo, hi);
    return [
      ...(lo === -Infinity ? [] : [unitRow(columns + 1, column, 1, negInt(lo))]),
      ...(hi === Infinity ? [] : [unitRow(columns + 1, column, -1, addInt(hi, -1))]),
    ];
  });
  return intersect(universeSet(space), presburgerSet(space, [basicSet(columns, { inequalities: rows })]));
}

/** Refuses bounds that are no integers; the ends may be open. */
function expectBounds(name: string, lo: number, hi: number): void {
  const ends = [...(lo === -Infinity ? [] : [lo]), ...(hi === Infinity ? [] : [hi])];
  if (ends.every(Number.isSafeInteger)) return;
  const what = ends.every(Number.isInteger) ? 'no integers of magnitude below 2^53' : 'not integers';
  const message = `the bounds [${lo}, ${hi}) of ${name} are ${what}`;
  throw new PresburgerError('presburger/invalid-argument', message);
}

function columnOf(name: string, { dims, symbols }: Space): number {
  const column = [...dims, ...symbols].indexOf(name);
  if (column >= 0) return column;
  const [, letter, digits] = /^([ds])(\d{1,4})$/.exec(name) ?? [];
  const position = Number(digits);
  if (letter === 'd' && position < dims.length) return position;
  if (letter === 's' && position < symbols.length) return dims.length + position;
  const known = [...dims, ...symbols].join(', ');
  throw new PresburgerError('presburger/name', `${name} names no dimension: there are ${known || 'none'}`);
}
