/**
 * String literals of MLIR: bytes in UTF-8, with `\n`, `\t`, `\\`, `\"` and two hexadecimal digits as escapes.
 *
 * A byte that is no UTF-8 (only an escape can write it) is held in a JavaScript string as the lone surrogate
 * U+DC00 + byte, so that printing gives the same bytes again.
 */

const surrogateBase = 0xdc00;

const byteOfEscape: Readonly<Record<string, number>> = { n: 10, t: 9, '"': 34, '\\': 92 };

/** The value of a literal's text between its quotes. The lexer has checked the escapes. */
export const unescapeString = (body: string): string => {
  if (!body.includes('\\')) return body;
  let value = '';
  for (let i = 0; i < body.length;) {
    if (body[i] !== '\\') {
      value += body[i]!;
      i += 1;
      continue;
    }
    // Bytes that escapes write one after another may be one character together.
    const bytes: number[] = [];
    while (body[i] === '\\') {
      const short = byteOfEscape[body[i + 1] ?? ''];
      bytes.push(short ?? Number.parseInt(body.slice(i + 1, i + 3), 16));
      i += short === undefined ? 3 : 2;
    }
    value += decodeUtf8(bytes);
  }
  return value;
};

/** The literal for a value, quotes included: what is not printable ASCII is escaped byte by byte. */
export const quoteString = (value: string): string => {
  let text = '"';
  for (const character of value) {
    const code = character.codePointAt(0)!;
    if (character === '\\') text += '\\\\';
    else if (code >= 32 && code < 127 && character !== '"') text += character;
    else for (const byte of encodeUtf8(code)) text += `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return `${text}"`;
};

const encodeUtf8 = (code: number): readonly number[] => {
  if (code < 0x80) return [code];
  if (code >= surrogateBase && code <= surrogateBase + 0xff) return [code - surrogateBase];
  if (code < 0x800) return [0xc0 | (code >> 6), continuation(code)];
  if (code < 0x10000) return [0xe0 | (code >> 12), continuation(code >> 6), continuation(code)];
  return [0xf0 | (code >> 18), continuation(code >> 12), continuation(code >> 6), continuation(code)];
};

const continuation = (code: number): number => 0x80 | (code & 0x3f);

const decodeUtf8 = (bytes: readonly number[]): string => {
  let value = '';
  for (let i = 0; i < bytes.length;) {
    const length = sequenceLength(bytes, i);
    if (length === 0) {
      value += String.fromCharCode(surrogateBase + bytes[i]!);
      i += 1;
      continue;
    }
    let code = length === 1 ? bytes[i]! : bytes[i]! & (0x7f >> length);
    for (let k = 1; k < length; k += 1) code = (code << 6) | (bytes[i + k]! & 0x3f);
    value += String.fromCodePoint(code);
    i += length;
  }
  return value;
};

/** The length of the well-formed sequence at `i`; 0 if there is none. */
const sequenceLength = (bytes: readonly number[], i: number): number => {
  const first = bytes[i]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let k = 1; k < length; k += 1) {
    if (((bytes[i + k] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[i + 1] ?? 0;
  const overlongOrSurrogate =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f);
  return overlongOrSurrogate ? 0 : length;
};
