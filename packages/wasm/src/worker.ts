/**
 * The code of a threaded artifact's workers: `@sconv/wasm/worker`. On a page, the worker's file, bundled as usual, is
 *
 *     import { serveWorker } from '@sconv/wasm/worker';
 *     serveWorker(self);
 *
 * In Node pass the `parentPort` of `node:worker_threads` instead.
 */
import type { EngineInstance } from './engine-types.ts';
import type { ParallelBody } from './fork.ts';
import { exportedBodies } from './fork.ts';
import { forkImport, trapGlobal } from './wasm-module.ts';
import type { Fault, FromWorker, StartMessage } from './thread-protocol.ts';
import { readFault, readValues, word, wordsOf, writeFault, writeValues } from './thread-protocol.ts';

/** The worker's channel to its creator: its global scope, or a port. */
export interface WorkerPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  /** For ports that need to be started. */
  start?(): void;
}

/** Serves a threaded artifact until the worker is terminated. */
export const serveWorker = (port: WorkerPort): void => {
  const reply = (message: FromWorker): void => {
    port.postMessage(message);
  };
  port.addEventListener('message', ({ data }) => {
    // The creator of a worker sends it nothing else.
    const start = data as StartMessage;
    const serve = start.position === 0 ? createCaller(start, reply) : createHelper(start);
    reply({ kind: 'ready' });
    serve();
  });
  port.start?.();
};

const instanceOf = (
  { module, memory, scratch, data }: StartMessage,
  fork: (body: number, count: number, frame: number) => void,
): EngineInstance =>
  new WebAssembly.Instance(module, {
    env: { memory, scratch: scratch | 0, data: data | 0, [forkImport]: fork },
  });

/** Runs functions, and its share of what they fork; does not return. */
const createCaller = (start: StartMessage, reply: (message: FromWorker) => void): (() => never) => {
  const { control, parallel, functions, messages } = start;
  const words = wordsOf(control);
  let bodies: readonly ParallelBody[] = [];
  const instance = instanceOf(start, (body, count, frame) => {
    Atomics.store(words, word.body, body);
    Atomics.store(words, word.count, count);
    Atomics.store(words, word.frame, frame);
    Atomics.store(words, word.next, 0);
    Atomics.store(words, word.open, 1);
    Atomics.add(words, word.generation, 1);
    Atomics.notify(words, word.generation);
    try {
      runIterations(words, bodies[body]!);
    } finally {
      // Not for helpers that have not entered: they sleep, or wait for a processor.
      Atomics.store(words, word.open, 0);
      untilZero(words, word.inside);
    }
    const fault = readFault(control);
    if (fault !== undefined) throw new Error(fault.message);
  });
  bodies = exportedBodies(parallel, instance);
  const call = (): void => {
    // The artifact has checked the function and the values.
    const name = functions[Atomics.load(words, word.function)]!;
    const code = instance.exports[name] as (...values: readonly (number | bigint)[]) => unknown;
    try {
      writeValues(control, valuesOf(code(...readValues(control))));
    } catch (thrown) {
      writeFault(control, faultOf(instance, thrown));
    }
  };
  return () => {
    for (let last = 0; ;) {
      Atomics.wait(words, word.call, last);
      const current = Atomics.load(words, word.call);
      if (current === last) continue;
      last = current;
      call();
      Atomics.store(words, word.ended, last);
      if (messages) reply({ kind: 'ended' });
      else Atomics.notify(words, word.ended);
    }
  };
};

/** The results of an export: none, one, or an array of them. */
const valuesOf = (outcome: unknown): readonly (number | bigint)[] => {
  if (outcome === undefined) return [];
  // The engine returns nothing else.
  return Array.isArray(outcome) ? (outcome as (number | bigint)[]) : [outcome as number | bigint];
};

/** Runs its share of every fork; does not return. */
const createHelper = (start: StartMessage): (() => never) => {
  const { control, parallel } = start;
  const words = wordsOf(control);
  const instance = instanceOf(start, () => {
    throw new Error('a parallel loop in a parallel loop runs in sequence');
  });
  const bodies = exportedBodies(parallel, instance);
  return () => {
    for (let generation = 0; ;) {
      whileEqual(words, word.generation, generation);
      generation = Atomics.load(words, word.generation);
      // Entered before the check: from then on the caller waits, and the words are those of one fork.
      Atomics.add(words, word.inside, 1);
      try {
        if (Atomics.load(words, word.open) === 1)
          runIterations(words, bodies[Atomics.load(words, word.body)]!);
      } catch (thrown) {
        writeFault(control, faultOf(instance, thrown));
      }
      if (Atomics.sub(words, word.inside, 1) === 1) Atomics.notify(words, word.inside);
    }
  };
};

/** Runs unclaimed iterations; after a fault no further one starts. */
const runIterations = (words: Int32Array, body: ParallelBody): void => {
  const [count, frame] = [Atomics.load(words, word.count), Atomics.load(words, word.frame)];
  try {
    for (;;) {
      const iteration = Atomics.add(words, word.next, 1);
      if (iteration >= count) return;
      body(frame, iteration);
    }
  } catch (thrown) {
    Atomics.store(words, word.next, count);
    throw thrown;
  }
};

/** Spins for about 15 microseconds: threads finish at nearly the same time, and waking a sleeping one takes longer. */
const spins = 2000;
/** For about 100 microseconds after a wake-up without work: that of a call that is about to fork. */
const spinsWhenWoken = 12_000;

/** Waits while a word has this value. */
const whileEqual = (words: Int32Array, position: number, value: number): void => {
  for (let limit = spins; ; limit = spinsWhenWoken) {
    for (let i = 0; i < limit; i++) if (Atomics.load(words, position) !== value) return;
    Atomics.wait(words, position, value);
  }
};

const untilZero = (words: Int32Array, position: number): void => {
  for (let value = Atomics.load(words, position); value !== 0; value = Atomics.load(words, position)) {
    whileEqual(words, position, value);
  }
};

/** Why a call ended. */
const faultOf = (instance: EngineInstance, thrown: unknown): Fault => {
  const reason = instance.exports[trapGlobal] as WebAssembly.Global<'i32'> | undefined;
  const number = reason?.value ?? 0;
  if (reason !== undefined) reason.value = 0;
  const { name, message } = thrown instanceof Error ? thrown : { name: 'Error', message: String(thrown) };
  // Engines differ in whether a trap has its own error name.
  return {
    reason: number,
    name: thrown instanceof WebAssembly.RuntimeError ? 'RuntimeError' : name,
    message,
  };
};
