/** Points and sets in the words of a failing assertion. */
import { printMap, printSet } from '@sconv/affine';
import type { Int } from '../int.ts';
import type { Point } from '../sample.ts';
import type { Space } from '../space.ts';
import type { RelationLike, SetLike } from '../text/like.ts';
import { print } from '../text/print.ts';

/** `i = 3, j = 4`; of a tuple without dimensions `the only point`. */
export const describeValues = (names: readonly string[], values: readonly Int[]): string =>
  values.length === 0
    ? 'the only point'
    : values.map((value, i) => `${names[i] ?? '?'} = ${value}`).join(', ');

/** `i = 3, j = 4`, with ` for n = 8` where there are symbols. */
export const describePoint = ({ dims, symbols }: Space, point: Point): string =>
  describeValues(dims, point.dims) + describeSymbols(symbols, point.symbols);

/** ` for n = 8`; nothing without symbols. */
export const describeSymbols = (names: readonly string[], values: readonly Int[]): string =>
  values.length === 0 ? '' : ` for ${describeValues(names, values)}`;

/** `(3, 4)`. */
export const tuple = (values: readonly Int[]): string => `(${values.join(', ')})`;

/** Texts longer than this are cut: a test's output is to be read. */
const longest = 600;

/** The text of a set or relation as the test gives it, in a line. */
export function describe(like: SetLike | RelationLike): string {
  const text = typeof like === 'string' ? like.trim().replace(/\s+/g, ' ') : textOf(like);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

function textOf(like: Exclude<SetLike | RelationLike, string>): string {
  if (like.kind === 'map') return printMap(like);
  return like.kind === 'set' ? printSet(like) : print(like);
}
