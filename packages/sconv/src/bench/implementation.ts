/** What a side of the benchmark is: an implementation of convolutions, ours or a peer's. */
import type { ConvolutionShape } from '@sconv/csa';
import type { Call } from './in-turns.ts';
import type { Data } from './workload.ts';

/** How the filters come: bound before, or given with every call, so that what is made of them is made every time. */
export type FilterUse = 'bound' | 'arguments';

/**
 * The vector instructions that an implementation computes with, as far as their peak is measured: two of WebAssembly, or the
 * fused multiply-add of the native target that is measured.
 */
export type InstructionMix = 'mul+add' | 'madd' | 'native';

/** A convolution that is ready to run. */
export interface Prepared {
  /** Computes it once. */
  readonly call: Call;
  /** Computes it once; the output in NCHW. */
  readonly result: () => Float32Array | Promise<Float32Array>;
  /** How it is done, in a word or two. */
  readonly how?: string;
  readonly dispose: () => unknown;
}

export interface Implementation {
  readonly name: string;
  readonly version: string;
  /** Undefined for code whose instructions are not known. */
  readonly mix: InstructionMix | undefined;
  /** Throws, or is rejected, where it cannot compute this one. */
  readonly prepare: (shape: ConvolutionShape, filters: FilterUse, data: Data) => Prepared | Promise<Prepared>;
}
