/** The peak of a native target: a loop of fused multiply-adds in registers, built like all of its code. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { defaultRegistry } from '../default-registry.ts';
import type { Clock } from './clock.ts';
import { calibrated } from './machine-loops.ts';

/**
 * Independent dependency chains: they cover latencies of 4 to 5 cycles on two units, or on four with more registers.
 */
const chainsOf = (registers: number): number => (registers >= 32 ? 24 : 12);

/** Each chain starts with a different value; equal ones would be merged. */
const payload = (lanes: number, chains: number): string => {
  const vector = `vector<${lanes}xf32>`;
  const all = Array.from({ length: chains }, (_, i) => i);
  return `func.func @loop(%out: memref<${lanes}xf32>, %n: index, %x: f32) {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = vector.broadcast %x : f32 to ${vector}
${all.map((i) => `  %begin${i} = vector.fma %one, %one, ${i === 0 ? '%one' : `%begin${i - 1}`} : ${vector}`).join('\n')}
  %sums:${chains} = scf.for %i = %zero to %n step %step iter_args(${all.map((i) => `%a${i} = %begin${i}`).join(', ')}) -> (${all.map(() => vector).join(', ')}) {
${all.map((i) => `    %b${i} = vector.fma %a${i}, %one, %one : ${vector}`).join('\n')}
    scf.yield ${all.map((i) => `%b${i}`).join(', ')} : ${all.map(() => vector).join(', ')}
  }
${all
  .slice(1)
  .map((i) => `  %sum${i} = arith.addf ${i === 1 ? '%sums#0' : `%sum${i - 1}`}, %sums#${i} : ${vector}`)
  .join('\n')}
  vector.store %sum${chains - 1}, %out[%zero] : memref<${lanes}xf32>, ${vector}
  return
}`;
};

/**
 * Measures the flop/s of a native target's fused multiply-adds, for three milliseconds per call. Rejects if its code
 * cannot be built or run here.
 */
export const nativePeak = async (target: Target, clock: Clock, seconds = 0.003): Promise<() => number> => {
  const { vector } = target.machine;
  if (vector === undefined) throw new Error(`'${target.name}' has no vectors`);
  const [lanes, chains] = [vector.bits / 32, chainsOf(vector.registers)];
  const module = unwrap(parseModule(payload(lanes, chains), { registry: defaultRegistry }));
  const artifact = unwrap(
    await nativeBackend.load(unwrap(nativeBackend.emit(module, { target, registry: defaultRegistry }))),
  );
  const out = artifact.allocate<'f32'>('f32', lanes);
  const run = (iterations: number): void => {
    artifact.run('loop', out, BigInt(iterations), 1);
  };
  const iterations = calibrated(run, seconds);
  return () => {
    const start = clock();
    run(iterations);
    return (iterations * chains * lanes * 2) / (clock() - start);
  };
};
