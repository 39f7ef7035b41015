/**
 * Texts and their UTF-8 bytes. MLIR's strings are arbitrary bytes: a byte that is not valid UTF-8 becomes the lone
 * surrogate U+DC00 + byte in a JavaScript string, so that bytes round-trip.
 */

const surrogateBase = 0xdc00;

/** The inverse of `decodeText`. */
export const encodeText = (text: string): Uint8Array => Uint8Array.from(bytesOf(text));

/** Whether the text contains bytes that are not valid UTF-8. */
export const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text);

/** The bytes of a text, character by character. */
export function* bytesOf(text: string): Generator<number> {
  for (const character of text) yield* encodeCharacter(character.codePointAt(0)!);
}

/** The bytes of a code point. */
export const encodeCharacter = (code: number): readonly number[] => {
  if (code < 0x80) return [code];
  if (code >= surrogateBase + 0x80 && code <= surrogateBase + 0xff) return [code - surrogateBase];
  if (code < 0x800) return [0xc0 | (code >> 6), continuation(code)];
  if (code < 0x10000) return [0xe0 | (code >> 12), continuation(code >> 6), continuation(code)];
  return [0xf0 | (code >> 18), continuation(code >> 12), continuation(code >> 6), continuation(code)];
};

const continuation = (code: number): number => 0x80 | (code & 0x3f);

/** Decodes any bytes; those that are not valid UTF-8 become lone surrogates, and a byte order mark is kept. */
export const decodeText = (bytes: ArrayLike<number>): string => {
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
const sequenceLength = (bytes: ArrayLike<number>, i: number): number => {
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
