/**
 * MLIR string literals: bytes, with the escapes `\n`, `\t`, `\\`, `\"` and two hexadecimal digits. `text-bytes.ts`
 * maps bytes to JavaScript strings.
 */
import { bytesOf, decodeText, encodeCharacter, hasLoneSurrogate } from './text-bytes.ts';

const backslash = 92;
const byteOfEscape: Readonly<Record<string, number>> = { n: 10, t: 9, '"': 34, '\\': backslash };

/** The value of a literal's contents. The lexer has checked the escapes. */
export const unescapeString = (body: string): string => {
  if (!body.includes('\\') && !hasLoneSurrogate(body)) return body;
  // Adjacent bytes may form one character, whether escaped or not.
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

/** The literal for a value, with quotes: escapes everything but printable ASCII, byte by byte. */
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
