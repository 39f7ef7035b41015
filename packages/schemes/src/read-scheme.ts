/** Reads schemes in TT's notation in ASCII; hands over what is in that of its authors' files. */
import { unknownName } from '@sconv/diagnostics';
import { readAuthorList } from './author-notation.ts';
import type { Notation } from './notation.ts';
import { deepest, isInnermostFirst, readOperand, vector } from './notation.ts';
import type { Scheme, Specifier } from './scheme.ts';
import type { SchemeReader } from './scheme-reader.ts';
import { schemeReader, SchemeSyntaxError } from './scheme-reader.ts';

/** A scheme, and where its specifiers stand in the text, by identity. */
export interface ReadScheme {
  readonly scheme: Scheme;
  readonly offsets: ReadonlyMap<Specifier, number>;
}

/** Reads either notation: specifiers are separated by commas, or in the authors' notation by semicolons. */
export const readScheme = (text: string, lanes: number | undefined): ReadScheme => {
  const reader = schemeReader(text);
  const offsets = new Map<Specifier, number>();
  const notation = { reader, offsets, lanes };
  const scheme = isOfAuthors(text) ? readAuthorList(notation) : readList(notation, 0);
  if (reader.peek() !== '') throw new SchemeSyntaxError(reader.offset(), 'a scheme ends here');
  return { scheme, offsets };
};

/** Whether the first separator outside of parentheses and inner lists is a semicolon. */
const isOfAuthors = (text: string): boolean => {
  let depth = 0;
  for (const character of text) {
    if ('[('.includes(character)) depth += 1;
    if ('])'.includes(character)) depth -= 1;
    if (depth === 1 && (character === ';' || character === ',')) return character === ';';
  }
  return false;
};

const words = ['R', 'T', 'U', 'V', 'lambda', 'Seq', 'P'] as const;

const readList = (notation: Notation, depth: number): Scheme => {
  const { reader, offsets } = notation;
  if (depth > deepest)
    throw new SchemeSyntaxError(reader.offset(), `more than ${deepest} schemes inside of each other`);
  const specifiers = reader.list(',', () => {
    const offset = reader.offset();
    const specifier = readSpecifier(notation, depth);
    offsets.set(specifier, offset);
    return specifier;
  });
  return isInnermostFirst(specifiers) ? specifiers.toReversed() : specifiers;
};

const readSpecifier = (notation: Notation, depth: number): Specifier => {
  const { reader } = notation;
  const offset = reader.offset();
  const word = reader.name('a specifier');
  const kind = words.find((each) => each === word);
  if (kind === undefined) throw new SchemeSyntaxError(offset, unknownName('specifier', word, words));
  reader.expect('(');
  const specifier = readArguments(kind, notation, depth);
  reader.expect(')');
  return specifier;
};

const readArguments = (kind: Specifier['kind'], notation: Notation, depth: number): Specifier => {
  const { reader } = notation;
  if (kind === 'P') return { kind, operand: readOperand(reader) };
  const dimension = reader.name('a dimension');
  switch (kind) {
    case 'R':
      return { kind, dimension };
    case 'T':
    case 'U':
      reader.expect(',');
      return { kind, dimension, count: readCount(reader) };
    case 'V': {
      const count = reader.takes(',') ? reader.number('a number of elements') : undefined;
      return vector(notation, dimension, count);
    }
    case 'lambda': {
      reader.expect(';');
      const variable = reader.name('a variable');
      reader.expect(';');
      const parts = readParts(reader, () => ({ size: reader.number('a size') }));
      return { kind, dimension, variable, parts };
    }
    case 'Seq':
      reader.expect(';');
      return { kind, dimension, parts: readParts(reader, () => ({ scheme: readList(notation, depth + 1) })) };
  }
};

/** A number, or a variable. */
const readCount = (reader: SchemeReader): number | string =>
  /^[A-Za-z]/.test(reader.peek()) ? reader.name('a variable') : reader.number('a number of iterations');

/** `[(count, part), …]`. */
const readParts = <T>(reader: SchemeReader, part: () => T): readonly ({ readonly count: number } & T)[] =>
  reader.list(',', () => {
    reader.expect('(');
    const count = reader.number('a number of iterations');
    reader.expect(',');
    const read = { count, ...part() };
    reader.expect(')');
    return read;
  });
