import { describe, expect, it } from 'vitest';
import { isPresburgerError } from '@sconv/presburger';
import { dependences, parseStatements } from '@sconv/presburger/dependences';

const errorOf = (text: string) => {
  try {
    parseStatements(text);
  } catch (error) {
    if (isPresburgerError(error)) return `${error.code} ${error.offset}: ${error.message}`;
  }
  return 'none';
};

describe('parseStatements', () => {
  it('reads accesses in both syntaxes, and comments', () => {
    const text = `
      // b[i] = a[i + 1]
      domain { [i] : 0 <= i < 8 }
      read a (i) -> (i + 1)
      write b { [i] -> [i] }
      domain [n] -> { [i] : 0 <= i < n }
      read b { [i] -> [2i] }`;
    expect(dependences(parseStatements(text))).toMatchObject([
      { kind: 'flow', array: 'b', source: 0, target: 1 },
    ]);
  });

  it('reads schedules', () => {
    const nest = (time: string) =>
      `domain { [i] : 0 <= i < 8 }\nwrite a (i) -> (i)\nread a (i) -> (i - 1)\nschedule ${time}`;
    const kinds = (time: string) => dependences(parseStatements(nest(time))).map(({ kind }) => kind);
    expect(kinds('{ [i] -> [i] }')).toEqual(['flow']);
    expect(kinds('{ [i] -> [-i] }')).toEqual(['anti']);
  });

  it.each([
    ['', 'presburger/syntax 0: no statement: write domain { [i] : … }'],
    ['read a (i) -> (i)', 'presburger/syntax 0: a statement begins with its domain, not with read'],
    ['domain { [i] }\n  loop', "presburger/syntax 17: expected domain, read, write or schedule, not 'loop'"],
    ['domain { [i] }\nread (i) -> (i)', 'presburger/syntax 20: expected the name of an array after read'],
    ['domain { [i] }\nread a (i) -> (j)', 'presburger/syntax 30: '],
    ['domain { [i] }\nread a (i, j) -> (j)', 'presburger/arity-mismatch 22: of 2 loops, in a domain of 1'],
    ['domain { [i] : i < }', 'presburger/syntax 19: '],
    [
      'domain { [i] }\nschedule { [i] -> [i] }\nschedule { [i] -> [i] }',
      'presburger/syntax 39: the statement has a schedule',
    ],
  ])('refuses %j', (text, message) => {
    expect(errorOf(text)).toContain(message);
  });
});
