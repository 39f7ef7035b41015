import type { Microkernel } from './microkernel.ts';

/** The C declaration of every single-precision microkernel of OpenBLAS; `c[i + j*ldc] += alpha · Σ_p a·b`. */
const signature =
  'int (long m, long n, long k, float alpha, const float *a, const float *b, float *c, long ldc)';

/** A kernel of OpenBLAS and the tile that it is called for. */
export interface OpenblasTile {
  /** The suffix of its symbol: `HASWELL`, `SKYLAKEX`, … */
  readonly core: string;
  /** UNROLL_M and UNROLL_N, which its packed operands must have as panel widths. */
  readonly unroll: readonly [number, number];
  readonly windows: number;
  readonly filters: number;
  readonly clang: string;
  readonly emulator?: string;
  readonly source: string;
}

/** The descriptor of a call to `sgemm_kernel_<core>`: windows are its m, filters its n. */
export const openblasKernel = (tile: OpenblasTile): Microkernel => ({
  kind: 'microkernel',
  name: `openblas-${tile.core.toLowerCase()}-${tile.windows}x${tile.filters}`,
  windows: tile.windows,
  filters: tile.filters,
  panels: { windows: tile.unroll[0], filters: tile.unroll[1] },
  vectorized: tile.core === 'POWER10' ? 'both' : 'windows',
  elementType: 'f32',
  generation: 'openblas',
  symbol: `sgemm_kernel_${tile.core}`,
  signature,
  clang: tile.clang,
  ...(tile.emulator === undefined ? {} : { emulator: tile.emulator }),
  source: tile.source,
});

/** A tile written for MLIR's vector dialect, each operand in one panel. */
export const vectorKernel = (
  windows: number,
  filters: number,
  build: Pick<Microkernel, 'clang' | 'emulator'>,
  source: string,
): Microkernel => ({
  kind: 'microkernel',
  name: `vector-${windows}x${filters}`,
  windows,
  filters,
  panels: { windows, filters },
  vectorized: 'windows',
  elementType: 'f32',
  generation: 'vector-dialect',
  ...build,
  source,
});
