import { expect, it } from 'vitest';
import { LineIndex } from '../src/index.ts';

it.each([
  ['\\n', '\n'],
  ['\\r\\n', '\r\n'],
  ['\\r', '\r'],
])('a character behind the end of a line is the end before its break, %s', (_name, lineBreak) => {
  const text = `ab${lineBreak}${lineBreak}cd`;
  const lines = new LineIndex(text);
  const at = (line: number, character: number): number => lines.offsetAt({ line, character });
  expect([at(0, 1), at(0, 2), at(0, 3), at(0, 90)]).toEqual([1, 2, 2, 2]);
  const second = 2 + lineBreak.length;
  expect([at(1, 0), at(1, 1)]).toEqual([second, second]);
  expect([at(2, 0), at(2, 90), at(3, 0)]).toEqual([text.length - 2, text.length, text.length]);
  for (const offset of [0, 1, 2, second, text.length])
    expect(lines.offsetAt(lines.positionAt(offset))).toBe(offset);
});
