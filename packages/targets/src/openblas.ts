/** OpenBLAS microkernels by symbol: panel widths of their packed operands. */

/** What a core's kernels require. */
interface Core extends OpenblasProcessor {
  /** UNROLL_M and UNROLL_N, by element type. */
  readonly f32: readonly [number, number];
  readonly f64?: readonly [number, number];
}

/** What a kernel requires of a processor. */
export interface OpenblasProcessor {
  /** As `Machine.isa`. */
  readonly isa: string;
  /** As named by Linux. */
  readonly features: readonly string[];
}

const x86 = (...features: readonly string[]): OpenblasProcessor => ({ isa: 'x86-64', features });
const avx2 = x86('avx2', 'fma');
const skylakex = x86('avx512f', 'avx512bw', 'avx512cd', 'avx512dq', 'avx512vl');
const cooperlake = x86(...skylakex.features, 'avx512_vnni', 'avx512_bf16');

/**
 * From OpenBLAS 0.3.21: on x86-64 from the library's gotoblas tables, otherwise from its param.h. Kernels of older
 * cores are left out: they load panels with aligned vector loads.
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

/** The element type and panel widths of an OpenBLAS kernel. */
export interface OpenblasPanels {
  readonly elementType: 'f32' | 'f64';
  /** UNROLL_M: panel width of the first operand. */
  readonly windows: number;
  /** UNROLL_N: panel width of the second operand. */
  readonly filters: number;
}

/**
 * The panels of a kernel: `sgemm_kernel_HASWELL` takes windows by 8 and filters by 4. Undefined for unknown symbols.
 */
export const openblasPanels = (symbol: string): OpenblasPanels | undefined => {
  const core = coreOf(symbol);
  const elementType = core !== undefined && symbol.startsWith('d') ? 'f64' : 'f32';
  const panels = core?.[elementType];
  return panels && { elementType, windows: panels[0], filters: panels[1] };
};

/** What a kernel requires of a processor, by its symbol. Undefined for unknown symbols. */
export const openblasProcessor = (symbol: string): OpenblasProcessor | undefined => {
  const core = openblasPanels(symbol) && coreOf(symbol);
  return core && { isa: core.isa, features: core.features };
};

const coreOf = (symbol: string): Core | undefined => {
  if (typeof (symbol as unknown) !== 'string') return undefined;
  const name = /^[sd]gemm_kernel_(\w+)$/.exec(symbol)?.[1] ?? '';
  return Object.hasOwn(cores, name) ? cores[name] : undefined;
};

/**
 * Panel width with which such a kernel takes `size` rows or columns: `unroll`, or all of them if they are fewer and a
 * power of two. Undefined if it takes panels of several widths, each half as wide as the previous one, down to 1.
 */
export const panelWidth = (size: number, unroll: number): number | undefined => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(unroll)) return undefined;
  if (size % unroll === 0) return unroll;
  return size < unroll && Number.isInteger(Math.log2(size)) ? size : undefined;
};
