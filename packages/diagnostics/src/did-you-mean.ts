/** Suggestions for unknown names. */
import { describeValue } from './describe-value.ts';

/** Names that differ in a larger share of their letters are unrelated. */
const largestShare = 0.4;

/** Shorter prefixes match too many names. */
const shortestPrefix = 3;

/** Longer words are no misspelt names, and the comparison takes time in proportion. */
const longestWord = 200;

/** The cost of an omitted name part, in letters: a likelier mistake than several typos. */
const omission = 2;

/** Normalizes case and separators, which people mistype unknowingly. */
const normal = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '');

/** Edit distance with transpositions of adjacent letters. */
const distance = (a: string, b: string): number => {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let k = 1; k <= b.length; k++) {
      const change = last[k - 1]! + (a[i - 1] === b[k - 1] ? 0 : 1);
      const isSwap = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      const swap = isSwap ? beforeLast[k - 2]! + 1 : Infinity;
      row.push(Math.min(change, swap, last[k]! + 1, row[k - 1]! + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
};

/** Two names without a shared dotted qualifier: all names of one dialect begin alike. */
const withoutSharedQualifier = (a: string, b: string): readonly [string, string] => {
  const end = a.lastIndexOf('.') + 1;
  return a.slice(0, end) === b.slice(0, end) ? [a.slice(end), b.slice(end)] : [a, b];
};

/** The distance of a name from a word, roughly in letters; `Infinity` if it cannot have been meant. */
const distanceFrom = (word: string, name: string): number => {
  const [a, b] = withoutSharedQualifier(normal(word), normal(name));
  const letters = distance(a, b);
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const isNear = letters < long.length && letters <= Math.max(1, Math.floor(long.length * largestShare));
  const isPart = short.length >= shortestPrefix && long.startsWith(short);
  // `conv_2d_nchw_fchw` for `linalg.conv_2d_nchw_fchw`: a missing qualifier.
  const isUnqualified = !a.includes('.') && b.endsWith(`.${a}`);
  if (isPart || isUnqualified) return Math.min(letters, omission);
  return isNear ? letters : Infinity;
};

/**
 * The known name that `word` was probably meant to be: the one that differs in the fewest letters, at most two fifths
 * of them. A prefix or an extension of a name, or a name without its dotted qualifier, counts as two letters; case and
 * separators do not count. The first one of a tie; `undefined` if none is close.
 */
export const closestName = (word: string, known: Iterable<string>): string | undefined => {
  // Names come from untyped callers, too.
  if (typeof (word as unknown) !== 'string' || word.length > longestWord) return undefined;
  let [closest, least]: [string | undefined, number] = [undefined, Infinity];
  for (const name of known) {
    const letters = distanceFrom(word, name);
    if (letters < least) [closest, least] = [name, letters];
  }
  return closest;
};

/** `; did you mean 'strides'?`, a suffix for messages; empty if no known name is close. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const closest = closestName(word, known);
  return closest === undefined ? '' : `; did you mean '${closest}'?`;
};

/**
 * The message for an unknown name: `no target 'avx22'; there are wasm, avx2; did you mean 'avx2'?`. `what` is the kind
 * of thing named.
 */
export const unknownName = (what: string, name: unknown, known: readonly string[]): string =>
  `no ${what} ${describeValue(name)}; there are ${known.length === 0 ? 'none' : known.join(', ')}` +
  didYouMean(name as string, known);
