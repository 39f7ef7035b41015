// @ts-check
/** Reproducible random samples. */

/**
 * A uniform sample of the items in random order; all of them if there are at most `count`.
 * @template T
 * @param {readonly T[]} items
 * @param {number} count
 * @param {number} seed
 * @param {(item: T) => boolean} [accept] rejected items are redrawn
 * @returns {T[]}
 */
export function sample(items, count, seed, accept = () => true) {
  const random = mulberry32(seed);
  const rest = [...items];
  /** @type {T[]} */
  const drawn = [];
  while (drawn.length < count && rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    const item = /** @type {T} */ (rest[at]);
    rest[at] = /** @type {T} */ (rest.at(-1));
    rest.pop();
    if (accept(item)) drawn.push(item);
  }
  return drawn;
}

/** Numbers in [0, 1) from a seed of 32 bits. @param {number} seed */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
