/**
 * String literals of MLIR: bytes, of which `\n`, `\t`, `\\`, `\"` and two hexadecimal digits are escapes. What bytes are in
 * a JavaScript string is said by `text-bytes.ts`.
 */
import { bytesOf, decodeText, encodeCharacter, hasLoneSurrogate } from './text-bytes.ts';

const backslash = 92;
const byteOfEscape: Readonly<Record<string, number>> = { n: 10, t: 9, '"': 34, '\\': backslash };

/** The value of a literal's text between its quotes. The lexer has checked the escapes. */
export const unescapeString = (body: string): string => {
  if (!body.includes('\\') && !hasLoneSurrogate(body)) return body;
  // Bytes next to each other may be one character together, whether an escape wrote them or not.
  const source = [...bytesOf(body)];
  const bytes: number[] = [];
  for (let i = 0; i < source.length; i += 1) {
    if (source[i] !== backslash) {
      bytes.push(source[i]!);
      continue;
    }
    const [first, second] = [source[i + 1], source[i + 2]].map((byte) => String.fromCharCode(byte ?? 0));
    const short = byteOfEscape[first!];
    bytes.push(short ?? Number.parseInt(`${first}${second}`, 16));
    i += short === undefined ? 2 : 1;
  }
  return decodeText(bytes);
};

/** The literal for a value, quotes included: what is not printable ASCII is escaped byte by byte. */
export const quoteString = (value: string): string => {
  let text = '"';
  for (const character of value) {
    const code = character.codePointAt(0)!;
    if (character === '\\') text += '\\\\';
    else if (code >= 32 && code < 127 && character !== '"') text += character;
    else
      for (const byte of encodeCharacter(code))
        text += `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return `${text}"`;
};
