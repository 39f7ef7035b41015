/** The instruction sets that code is made for. */
import type { Machine } from '@sconv/targets';

/** What clang is told, and what the processor has to have for it. */
export interface Processor {
  readonly arguments: readonly string[];
  readonly features: readonly string[];
}

/** x86-64-v3 of the psABI, without what only the operating system uses. */
const v3 = ['avx', 'avx2', 'bmi1', 'bmi2', 'f16c', 'fma', 'movbe'];
const v4 = [...v3, 'avx512f', 'avx512bw', 'avx512cd', 'avx512dq', 'avx512vl'];

/** The processor that a machine's code is made for; undefined for one that this backend makes none for. */
export const processorOf = ({ isa, vector, matrix }: Machine): Processor | undefined => {
  if (isa === 'aarch64' && vector !== undefined && matrix === undefined) {
    return { arguments: ['--target=aarch64-linux-gnu', '-march=armv8-a'], features: ['asimd'] };
  }
  if (isa !== 'x86-64' || vector === undefined) return undefined;
  return vector.bits >= 512
    ? { arguments: ['--target=x86_64-linux-gnu', '-march=x86-64-v4'], features: v4 }
    : { arguments: ['--target=x86_64-linux-gnu', '-march=x86-64-v3'], features: v3 };
};
