import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteString, unescapeString } from '../src/string-literal.ts';

describe('string literals', () => {
  it.each([
    ['a b', '"a b"'],
    ['"\\', '"\\22\\\\"'],
    ['\n\t\0', '"\\0A\\09\\00"'],
    ['é', '"\\C3\\A9"'],
    ['😀', '"\\F0\\9F\\98\\80"'],
  ])('%j is written %s', (value, text) => {
    expect(quoteString(value)).toBe(text);
  });

  it.each([
    ['\\n\\t\\"\\\\', '\n\t"\\'],
    ['\\C3\\A9', 'é'],
    ['é\\C3\\A9x', 'ééx'],
    ['\\c3\\a9', 'é'],
    ['\\FF\\C3', '\udcff\udcc3'],
    // A raw byte and an escaped byte form one character.
    ['\udcc3\\A9', 'é'],
    ['\\C3\udca9', 'é'],
  ])('%s is read as %j', (body, value) => {
    expect(unescapeString(body)).toBe(value);
  });

  it('any bytes survive, also those that are no UTF-8', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 255 })), (bytes) => {
        const body = bytes.map((byte) => `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
        const literal = (text: string): readonly number[] =>
          [...text.matchAll(/\\([0-9A-F]{2})|\\\\|[^\\]/g)].map(([match, hex]) =>
            hex === undefined ? match.charCodeAt(0) : Number.parseInt(hex, 16),
          );
        expect(literal(quoteString(unescapeString(body)).slice(1, -1))).toEqual(bytes);
      }),
    );
  });

  it('any string survives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(unescapeString(quoteString(value).slice(1, -1))).toBe(value);
      }),
    );
  });
});
