// @ts-check

/**
 * Seeded numbers in 0..1 (mulberry32), the same on every machine.
 *
 * @param {number} seed
 */
export const random = (seed) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/**
 * Ranks from 0; equal values share the mean of their ranks.
 *
 * @param {readonly number[]} values
 */
const ranks = (values) => {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  /** @type {number[]} */
  const result = [];
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end < order.length && order[end]?.value === order[start]?.value) end += 1;
    for (const { index } of order.slice(start, end)) result[index] = (start + end - 1) / 2;
    start = end;
  }
  return result;
};

/**
 * Spearman's rank correlation; 0 if one side is constant.
 *
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
export const spearman = (a, b) => {
  const [x, y] = [ranks(a), ranks(b)];
  const mean = (x.length - 1) / 2;
  const sum = (/** @type {(index: number) => number} */ term) =>
    x.reduce((total, _, index) => total + term(index), 0);
  const dx = (/** @type {number} */ index) => (x[index] ?? 0) - mean;
  const dy = (/** @type {number} */ index) => (y[index] ?? 0) - mean;
  const spread = Math.sqrt(sum((index) => dx(index) ** 2) * sum((index) => dy(index) ** 2));
  return spread === 0 ? 0 : sum((index) => dx(index) * dy(index)) / spread;
};
