/** Bytes as hexadecimal digits: two each, of any length. */

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));

/** The digits of so many bytes are joined at once: a string that grows byte by byte takes many times the memory. */
const partLength = 2 ** 14;

/** Upper-case digits. Two for a byte, so that more than 2^28 bytes are too many for a string. */
export const bytesToHex = (bytes: Uint8Array): string => {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += partLength) {
    const part: string[] = [];
    for (const byte of bytes.subarray(start, start + partLength)) part.push(digits[byte]!);
    parts.push(part.join(''));
  }
  return parts.join('');
};

/** The bytes of the digits between two offsets of a text; undefined for other characters, or half a byte. */
export const hexToBytes = (text: string, start = 0, end = text.length): Uint8Array | undefined => {
  const length = (end - start) / 2;
  if (!Number.isInteger(length)) return undefined;
  const bytes = new Uint8Array(length);
  for (let i = 0, at = start; i < length; i += 1, at += 2) {
    const byte = (valueOf(text.charCodeAt(at)) << 4) | valueOf(text.charCodeAt(at + 1));
    if (byte < 0) return undefined;
    bytes[i] = byte;
  }
  return bytes;
};

/** Of a digit's character code; -1 for another character. */
const valueOf = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};
