import type { Machine, VectorUnit } from './machine.ts';
import { expectRecord } from './target-error.ts';

/** Element types that a convolution may have. */
export type ElementType = 'f64' | 'f32' | 'f16' | 'bf16' | 'i32' | 'i16' | 'i8';

const bytesOf: Readonly<Record<ElementType, number>> = {
  f64: 8,
  f32: 4,
  f16: 2,
  bf16: 2,
  i32: 4,
  i16: 2,
  i8: 1,
};

/** Size of one element in bytes (SC Eq. 1: DT). */
export const elementBytes = (type: ElementType): number => bytesOf[type];

export const elementTypes: readonly ElementType[] = ['f64', 'f32', 'f16', 'bf16', 'i32', 'i16', 'i8'];

export const isElementType = (text: string): text is ElementType =>
  typeof (text as unknown) === 'string' && Object.hasOwn(bytesOf, text);

/**
 * How a microkernel is produced: a kernel of the OpenBLAS library, MLIR's vector dialect lowered by LLVM, emitted
 * WebAssembly, or LLVM IR with intrinsics of the matrix unit.
 */
export type Generation = 'openblas' | 'vector-dialect' | 'wasm' | 'intrinsics';

export const generations: readonly Generation[] = ['openblas', 'vector-dialect', 'wasm', 'intrinsics'];

/** The function that computes one tile: `output[f][w] += Σ_k windows[k][w] · filters[k][f]`, on packed panels. */
export interface Microkernel {
  readonly kind: 'microkernel';
  /** kebab-case. */
  readonly name: string;
  /** Nwin: windows (output pixels) of a tile (SC §4.1, ST §2.2). */
  readonly windows: number;
  /** Nf: filters (output channels) of a tile. */
  readonly filters: number;
  /**
   * Panel widths of the packed operands. A tile of 16 windows in panels of 8 is two contiguous panels, each `[k][8]`;
   * OpenBLAS fixes these widths per kernel (UNROLL_M, UNROLL_N).
   */
  readonly panels: { readonly windows: number; readonly filters: number };
  /** The part in registers at once, if the tile takes several passes over its packed operands. */
  readonly registerTile?: { readonly windows: number; readonly filters: number };
  /**
   * k steps per call at which it is fastest, if not those of the target's `KernelSpeeds`: large tiles leave room for
   * few in L1.
   */
  readonly steps?: number;
  /** The vectorized dimension; a matrix unit takes both. */
  readonly vectorized: 'windows' | 'filters' | 'both';
  readonly elementType: ElementType;
  readonly generation: Generation;
  /** The exported symbol of a library kernel, which tiles that `transform.lower.to_blas` lowers call. */
  readonly symbol?: string;
  /** Where the shape comes from. */
  readonly source: string;
}

/** `16x8` and the like: windows x filters, as the papers write a microkernel. */
export const microkernelShape = (kernel: Pick<Microkernel, 'windows' | 'filters'>): string => {
  expectRecord('microkernel', kernel);
  return `${kernel.windows}x${kernel.filters}`;
};

/** Registers that a kernel needs and the machine has. */
export interface RegisterUse {
  /** Registers (or accumulator tiles) that hold the output tile. */
  readonly accumulators: number;
  /** Registers live in the inner loop. */
  readonly needed: number;
  readonly available: number;
}

const ceilDiv = (a: number, b: number): number => Math.ceil(a / b);

const vectorUse = (kernel: Microkernel, unit: VectorUnit): RegisterUse => {
  const lanes = unit.bits / (8 * elementBytes(kernel.elementType));
  const { windows, filters } = kernel.registerTile ?? kernel;
  const [long, short] = kernel.vectorized === 'filters' ? [filters, windows] : [windows, filters];
  const vectors = ceilDiv(long, lanes);
  const accumulators = vectors * short;
  const scalars = { none: 0, one: 1, all: short }[unit.broadcasts];
  return {
    accumulators,
    needed: accumulators + vectors + scalars + (unit.fused ? 0 : 1),
    available: unit.registers,
  };
};

/** Registers of `kernel` on `machine`; `undefined` if the machine's units are not described. */
export const registerUse = (kernel: Microkernel, machine: Machine): RegisterUse | undefined => {
  expectRecord('microkernel', kernel);
  expectRecord('machine', machine);
  for (const unit of ['matrix', 'vector'] as const)
    if (machine[unit] !== undefined) expectRecord(`machine.${unit}`, machine[unit]);
  if (machine.matrix !== undefined && kernel.vectorized === 'both') {
    const { rows, columns, accumulators: available } = machine.matrix;
    const accumulators = ceilDiv(kernel.windows, columns) * ceilDiv(kernel.filters, rows);
    return { accumulators, needed: accumulators, available };
  }
  return machine.vector === undefined ? undefined : vectorUse(kernel, machine.vector);
};
