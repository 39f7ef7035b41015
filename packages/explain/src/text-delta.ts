/** Differences between the texts of a run's payload: lines by number, and names that changed. */
import { longestAscending } from './ascending.ts';
import type { Splice, TextDelta } from './trace-document.ts';

/** A text: numbers of lines, none twice, and names by id. */
export interface NumberedText {
  readonly lines: readonly number[];
  readonly names: ReadonlyMap<number, string>;
}

export const emptyText: NumberedText = { lines: [], names: new Map() };

/** From one text to the next; without fields where they are equal. */
export const deltaBetween = (before: NumberedText, after: NumberedText): TextDelta => {
  const lines = splicesBetween(before.lines, after.lines);
  const names = [...after.names].filter(([id, name]) => before.names.get(id) !== name);
  return { ...(lines.length > 0 ? { lines } : {}), ...(names.length > 0 ? { names } : {}) };
};

/** The text after. Names of what is no longer there stay, unused: ids are never assigned again. */
export const applyDelta = (
  { lines, names }: NumberedText,
  { lines: splices, names: others }: TextDelta,
): NumberedText => ({
  lines: splices === undefined ? lines : applySplices(lines, splices),
  names: others === undefined ? names : new Map([...names, ...others]),
});

const splicesBetween = (before: readonly number[], after: readonly number[]): readonly Splice[] => {
  const places = new Map(before.map((line, i) => [line, i]));
  const shared = after.flatMap((line, i) => {
    const place = places.get(line);
    return place === undefined ? [] : [{ place, i }];
  });
  const kept = longestAscending(shared.map(({ place }) => place)).map((position) => shared[position]!);
  const splices: Splice[] = [];
  let [from, to] = [0, 0];
  for (const { place, i } of [...kept, { place: before.length, i: after.length }]) {
    if (place > from || i > to) splices.push({ at: from, remove: place - from, insert: after.slice(to, i) });
    [from, to] = [place + 1, i + 1];
  }
  return splices;
};

const applySplices = (lines: readonly number[], splices: readonly Splice[]): readonly number[] => {
  const result: number[] = [];
  let from = 0;
  for (const { at, remove, insert } of splices) {
    for (; from < at; from += 1) result.push(lines[from]!);
    result.push(...insert);
    from = at + remove;
  }
  for (; from < lines.length; from += 1) result.push(lines[from]!);
  return result;
};
