/** Common to all microkernel functions: their options and parameters. */
import type { RegisterTile } from '@sconv/targets';
import type { FunctionBuilder, FunctionRef, Local, ModuleBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f32x4, f64x2, i32x4, typed, v128 } from './instructions.ts';

/** k steps, at least one; bytes between rows; byte distance from a tile's panels and output to the next tile's. */
export interface MicrokernelRow {
  readonly steps: number;
  readonly rowBytes: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export interface MicrokernelOptions {
  /**
   * Elements of panels and output; default f32. Sums of i32 wrap; `i16x2` are pairs of i16 whose products are added to
   * i32 sums, one pair per step.
   */
  readonly element?: 'f32' | 'f64' | 'i32' | 'i16x2';
  /** Nwin: windows of a tile, the width of panel A. */
  readonly windows: number;
  /** Nf: filters of a tile, the width of panel B. */
  readonly filters: number;
  /** Panel widths, if wider than the tile. */
  readonly panels?: { readonly windows: number; readonly filters: number };
  /** Computes a row of tiles per call: the tile count takes the place of the step count. For single register tiles. */
  readonly row?: MicrokernelRow;
  /** Initial value of the sums: the output's old values, or one further argument for all. */
  readonly start?: 'output' | 'argument';
  /** Fused multiply-add of relaxed SIMD: faster, but the last bits depend on the machine. */
  readonly relaxed?: boolean;
  /** The register tiles; default: the fastest ones on the target `wasm` or, if `relaxed`, `wasmRelaxed`. */
  readonly tiles?: readonly RegisterTile[];
}

const kernelParameters = ['i32', 'i32', 'i32', 'i32', 'i32'] as const;

/** Addresses of the panels and of the output, step count, row stride in bytes, and initial value of the sums. */
type KernelBody = (
  f: FunctionBuilder,
  a: Local<'i32'>,
  b: Local<'i32'>,
  c: Local<'i32'>,
  k: Local<'i32'>,
  rowBytes: Local<'i32'>,
  start?: Local<'f32'> | Local<'f64'> | Local<'i32'>,
) => void;

/** Adds a function with these parameters. */
export const addKernelFunction = (
  module: ModuleBuilder,
  { start, element = 'f32' }: MicrokernelOptions,
  name: string | undefined,
  body: KernelBody,
): FunctionRef => {
  const named = name === undefined ? {} : { name };
  if (start !== 'argument') return module.function({ ...named, parameters: kernelParameters }, body);
  const sum = element === 'i16x2' ? 'i32' : element;
  return module.function({ ...named, parameters: [...kernelParameters, sum] }, body);
};

/** Registers that V8 11 can allocate in a loop: the 16 of x86-64 minus its scratch register. */
export const registers = 15;

/**
 * Elements of a step to broadcast at once, given registers for the sums, the step's vectors and, for mul + add, a
 * product: V8 hoists all loads to the top of their basic block, so a step with more of them needs several blocks.
 */
export const broadcastsAtOnce = (vectors: number, broadcasts: number, relaxed = false): number =>
  Math.max(registers - vectors * broadcasts - vectors - (relaxed ? 0 : 1), 1);

/** The vector arithmetic of a kernel. */
interface VectorArithmetic {
  /** Bytes per element of the panels and the output. */
  readonly bytes: 4 | 8;
  /** Elements per vector. */
  readonly lanes: 2 | 4;
  /** Broadcasts an element from memory. */
  readonly loadSplat: (address: Expr<'i32'>, offset?: number) => Expr<'v128'>;
  /** Broadcasts a number. */
  readonly splat: (value: Expr) => Expr<'v128'>;
  /** `x * y + sum`. */
  readonly multiplyAdd: (x: Expr<'v128'>, y: Expr<'v128'>, sum: Expr<'v128'>) => Expr<'v128'>;
}

/** The arithmetic of a kernel's element type. */
export const arithmeticOf = ({ element = 'f32', relaxed }: MicrokernelOptions): VectorArithmetic => {
  const words = { bytes: 4, lanes: 4, loadSplat: v128.load32Splat } as const;
  switch (element) {
    case 'f32':
      return {
        ...words,
        splat: (value) => f32x4.splat(typed(value, 'f32')),
        multiplyAdd: (x, y, sum) =>
          relaxed ? f32x4.relaxedMadd(x, y, sum) : f32x4.add(f32x4.mul(x, y), sum),
      };
    case 'f64':
      return {
        bytes: 8,
        lanes: 2,
        loadSplat: v128.load64Splat,
        splat: (value) => f64x2.splat(typed(value, 'f64')),
        multiplyAdd: (x, y, sum) =>
          relaxed ? f64x2.relaxedMadd(x, y, sum) : f64x2.add(f64x2.mul(x, y), sum),
      };
    case 'i32':
      return {
        ...words,
        splat: (value) => i32x4.splat(typed(value, 'i32')),
        multiplyAdd: (x, y, sum) => i32x4.add(i32x4.mul(x, y), sum),
      };
    case 'i16x2':
      return {
        ...words,
        splat: (value) => i32x4.splat(typed(value, 'i32')),
        multiplyAdd: (x, y, sum) => i32x4.add(i32x4.dotI16x8S(x, y), sum),
      };
  }
};
