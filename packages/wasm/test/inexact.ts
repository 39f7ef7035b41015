/** Values whose sums are inexact, so that the order of the additions shows. */
export const inexact = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.fround(Math.sin(i * 12.9898 + seed) * 43.7));
