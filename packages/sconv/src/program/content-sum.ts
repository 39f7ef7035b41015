/** What tells the contents of files apart. */

/** A sum of bytes, of 64 bits as hexadecimal digits: no cryptographic one. */
export const contentSum = (bytes: Uint8Array): string => {
  let [low, high] = [0x811c9dc5, 0x9e3779b1];
  const add = (word: number): void => {
    low = Math.imul(low ^ word, 0x01000193);
    high = Math.imul(high ^ word ^ (low >>> 15), 0x85ebca6b);
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0; at < whole; at += 4) add(view.getUint32(at, true));
  for (let at = whole; at < bytes.length; at += 1) add(bytes[at]!);
  add(bytes.length);
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
};
