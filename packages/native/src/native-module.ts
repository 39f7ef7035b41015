/** The output of the backend. */
import type { ConstantArgument, Emitted } from '@sconv/backend';
import type { Location } from '@sconv/diagnostics';
import type { KeptArgument } from '@sconv/lowering';

export const backendName = 'native';

/** Sources of a library whose functions can use several threads. */
export interface ThreadedSources {
  readonly mlir: string;
  readonly stubs: string;
  /** Of the longest loop: more threads would be idle. */
  readonly iterations: number;
}

/** A function that is defined elsewhere. */
export interface DeclaredFunction {
  readonly name: string;
  readonly location: Location;
}

/** Sources of a library or a program, and their processor requirements. */
export interface NativeModule extends Emitted {
  readonly backend: typeof backendName;
  /** The functions without a body, which the C library or OpenBLAS has. */
  readonly declared: readonly DeclaredFunction[];
  /** By function: the arguments whose packings may be kept, and their sizes. */
  readonly kept: readonly (readonly KeptArgument[])[];
  /** MLIR for upstream's conversions to the LLVM dialect. */
  readonly mlir: string;
  /** C: `sconv_<name>` for each function, taking plain pointers. */
  readonly stubs: string;
  /** C: the header for programs that link the code. */
  readonly header: string;
  /** The variant where threads share loops; undefined if there is no such loop. */
  readonly threaded?: ThreadedSources;
  /** The target processor, as arguments for clang. */
  readonly arguments: readonly string[];
  /** `x86-64` and so on, and the flags of `/proc/cpuinfo` that the code requires. */
  readonly isa: string;
  readonly features: readonly string[];
  /** The OpenBLAS kernels that are called. */
  readonly kernels: readonly string[];
  /** The emulator to use if the processor lacks features: a program and its arguments. */
  readonly emulator: readonly string[];
  /** Bytes per vector in Arm's streaming mode, for code that is only valid at this length. */
  readonly streamingBytes?: number;
}

/** A module whose library is a file, and whose constants are in a block. */
export interface SavedNative extends Pick<
  NativeModule,
  'functions' | 'kept' | 'isa' | 'features' | 'streamingBytes'
> {
  /** Of a library for several threads. */
  readonly threaded?: Pick<ThreadedSources, 'iterations'>;
  /** Where each constant is in the block: offset and length in bytes. */
  readonly constants: readonly (Pick<ConstantArgument, 'function' | 'parameter'> & {
    readonly at: number;
    readonly bytes: number;
  })[];
  readonly weightBytes: number;
}
