/** What the functions of microkernels have in common: what is asked of them, and their parameters. */
import type { RegisterTile } from '@sconv/targets';
import type { FunctionBuilder, FunctionRef, Local, ModuleBuilder } from './encoder.ts';

/** Steps of k, at least one; bytes between rows, and from a tile's panels and its output to those of the next one. */
export interface MicrokernelRow {
  readonly steps: number;
  readonly rowBytes: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export interface MicrokernelOptions {
  /** Nwin: windows of a tile, the width of panel A. */
  readonly windows: number;
  /** Nf: filters of a tile, the width of panel B. */
  readonly filters: number;
  /** Widths of the panels, where they are wider than the tile. */
  readonly panels?: { readonly windows: number; readonly filters: number };
  /** A row of tiles, one call: the number of tiles stands where the steps do. Of one register tile. */
  readonly row?: MicrokernelRow;
  /** Where the sums start: at what the output holds, or all at a further argument. */
  readonly start?: 'output' | 'argument';
  /** Fused multiply-add of relaxed SIMD: faster, but the last bits depend on the machine. */
  readonly relaxed?: boolean;
  /** Another division into register tiles than `registerTiles` makes; for measurements. */
  readonly tiles?: readonly RegisterTile[];
}

export const floatBytes = 4;
/** f32 in a vector. */
export const lanes = 4;

const kernelParameters = ['i32', 'i32', 'i32', 'i32', 'i32'] as const;

/** The addresses of the panels and of the output, the steps, the bytes between rows, and where the sums start. */
type KernelBody = (
  f: FunctionBuilder,
  a: Local<'i32'>,
  b: Local<'i32'>,
  c: Local<'i32'>,
  k: Local<'i32'>,
  rowBytes: Local<'i32'>,
  start?: Local<'f32'>,
) => void;

/** Adds a function of these parameters. */
export const addKernelFunction = (
  module: ModuleBuilder,
  { start }: MicrokernelOptions,
  name: string | undefined,
  body: KernelBody,
): FunctionRef => {
  const named = name === undefined ? {} : { name };
  return start === 'argument'
    ? module.function({ ...named, parameters: [...kernelParameters, 'f32'] }, body)
    : module.function({ ...named, parameters: kernelParameters }, body);
};

/** Registers that V8 11 leaves to a loop: 16 of x86-64 less its scratch register. */
export const registers = 15;
