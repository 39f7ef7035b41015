/** What the backend emits. */
import type { Emitted } from '@sconv/backend';
import type { KeptPacking } from '@sconv/lowering';

export const backendName = 'native';

/** Sources of a library whose functions threads may help. */
export interface ThreadedSources {
  readonly mlir: string;
  readonly stubs: string;
  /** Of the longest loop: more threads have nothing to do. */
  readonly iterations: number;
}

/** Sources of a library or of a program, and what these need of the processor. */
export interface NativeModule extends Emitted {
  readonly backend: typeof backendName;
  /** Of each function: the arguments whose packings may be kept, and what they take. */
  readonly kept: readonly (readonly KeptPacking[])[];
  /** MLIR that upstream's conversions take to the LLVM dialect. */
  readonly mlir: string;
  /** C: for each function `sconv_<name>`, which takes plain pointers. */
  readonly stubs: string;
  /** C: what a program includes that is linked with the code. */
  readonly header: string;
  /** The same where threads share loops; undefined where there is no loop that they could. */
  readonly threaded?: ThreadedSources;
  /** The processor that code is made for, as clang is told. */
  readonly arguments: readonly string[];
  /** `x86-64` and the like, and the flags of `/proc/cpuinfo` without which the code cannot run. */
  readonly isa: string;
  readonly features: readonly string[];
  /** The kernels of OpenBLAS that are called. */
  readonly kernels: readonly string[];
  /** What runs the code where the processor cannot: a program and its arguments. */
  readonly emulator: readonly string[];
  /** Bytes of a vector in Arm's streaming mode, for code that holds at no other length. */
  readonly streamingBytes?: number;
}
