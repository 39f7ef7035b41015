/** Texts with one token dropped, or changed into another. */

/** Words, names, numbers, strings and punctuation; the sizes of shapes and the `x` between them are separate tokens. */
const token =
  /"(?:[^"\\]|\\.)*"|[%^@!#][\w$.-]+|->|::|(?<=[\d?*\]])x|\d+\.\d+(?:e[+-]\d+)?|0x[\dA-F]+|\d+|[A-Za-z_][\w.]*|\S/g;

/** Replacement tokens; words that are not listed become strings. */
const others: Readonly<Record<string, string>> = {
  '(': '[',
  ')': ']',
  '<': '(',
  '>': ')',
  '[': '<',
  ']': '>',
  '{': '[',
  '}': ']',
  '->': '=',
  '=': '->',
  ':': ',',
  ',': ':',
  '?': '-',
  '-': '?',
  i32: 'f32',
  f32: 'i32',
  true: '1',
};

const otherThan = (word: string): string => {
  if (/^\d+$/.test(word)) return String(Number(word) + 1);
  if (/^\d+\./.test(word)) return '3';
  if (word.startsWith('%')) return `${word}#1`;
  if (/^[^@!#]./.test(word)) return `${word}0`;
  return others[word] ?? (word.startsWith('"') ? 'word' : `"${word}"`);
};

/** A text, and its change as `column: token → other token`. */
export interface NearText {
  readonly change: string;
  readonly text: string;
}

/** All near texts of `text`, in the order of its tokens. */
export const nearTexts = (text: string): readonly NearText[] =>
  [...text.matchAll(token)].flatMap(({ 0: word, index }): readonly NearText[] => {
    const [before, after] = [text.slice(0, index), text.slice(index + word.length)];
    const other = otherThan(word);
    return [
      { change: `${index + 1} -${word}`, text: before + after },
      { change: `${index + 1} ${other}`, text: before + other + after },
    ];
  });
