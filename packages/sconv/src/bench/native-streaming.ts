/** The bandwidth of native code: a loop of loads and one of stores, built like all of a target's code. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { defaultRegistry } from '../default-registry.ts';

/** Vectors in a step of a loop. */
const unrolled = 8;

/** Sums up what it reads, and writes the sums behind that: neither loop can be left out. */
const payload = (lanes: number, elements: number): string => {
  const vector = `vector<${lanes}xf32>`;
  const data = `memref<${elements}xf32>`;
  const all = Array.from({ length: unrolled }, (_, i) => i);
  const types = all.map(() => vector).join(', ');
  return `func.func @loop(%data: ${data}, %repetitions: index, %read: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %step = arith.constant ${unrolled * lanes} : index
${all.map((i) => `  %place${i} = arith.constant ${i * lanes} : index`).join('\n')}
  %none = arith.constant dense<0.0> : ${vector}
  %all:${unrolled} = scf.for %r = %zero to %repetitions step %one iter_args(${all.map((i) => `%before${i} = %none`).join(', ')}) -> (${types}) {
    %sums:${unrolled} = scf.for %i = %zero to %read step %step iter_args(${all.map((i) => `%sum${i} = %before${i}`).join(', ')}) -> (${types}) {
${all
  .map(
    (i) => `      %at${i} = arith.addi %i, %place${i} : index
      %value${i} = vector.load %data[%at${i}] : ${data}, ${vector}
      %next${i} = arith.addf %sum${i}, %value${i} : ${vector}`,
  )
  .join('\n')}
      scf.yield ${all.map((i) => `%next${i}`).join(', ')} : ${types}
    }
    scf.for %i = %read to %end step %step {
${all
  .map(
    (i) => `      %at${i} = arith.addi %i, %place${i} : index
      vector.store %sums#${i}, %data[%at${i}] : ${data}, ${vector}`,
  )
  .join('\n')}
    }
    scf.yield ${all.map((i) => `%sums#${i}`).join(', ')} : ${types}
  }
${all.map((i) => `  vector.store %all#${i}, %data[%place${i}] : ${data}, ${vector}`).join('\n')}
  return
}`;
};

/** The size of its code's array: one for all, so that it is built once. Memory that is not touched takes none. */
const elements = 2 ** 25 + 2 ** 12;

/**
 * Reads so many bytes, and then writes so many, repeatedly: at most 128 MiB together, with `mostBytes` of them
 * prepared. Rejects if the target's code cannot be built or run here.
 */
export const nativeStreamingLoop = async (
  target: Target,
  mostBytes: number,
): Promise<(repetitions: number, readBytes: number, writtenBytes: number) => void> => {
  const lanes = (target.machine.vector?.bits ?? 128) / 32;
  const module = unwrap(parseModule(payload(lanes, elements), { registry: defaultRegistry }));
  const artifact = unwrap(
    await nativeBackend.load(unwrap(nativeBackend.emit(module, { target, registry: defaultRegistry }))),
  );
  const data = artifact.allocate<'f32'>('f32', elements);
  // Pages that were never written are one and the same.
  data.fill(0, 0, Math.min(elements, mostBytes / 4 + 2 ** 12));
  const step = unrolled * lanes;
  const rounded = (bytes: number): number => Math.ceil(bytes / 4 / step) * step;
  return (repetitions, readBytes, writtenBytes) => {
    const read = rounded(readBytes);
    const end = read + rounded(writtenBytes);
    artifact.run('loop', data, BigInt(repetitions), BigInt(read), BigInt(end));
  };
};
