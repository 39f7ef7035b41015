import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, hasLoneSurrogate } from '../src/index.ts';

describe('decodeText', () => {
  it.each<[string, readonly number[], string]>([
    ['ASCII', [0, 0x41, 0x7f], '\0A\x7f'],
    ['two bytes', [0xc2, 0x80, 0xdf, 0xbf], '\u0080\u07ff'],
    [
      'three bytes',
      [0xe0, 0xa0, 0x80, 0xed, 0x9f, 0xbf, 0xee, 0x80, 0x80, 0xef, 0xbf, 0xbf],
      '\u0800\ud7ff\ue000\uffff',
    ],
    ['four bytes', [0xf0, 0x90, 0x80, 0x80, 0xf4, 0x8f, 0xbf, 0xbf], '\u{10000}\u{10ffff}'],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x41], '\ufeffA'],
    ['a continuation alone', [0x80, 0xbf], '\udc80\udcbf'],
    ['a sequence cut short', [0xe2, 0x82, 0x41], '\udce2\udc82A'],
    ['a sequence at the end', [0xc3], '\udcc3'],
    [
      'overlong',
      [0xc0, 0xaf, 0xe0, 0x9f, 0xbf, 0xf0, 0x8f, 0xbf, 0xbf],
      '\udcc0\udcaf\udce0\udc9f\udcbf\udcf0\udc8f\udcbf\udcbf',
    ],
    ['a surrogate', [0xed, 0xa0, 0x80], '\udced\udca0\udc80'],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80, 0xf5, 0xff], '\udcf4\udc90\udc80\udc80\udcf5\udcff'],
  ])('of %s', (_, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
    expect([...encodeText(text)]).toEqual(bytes);
  });

  it('agrees with the decoder of the platform on what is UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(text);
        expect(decodeText(bytes)).toBe(text);
        expect(Buffer.from(encodeText(text))).toEqual(bytes);
      }),
    );
  });

  it('of any bytes, encodeText gives them back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(encodeText(decodeText(bytes))).toEqual(bytes);
      }),
    );
  });
});

it.each([
  ['', false],
  ['é😀\ufffd', false],
  ['a\udcff', true],
])('hasLoneSurrogate of %j is %s', (text, expected) => {
  expect(hasLoneSurrogate(text)).toBe(expected);
});
