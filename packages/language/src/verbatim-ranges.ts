/** Where blanks and line breaks are part of what a text says: in the bodies of dialects' attributes and types. */
import type { SourceToken, TextRange } from '@sconv/ir';

const closers: Readonly<Record<string, string>> = { '<': '>', '(': ')', '[': ']', '{': '}' };

/** The bodies `<…>` right behind `#name` and `!name`, brackets included, in order; one not closed has no end. */
export const verbatimRanges = (tokens: readonly SourceToken[]): readonly TextRange[] => {
  const ranges: TextRange[] = [];
  for (let i = 0; i + 1 < tokens.length; i += 1) {
    const [name, body] = [tokens[i]!, tokens[i + 1]!];
    const isName = name.kind === 'hash' || name.kind === 'exclamation';
    if (!isName || body.kind !== '<' || body.start !== name.end) continue;
    i = closingIndex(tokens, i + 1);
    ranges.push({ start: body.start, end: tokens[i]?.end ?? Infinity });
  }
  return ranges;
};

/** The index of the token that closes the bracket at an index; behind the last one where none does. */
const closingIndex = (tokens: readonly SourceToken[], first: number): number => {
  const open: string[] = [];
  for (let i = first; i < tokens.length; i += 1) {
    const { kind } = tokens[i]!;
    const closer = closers[kind];
    if (closer !== undefined) open.push(closer);
    else if (kind === open.at(-1)) open.pop();
    if (open.length === 0) return i;
  }
  return tokens.length;
};
