// @ts-check
/** Mutants as text that survives code motion: what to find in which file, and its replacement. */
import { parseAst } from 'vite';

/** @typedef {import('./mutants.mjs').Mutant} Mutant */

/**
 * A mutant by its text.
 * @typedef {object} Entry
 * @property {string} file from the root of the repository
 * @property {string} find text that occurs once in the file
 * @property {string} replace
 * @property {string} [reason] in the list of equivalent mutants: why nothing can tell it from the original
 */

/**
 * The mutant of an entry, or why there is none.
 * @param {string} text of the entry's file
 * @param {Entry} entry
 * @returns {Mutant | string}
 */
export function locate(text, { find, replace }) {
  const at = text.indexOf(find);
  if (find === '' || at < 0) return 'its text does not occur';
  if (text.includes(find, at + 1)) return 'its text occurs more than once';
  const { before, after } = sameEnds(find, replace);
  const mutant = {
    start: at + before,
    end: at + find.length - after,
    replacement: replace.slice(before, replace.length - after),
    operator: 'given',
  };
  return parses(apply(text, mutant)) ? mutant : 'it does not parse';
}

/**
 * The number of characters that two texts share at both ends, in whole words: only the rest is replaced, so that the
 * reported position is that of the change.
 * @param {string} from
 * @param {string} to
 */
function sameEnds(from, to) {
  const shorter = Math.min(from.length, to.length);
  let before = 0;
  while (before < shorter && from[before] === to[before]) before++;
  while (before > 0 && (splitsWord(from, before) || splitsWord(to, before))) before--;
  let after = 0;
  while (after < shorter - before && from.at(-1 - after) === to.at(-1 - after)) after++;
  while (after > 0 && (splitsWord(from, from.length - after) || splitsWord(to, to.length - after))) after--;
  return { before, after };
}

/** @type {(text: string, at: number) => boolean} */
const splitsWord = (text, at) => /^\w\w$/.test(text.slice(at - 1, at + 1));

/**
 * The entry of a mutant: as many whole lines as make its text unique.
 * @param {string} file
 * @param {string} text
 * @param {Mutant} mutant
 * @returns {Entry}
 */
export function entryOf(file, text, mutant) {
  let from = text.lastIndexOf('\n', mutant.start - 1) + 1;
  let to = text.indexOf('\n', mutant.end);
  if (to < 0) to = text.length;
  const occursOnce = () => text.indexOf(text.slice(from, to)) === text.lastIndexOf(text.slice(from, to));
  while (from > 0 && !occursOnce()) from = text.lastIndexOf('\n', from - 2) + 1;
  const indent = /^\s*/.exec(text.slice(from, mutant.start))?.[0].length ?? 0;
  if (occursOnce()) from += indent;
  if (!occursOnce()) from -= indent;
  return {
    file,
    find: text.slice(from, to),
    replace: text.slice(from, mutant.start) + mutant.replacement + text.slice(mutant.end, to),
  };
}

/**
 * A source with a mutant applied.
 * @param {string} text
 * @param {Mutant} mutant
 */
export function apply(text, { start, end, replacement }) {
  return text.slice(0, start) + replacement + text.slice(end);
}

/**
 * Whether the tests' parser accepts a text as TypeScript, regardless of types.
 * @param {string} text
 */
export function parses(text) {
  try {
    parseAst(text, { lang: 'ts' });
    return true;
  } catch {
    return false;
  }
}
