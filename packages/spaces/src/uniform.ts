/** Uniform numbers of any size. */

/** A uniform number in `[0, count)` of random ones in `[0, 1)`: 16 bits of each, drawn again where that is uneven. */
export const uniformBelow = (count: bigint, random: () => number): bigint => {
  const digits = Math.ceil((count - 1n).toString(2).length / 16);
  const top = 1n << BigInt(16 * digits);
  // The multiples of count below the top are equally likely.
  const limit = top - (top % count);
  for (;;) {
    let drawn = 0n;
    for (let i = 0; i < digits; i += 1) drawn = (drawn << 16n) | BigInt(Math.floor(random() * 65_536));
    if (drawn < limit) return drawn % count;
  }
};
