/** What differs between two states of a run, line by line: aligned by operation, so that renumbering is no change. */
import { diffArrays } from 'diff';
import { longestAscending } from './ascending.ts';
import { lineText } from './payload-lines.ts';
import type { NumberedText } from './text-delta.ts';
import type { Line, RunDocument } from './trace-document.ts';

/** A line of either state. */
export interface LineChange {
  readonly kind: 'same' | 'added' | 'removed' | 'changed';
  /** It stands elsewhere than before: in another order, or in another operation. */
  readonly moved: boolean;
  readonly line: Line;
  /** In the names of the state that it is of. */
  readonly text: string;
  /** Of a changed line: its words, with the old ones in the old names. */
  readonly words?: readonly Word[];
}

export interface Word {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const signs = { same: ' ', added: '+', removed: '-', changed: '~' } as const;

/** The character in front of a line. */
export const signOf = ({ kind, moved }: Pick<LineChange, 'kind' | 'moved'>): string =>
  moved && kind === 'same' ? '>' : signs[kind];

/** All lines of both states, in the order of the text: what was removed stands where it was. */
export const changesBetween = (
  { lines: all }: Pick<RunDocument, 'lines'>,
  before: NumberedText,
  after: NumberedText,
): readonly LineChange[] => {
  if (before.lines === after.lines) return after.lines.map((number) => sameLine(all[number]!, after));
  const old = new Map(
    before.lines.map((number, place) => [keyOf(all[number]!), { line: all[number]!, place }]),
  );
  const shared = after.lines.flatMap((number) => old.get(keyOf(all[number]!)) ?? []);
  const inOrder = new Set(
    longestAscending(shared.map(({ place }) => place)).map((position) => shared[position]!.place),
  );
  const still = new Set(shared.map(({ place }) => place));
  const changes: LineChange[] = [];
  let from = 0;
  /** What was removed before the line at `place`. */
  const removeUpTo = (place: number): void => {
    for (; from < place; from += 1) {
      if (still.has(from)) continue;
      const line = all[before.lines[from]!]!;
      changes.push({ kind: 'removed', moved: false, line, text: lineText(line, before.names) });
    }
  };
  const placeOf = (number: number): number | undefined => {
    const place = old.get(keyOf(all[number]!))?.place;
    return place !== undefined && inOrder.has(place) ? place : undefined;
  };
  // What was removed comes before what was added in its place.
  const places: number[] = [];
  after.lines.toReversed().forEach((number) => {
    places.push(placeOf(number) ?? places.at(-1) ?? before.lines.length);
  });
  for (const number of after.lines) {
    removeUpTo(places.pop()!);
    const line = all[number]!;
    const text = lineText(line, after.names);
    const source = old.get(keyOf(line));
    if (source === undefined) {
      changes.push({ kind: 'added', moved: false, line, text });
      continue;
    }
    const moved = !inOrder.has(source.place) || source.line.indent !== line.indent;
    if (samePieces(source.line, line)) changes.push({ kind: 'same', moved, line, text });
    else {
      const words = wordChanges(source.line, before.names, line, after.names);
      changes.push({ kind: 'changed', moved, line, text, words });
    }
  }
  removeUpTo(before.lines.length);
  return changes;
};

const sameLine = (line: Line, { names }: NumberedText): LineChange => ({
  kind: 'same',
  moved: false,
  line,
  text: lineText(line, names),
});

const keyOf = ({ op, at }: Line): string => `${op ?? 'alias'} ${at}`;

const samePieces = (a: Line, b: Line): boolean =>
  a === b || (a.pieces.length === b.pieces.length && a.pieces.every((piece, i) => piece === b.pieces[i]));

/** Words are equal that name the same thing, by whatever name. */
const wordChanges = (
  before: Line,
  oldNames: ReadonlyMap<number, string>,
  after: Line,
  newNames: ReadonlyMap<number, string>,
): readonly Word[] => {
  const words: Word[] = [];
  const add = (kind: Word['kind'], text: string): void => {
    const last = words.at(-1);
    if (last?.kind === kind) words[words.length - 1] = { kind, text: last.text + text };
    else words.push({ kind, text });
  };
  for (const { added, removed, value } of diffArrays(wordsOf(before), wordsOf(after))) {
    const names = removed ? oldNames : newNames;
    const kind = removed ? 'removed' : added ? 'added' : 'same';
    for (const word of value) add(kind, typeof word === 'number' ? (names.get(word) ?? '') : word);
  }
  return words;
};

const wordsOf = ({ pieces }: Line): (string | number)[] =>
  pieces.flatMap((piece): (string | number)[] =>
    typeof piece === 'number' ? [piece] : (piece.match(/[\w$.]+|\s+|[^\w\s$.]/g) ?? []),
  );
