/** LEB128, the variable-length integers of the WebAssembly binary format (core specification §5.2.2). */

/** An unsigned integer below 2^53. Throws on anything else: sizes and indices in a module are never negative. */
export const unsigned = (value: number): number[] => {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not an unsigned integer`);
  if (value < 0x80) return [value];
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
};

/** A signed integer of 32 bits. */
export const signed32 = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  while (rest < -0x40 || rest >= 0x40) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  bytes.push(rest & 0x7f);
  return bytes;
};

/** A signed integer of up to 64 bits. */
export const signed = (value: bigint): number[] => {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = Number(BigInt.asUintN(7, rest));
    rest >>= 7n;
    const signBit = (low & 0x40) !== 0;
    if ((rest === 0n && !signBit) || (rest === -1n && signBit)) {
      bytes.push(low);
      return bytes;
    }
    bytes.push(low | 0x80);
  }
};
