/** Supported instruction sets. */
import type { Machine } from '@sconv/targets';

/** Arguments for clang, and the features that the code requires. */
export interface Processor {
  readonly arguments: readonly string[];
  readonly features: readonly string[];
  /** The emulator to use if the processor lacks them: a program and its arguments. */
  readonly emulator: readonly string[];
  /** Bytes per vector in Arm's streaming mode, for code that is only valid at this length. */
  readonly streamingBytes?: number;
}

/** x86-64-v3 of the psABI, without features that only the operating system uses. */
const v3 = ['avx', 'avx2', 'bmi1', 'bmi2', 'f16c', 'fma', 'movbe'];
const v4 = [...v3, 'avx512f', 'avx512bw', 'avx512cd', 'avx512dq', 'avx512vl'];

/** The processor description of a machine; undefined if this backend does not support it. */
export const processorOf = ({ isa, vector, matrix }: Machine): Processor | undefined => {
  if (vector === undefined) return undefined;
  switch (isa) {
    case 'x86-64':
      return vector.bits >= 512
        ? { ...x86('x86-64-v4', v4), emulator: ['bochs', 'corei7_skylake_x'] }
        : x86('x86-64-v3', v3);
    case 'aarch64': {
      const target = '--target=aarch64-linux-gnu';
      if (matrix === undefined) {
        const emulator = ['qemu-aarch64', '-cpu', 'max'];
        return { arguments: [target, '-march=armv8-a'], features: ['asimd'], emulator };
      }
      if (matrix.extension !== 'SME') return undefined;
      const bits = matrix.rows * 32;
      return {
        arguments: [target, '-march=armv9-a+sme'],
        features: ['asimd', 'sme'],
        emulator: ['qemu-aarch64', '-cpu', `max,sme=on,sme${bits}=on`],
        streamingBytes: bits / 8,
      };
    }
    case 'ppc64le':
      return {
        arguments: ['--target=powerpc64le-linux-gnu', '-mcpu=power10'],
        features: ['mma'],
        emulator: ['qemu-ppc64le', '-cpu', 'power10'],
      };
    default:
      return undefined;
  }
};

const x86 = (march: string, features: readonly string[]): Processor => ({
  arguments: ['--target=x86_64-linux-gnu', `-march=${march}`],
  features,
  emulator: ['qemu-x86_64', '-cpu', 'max'],
});
