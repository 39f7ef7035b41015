/**
 * What the engine can do on this machine, now: loops in WebAssembly that do nothing but arithmetic, or nothing but loads
 * and stores. They are measured beside each sample, for the clock of a shared machine changes from one to the next.
 */
import type { Expr, Local } from '@sconv/wasm';
import { createModuleBuilder, f32x4, i32, v128 } from '@sconv/wasm';
import type { Clock } from './clock.ts';

/** The part of the engine's interface that is used: its declarations come with those of the DOM alone. */
declare const WebAssembly: {
  readonly Memory: new (options: { readonly initial: number }) => object;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: object } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
};

const pageBytes = 65_536;

/** The exported function `loop` of a module on a memory of so many pages. */
export const instantiateLoop = (
  bytes: Uint8Array<ArrayBuffer>,
  pages: number,
): ((...values: number[]) => void) => {
  const memory = new WebAssembly.Memory({ initial: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return exports['loop'] as (...values: number[]) => void;
};

/**
 * Independent chains of operations: seven of multiplications and seven of additions, or fourteen of both at once. They and
 * their constant fill the 15 registers that V8 has on x86, and cover latencies of 3 to 4 cycles, at two of a kind a cycle. A
 * multiplication whose sum follows it in one chain would have to wait twice as long.
 */
const chains = 14;
const unrolled = 4;
/** Two operations of each chain, or one that counts for two, on four lanes. */
const flopOfIteration = unrolled * chains * 2 * 4;

const arithmeticModule = (relaxed: boolean): Uint8Array<ArrayBuffer> => {
  const module = createModuleBuilder();
  module.function({ name: 'loop', parameters: ['i32', 'f32'] }, (f, iterations, constant) => {
    const one = f.let(f32x4.splat(f.get(constant)));
    const values = Array.from({ length: chains }, () => f.local('v128'));
    const step = (value: Local<'v128'>, i: number): Expr<'v128'> => {
      if (relaxed) return f32x4.relaxedMadd(f.get(value), f.get(one), f.get(one));
      return (i % 2 === 0 ? f32x4.mul : f32x4.add)(f.get(value), f.get(one));
    };
    f.loop((head) => {
      for (let i = 0; i < unrolled * (relaxed ? 1 : 2); i += 1)
        values.forEach((value, chain) => f.set(value, step(value, chain)));
      f.set(iterations, i32.sub(f.get(iterations), i32.const(1)));
      f.branchIf(head, f.get(iterations));
    });
    // Used, so that it is computed.
    values.forEach((value, i) => {
      f.statement(v128.store(i32.const(16 * i), f.get(value)));
    });
  });
  return module.encode(1);
};

/** Runs a loop until the engine has optimized it, and settles how long it has to be to last this many seconds. */
export const calibrated = (run: (iterations: number) => void, seconds: number): number => {
  let iterations = 1;
  const start = performance.now();
  for (;;) {
    const from = performance.now();
    run(iterations);
    const elapsed = (performance.now() - from) / 1000;
    if (elapsed < seconds) iterations = Math.ceil(iterations * Math.min(8, (1.1 * seconds) / elapsed + 0.1));
    // Optimized code comes within some tenths of a second.
    else if (performance.now() - start > 300) return iterations;
  }
};

/**
 * Measures the flop a second of `f32x4.mul` and `f32x4.add`, or of `f32x4.relaxed_madd`, in registers, for three
 * milliseconds a call. Multiplied by 1 and with 1 added, no value becomes slow.
 */
export const arithmeticPeak = (relaxed: boolean, clock: Clock, seconds = 0.003): (() => number) => {
  const loop = instantiateLoop(arithmeticModule(relaxed), 1);
  const run = (iterations: number): void => loop(iterations, 1);
  const iterations = calibrated(run, seconds);
  return () => {
    const start = clock();
    run(iterations);
    return (iterations * flopOfIteration) / (clock() - start);
  };
};

/** Vectors of an iteration of the streams. */
const streamed = 8;
const streamBytes = streamed * 16;

const streamModule = (pages: number): Uint8Array<ArrayBuffer> => {
  const module = createModuleBuilder();
  const parameters = ['i32', 'i32', 'i32'] as const;
  module.function({ name: 'loop', parameters }, (f, repetitions, readEnd, writeEnd) => {
    const sums = Array.from({ length: streamed }, () => f.local('v128'));
    const address = f.local('i32');
    const stream = (end: typeof readEnd, access: (i: number) => void): void => {
      f.loop((head) => {
        for (let i = 0; i < streamed; i += 1) access(i);
        f.set(address, i32.add(f.get(address), i32.const(streamBytes)));
        f.branchIf(head, i32.ltU(f.get(address), f.get(end)));
      });
    };
    f.loop((head) => {
      f.set(address, i32.const(0));
      stream(readEnd, (i) => {
        f.set(sums[i]!, f32x4.add(f.get(sums[i]!), v128.load(f.get(address), 16 * i)));
      });
      stream(writeEnd, (i) => {
        f.statement(v128.store(f.get(address), f.get(sums[i]!), 16 * i));
      });
      f.set(repetitions, i32.sub(f.get(repetitions), i32.const(1)));
      f.branchIf(head, f.get(repetitions));
    });
  });
  return module.encode(pages);
};

/**
 * Measures the seconds that it takes to read so many bytes once and then to write so many others once, again and again: the
 * buffers are as large as those of the work beside it, and lie in the caches that they fit. About three milliseconds a
 * call, or one pass where that is longer.
 */
export const streamingTime = (readBytes: number, writtenBytes: number, clock: Clock): (() => number) => {
  const [readEnd, written] = [readBytes, writtenBytes].map((n) => Math.ceil(n / streamBytes) * streamBytes);
  const writeEnd = readEnd! + written!;
  const pages = Math.ceil(writeEnd / pageBytes);
  const loop = instantiateLoop(streamModule(pages), pages);
  const run = (repetitions: number): void => loop(repetitions, readEnd!, writeEnd);
  const repetitions = calibrated(run, 0.003);
  return () => {
    const start = clock();
    run(repetitions);
    return (clock() - start) / repetitions;
  };
};
