/** OpenBLAS's microkernels by their symbols: how wide they take the panels of packed operands. */

/** What the kernels of a core are made for. */
interface Core extends OpenblasProcessor {
  /** UNROLL_M and UNROLL_N, by element type. */
  readonly f32: readonly [number, number];
  readonly f64?: readonly [number, number];
}

/** What a processor has to have for a kernel. */
export interface OpenblasProcessor {
  /** As `Machine.isa`. */
  readonly isa: string;
  /** As Linux names them. */
  readonly features: readonly string[];
}

const x86 = (...features: readonly string[]): OpenblasProcessor => ({ isa: 'x86-64', features });
const avx2 = x86('avx2', 'fma');
const skylakex = x86('avx512f', 'avx512bw', 'avx512cd', 'avx512dq', 'avx512vl');
const cooperlake = x86(...skylakex.features, 'avx512_vnni', 'avx512_bf16');

/**
 * Of OpenBLAS 0.3.21: on x86-64 from the gotoblas tables of the library, else from its param.h. The kernels of older cores are
 * left out: they load panels as aligned vectors.
 */
const cores: Readonly<Record<string, Core>> = {
  SANDYBRIDGE: { ...x86('avx'), f32: [16, 4] },
  HASWELL: { ...avx2, f32: [8, 4], f64: [4, 8] },
  ZEN: { ...avx2, f32: [8, 4], f64: [4, 8] },
  SKYLAKEX: { ...skylakex, f32: [16, 4], f64: [16, 2] },
  COOPERLAKE: { ...cooperlake, f32: [16, 4], f64: [16, 2] },
  NEOVERSEN1: { isa: 'aarch64', features: ['asimd'], f32: [16, 4] },
  POWER10: { isa: 'ppc64le', features: ['mma'], f32: [16, 8] },
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
  const elementType = symbol.startsWith('d') ? 'f64' : 'f32';
  const panels = coreOf(symbol)?.[elementType];
  return panels && { elementType, windows: panels[0], filters: panels[1] };
};

/** What a processor has to have for a kernel, by its symbol. Undefined for other symbols. */
export const openblasProcessor = (symbol: string): OpenblasProcessor | undefined => {
  const core = openblasPanels(symbol) && coreOf(symbol);
  return core && { isa: core.isa, features: core.features };
};

const coreOf = (symbol: string): Core | undefined => {
  const name = /^[sd]gemm_kernel_(\w+)$/.exec(symbol)?.[1] ?? '';
  return Object.hasOwn(cores, name) ? cores[name] : undefined;
};

/**
 * How wide the panels are in which such a kernel takes `size` rows or columns: `unroll`, or all of fewer that are a power of
 * two. Undefined where it takes panels of several widths: each half as wide as the one before, down to 1.
 */
export const panelWidth = (size: number, unroll: number): number | undefined => {
  if (size % unroll === 0) return unroll;
  return size < unroll && Number.isInteger(Math.log2(size)) ? size : undefined;
};
