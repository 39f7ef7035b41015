/** Failures of every op that tiles operands by static slices. */
export const slicingFailures = {
  'tile/dynamic': { mode: 'silenceable', when: 'a target has dynamic sizes or buffers' },
  'tile/out-of-bounds': { mode: 'silenceable', when: 'a tile may access elements outside of an operand' },
  'tile/unsound-slice': {
    mode: 'silenceable',
    when: 'an operand is indexed by a floordiv or mod of a tiled dimension',
  },
} as const;

/** Failures of every op that tiles whatever can be tiled. */
export const tilingFailures = {
  'tile/order': {
    mode: 'silenceable',
    when: 'iterations would run in another order, which may change the result',
  },
  'tile/padding': { mode: 'silenceable', when: 'a `tensor.pad` computes its padding value at each position' },
} as const;
