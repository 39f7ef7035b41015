/** The words of a scheme's text, read one after another; what is wrong is thrown, and caught by `parseScheme`. */

/** A mistake in the text of a scheme, at an offset from 0. */
export class SchemeSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Reads words; blanks and line breaks between them mean nothing. */
export interface SchemeReader {
  /** Where the next word begins. */
  readonly offset: () => number;
  /** The next word, which stays; empty at the end. */
  readonly peek: () => string;
  /** Whether the next word is this one, which is then taken. */
  readonly takes: (word: string) => boolean;
  readonly expect: (word: string) => void;
  readonly name: (what: string) => string;
  /** A positive integer. */
  readonly number: (what: string) => number;
  /** What the items are, between brackets and with separators, one at least. */
  readonly list: <T>(separator: string, item: () => T) => readonly T[];
}

const isName = (word: string): boolean => /^[A-Za-z]/.test(word);

/** A reader of a text from its beginning. */
export const schemeReader = (text: string): SchemeReader => {
  const blank = /\s*/y;
  const word = /[A-Za-z][A-Za-z0-9_]*|[0-9]+|[^]/uy;
  let at = 0;
  const offset = (): number => {
    blank.lastIndex = at;
    blank.exec(text);
    at = blank.lastIndex;
    return at;
  };
  const peek = (): string => {
    word.lastIndex = offset();
    return word.exec(text)?.[0] ?? '';
  };
  const fail = (what: string): never => {
    const found = peek();
    throw new SchemeSyntaxError(
      offset(),
      `expected ${what}, not ${found === '' ? 'the end' : `'${found.slice(0, 40)}'`}`,
    );
  };
  const take = (): string => {
    const found = peek();
    at += found.length;
    return found;
  };
  const takes = (expected: string): boolean => {
    if (peek() !== expected) return false;
    take();
    return true;
  };
  const expect = (expected: string): void => {
    if (!takes(expected)) fail(`'${expected}'`);
  };
  return {
    offset,
    peek,
    takes,
    expect,
    name: (what) => (isName(peek()) ? take() : fail(what)),
    number: (what) => {
      const value = Number(peek());
      return /^[0-9]/.test(peek()) && value > 0 && Number.isSafeInteger(value)
        ? Number(take())
        : fail(`${what}, a positive integer`);
    },
    list: (separator, item) => {
      const items = [];
      expect('[');
      do items.push(item());
      while (takes(separator));
      if (!takes(']')) fail(`'${separator}' or ']'`);
      return items;
    },
  };
};
