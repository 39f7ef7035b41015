/** Suggestions for names that nobody knows: what a person probably meant to write. */

/** A share of differing letters above which two names have nothing to do with each other. */
const largestShare = 0.4;

/** Fewer letters than this begin too many names. */
const shortestPrefix = 3;

/** What leaving out a part of a name counts for, in letters: it happens more easily than several slips. */
const omission = 2;

/** What people mistype without seeing it does not count: the case, and which separator stands between words. */
const normal = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '');

/** How many letters have to be changed, added, removed or swapped with their neighbour to make one word of another. */
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

/** What is left of two names without the dotted qualifier that they share: all names of one dialect begin alike. */
const withoutSharedQualifier = (a: string, b: string): readonly [string, string] => {
  const end = a.lastIndexOf('.') + 1;
  return a.slice(0, end) === b.slice(0, end) ? [a.slice(end), b.slice(end)] : [a, b];
};

/** How far a name is from a word, about in letters; `Infinity` where it cannot have been meant. */
const distanceFrom = (word: string, name: string): number => {
  const [a, b] = withoutSharedQualifier(normal(word), normal(name));
  const letters = distance(a, b);
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const isNear = letters < long.length && letters <= Math.max(1, Math.floor(long.length * largestShare));
  const isPart = short.length >= shortestPrefix && long.startsWith(short);
  // `conv_2d_nchw_fchw` for `linalg.conv_2d_nchw_fchw`: the qualifier was left out.
  const isUnqualified = !a.includes('.') && b.endsWith(`.${a}`);
  if (isPart || isUnqualified) return Math.min(letters, omission);
  return isNear ? letters : Infinity;
};

/**
 * The known name that `word` was probably meant to be: the one that differs in the fewest letters, where at most two
 * fifths do; a word that begins a name, goes on after one, or lacks only its qualifier in front of a dot counts as two
 * letters. The case and separators do not count. Of several that are equally near it is the first; `undefined` where
 * none is near.
 */
export const closestName = (word: string, known: Iterable<string>): string | undefined => {
  let [closest, least]: [string | undefined, number] = [undefined, Infinity];
  for (const name of known) {
    const letters = distanceFrom(word, name);
    if (letters < least) [closest, least] = [name, letters];
  }
  return closest;
};

/** `; did you mean 'strides'?`, to end a message with; nothing where no known name is near. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const closest = closestName(word, known);
  return closest === undefined ? '' : `; did you mean '${closest}'?`;
};

/**
 * The message for a name that nobody knows: `no target 'avx22'; there are wasm, avx2; did you mean 'avx2'?`. `what` says
 * what was to be named.
 */
export const unknownName = (what: string, name: string, known: readonly string[]): string =>
  `no ${what} '${name}'; there are ${known.join(', ')}${didYouMean(name, known)}`;
