/** OpenBLAS's microkernels by their symbols: how wide they take the panels of packed operands. */

/** UNROLL_M and UNROLL_N of a core's kernels, by element type. */
interface Core {
  readonly f32: readonly [number, number];
  readonly f64?: readonly [number, number];
}

/**
 * Of OpenBLAS 0.3.21: on x86-64 from the gotoblas tables of the library, else from its param.h. The kernels of older cores are
 * left out: they load panels as aligned vectors.
 */
const cores: Readonly<Record<string, Core>> = {
  SANDYBRIDGE: { f32: [16, 4] },
  HASWELL: { f32: [8, 4], f64: [4, 8] },
  ZEN: { f32: [8, 4], f64: [4, 8] },
  SKYLAKEX: { f32: [16, 4], f64: [16, 2] },
  COOPERLAKE: { f32: [16, 4], f64: [16, 2] },
  NEOVERSEN1: { f32: [16, 4] },
  POWER10: { f32: [16, 8] },
};

/** What a kernel of OpenBLAS is made for. */
export interface OpenblasPanels {
  readonly elementType: 'f32' | 'f64';
  /** UNROLL_M: the width of the panels of its first operand. */
  readonly windows: number;
  /** UNROLL_N: the width of the panels of its second operand. */
  readonly filters: number;
}

/** The panels of a kernel: `sgemm_kernel_HASWELL` takes windows by 8 and filters by 4. Undefined for other symbols. */
export const openblasPanels = (symbol: string): OpenblasPanels | undefined => {
  const [, letter, name = ''] = /^([sd])gemm_kernel_(\w+)$/.exec(symbol) ?? [];
  const elementType = letter === 'd' ? 'f64' : 'f32';
  const panels = Object.hasOwn(cores, name) ? cores[name]![elementType] : undefined;
  return panels && { elementType, windows: panels[0], filters: panels[1] };
};

/**
 * How wide the panels are in which such a kernel takes `size` rows or columns: `unroll`, or all of fewer that are a power of
 * two. Undefined where it takes panels of several widths: each half as wide as the one before, down to 1.
 */
export const panelWidth = (size: number, unroll: number): number | undefined => {
  if (size % unroll === 0) return unroll;
  return size < unroll && Number.isInteger(Math.log2(size)) ? size : undefined;
};
