/** A side of the benchmark: an implementation of convolutions, ours or a peer's. */
import type { ConvolutionShape } from '@sconv/csa';
import type { Call } from './in-turns.ts';
import type { Data } from './workload.ts';

/** How filters are passed: bound beforehand, or as arguments of every call, which have to be processed every time. */
export type FilterUse = 'bound' | 'arguments';

/**
 * The vector instructions an implementation uses, as far as their peak is measured: WebAssembly's two kinds, or the
 * fused multiply-add of the native target.
 */
export type InstructionMix = 'mul+add' | 'madd' | 'native';

/** A convolution ready to run. */
export interface Prepared {
  /** Computes it once. */
  readonly call: Call;
  /** Computes it once; returns the output in NCHW. */
  readonly result: () => Float32Array | Promise<Float32Array>;
  /** How it is computed, in a word or two. */
  readonly how?: string;
  readonly dispose: () => unknown;
}

export type Prepare = (
  shape: ConvolutionShape,
  filters: FilterUse,
  data: Data,
) => Prepared | Promise<Prepared>;

export interface Implementation {
  readonly name: string;
  readonly version: string;
  /** Undefined for code with unknown instructions. */
  readonly mix: InstructionMix | undefined;
  /** Throws, or rejects, if it cannot compute this one. */
  readonly prepare: Prepare;
  /** The same for the product of filters and input, which are row-major; sides without it measure no products. */
  readonly prepareProduct?: Prepare;
}
