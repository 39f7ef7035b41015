/**
 * What the engine can do on this machine right now: WebAssembly loops of pure arithmetic, or of pure loads and stores.
 * Measured next to each sample, since a shared machine's clock varies between samples.
 */
import type { Expr, Local } from '@sconv/wasm';
import { createModuleBuilder, f32x4, i32, v128 } from '@sconv/wasm';
import type { Clock } from './clock.ts';

/** The part of the interface that is used; only the DOM library declares it. */
declare const WebAssembly: {
  readonly Memory: new (options: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: object } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
};

const pageBytes = 65_536;

/** The exported function `loop` of a module with a memory of that many pages, which are there. */
export const instantiateLoop = (
  bytes: Uint8Array<ArrayBuffer>,
  pages: number,
): ((...values: number[]) => void) => {
  const memory = new WebAssembly.Memory({ initial: pages });
  // Until they are written, all pages are one and the same, which fits every cache.
  new Uint8Array(memory.buffer).fill(0);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return exports['loop'] as (...values: number[]) => void;
};

/**
 * Independent dependency chains: seven of multiplications and seven of additions, or fourteen of both fused. With their
 * constant they fill the 15 registers that V8 has on x86, and cover latencies of 3 to 4 cycles at two operations of a
 * kind per cycle. A multiplication followed by its addition in one chain would have twice the latency.
 */
const chains = 14;
const unrolled = 4;
/** Two operations per chain, or one that counts as two, on four lanes. */
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
    // Used, so that it is not eliminated.
    values.forEach((value, i) => {
      f.statement(v128.store(i32.const(16 * i), f.get(value)));
    });
  });
  return module.encode(1);
};

/** Runs a loop until the engine has optimized it; returns the iterations needed to last this long. */
export const calibrated = (run: (iterations: number) => void, seconds: number): number => {
  let iterations = 1;
  const start = performance.now();
  for (;;) {
    const from = performance.now();
    run(iterations);
    const elapsed = (performance.now() - from) / 1000;
    if (elapsed < seconds) iterations = Math.ceil(iterations * Math.min(8, (1.1 * seconds) / elapsed + 0.1));
    // Optimized code arrives within a few tenths of a second.
    else if (performance.now() - start > 300) return iterations;
  }
};

/** The loop of multiplications and additions, calibrated once a process for each time that it is to last. */
const arithmeticLoops = new Map<
  string,
  { readonly run: (count: number) => void; readonly iterations: number }
>();

const arithmeticLoop = (relaxed: boolean, seconds: number) => {
  const key = `${relaxed} ${seconds}`;
  const known = arithmeticLoops.get(key);
  if (known !== undefined) return known;
  const loop = instantiateLoop(arithmeticModule(relaxed), 1);
  const run = (count: number): void => loop(count, 1);
  const made = { run, iterations: calibrated(run, seconds) };
  arithmeticLoops.set(key, made);
  return made;
};

/**
 * Measures the flop/s of `f32x4.mul` and `f32x4.add`, or of `f32x4.relaxed_madd`, in registers, for three milliseconds
 * per call. Multiplying by 1 and adding 1 avoids slow values.
 */
export const arithmeticPeak = (relaxed: boolean, clock: Clock, seconds = 0.003): (() => number) => {
  const { run, iterations } = arithmeticLoop(relaxed, seconds);
  return () => {
    const start = clock();
    run(iterations);
    return (iterations * flopOfIteration) / (clock() - start);
  };
};

/** Vectors per iteration of the streaming loops. */
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

/** Reads so many bytes, and then writes so many, repeatedly: at most as many together as it was made for. */
export const streamingLoop = (
  mostBytes: number,
): ((repetitions: number, readBytes: number, writtenBytes: number) => void) => {
  const rounded = (bytes: number): number => Math.ceil(bytes / streamBytes) * streamBytes;
  // Both are rounded up.
  const pages = Math.ceil((rounded(mostBytes) + streamBytes) / pageBytes);
  const loop = instantiateLoop(streamModule(pages), pages);
  return (repetitions, readBytes, writtenBytes) => {
    const readEnd = rounded(readBytes);
    loop(repetitions, readEnd, readEnd + rounded(writtenBytes));
  };
};

/**
 * Measures the seconds to read `readBytes` once and then write `writtenBytes` once, repeatedly: the buffers are as
 * large as those of the accompanying work, and so reside in the same caches. About three milliseconds per call, or one
 * pass if that takes longer.
 */
export const streamingTime = (readBytes: number, writtenBytes: number, clock: Clock): (() => number) => {
  const stream = streamingLoop(readBytes + writtenBytes);
  const run = (repetitions: number): void => stream(repetitions, readBytes, writtenBytes);
  const repetitions = calibrated(run, 0.003);
  return () => {
    const start = clock();
    run(repetitions);
    return (clock() - start) / repetitions;
  };
};
