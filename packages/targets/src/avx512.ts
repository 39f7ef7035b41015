/** What targets with AVX-512 share, AMD's and Intel's. */

/** One unit of 512 bits, as the targets here have. */
export const avx512Unit = {
  extension: 'AVX-512',
  bits: 512,
  registers: 32,
  fused: true,
  units: 1,
  broadcasts: 'none',
  maskedLoads: 8,
  maskRegisters: true,
  pairProducts: 'pmaddwd',
  prefetch: true,
} as const;
