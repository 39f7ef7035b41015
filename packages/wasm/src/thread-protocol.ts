/**
 * The protocol between an artifact's threads. The first worker runs functions; when one forks, it shares the iterations
 * with the other workers, its helpers. Calls and forks are words in shared memory: waiting on these takes microseconds,
 * a message between threads tens of them. A worker's end of a call is a message only to creators that cannot wait on
 * memory without blocking.
 */
import type { EngineMemory, EngineModule } from './engine-types.ts';

/** Sent to a worker at start. */
export interface StartMessage {
  readonly kind: 'start';
  readonly module: EngineModule;
  readonly memory: EngineMemory;
  /** `controlBytes` of shared memory. */
  readonly control: SharedArrayBuffer;
  /** 0 runs functions; the others are its helpers. */
  readonly position: number;
  readonly threads: number;
  /** The imports `env.scratch` and `env.data` of its instance. */
  readonly scratch: number;
  readonly data: number;
  /** `WasmModule.parallel`. */
  readonly parallel: readonly string[];
  /** The exports that are called, by number. */
  readonly functions: readonly string[];
  /** Whether the creator gets a message when a call ends. */
  readonly messages: boolean;
}

/** Why an execution ended. */
export interface Fault {
  /** A number of `WasmModule.traps` from 1, or 0. */
  readonly reason: number;
  /** The thrown error's class and message. */
  readonly name: string;
  readonly message: string;
}

/** The worker has started, or a call has ended. */
export interface FromWorker {
  readonly kind: 'ready' | 'ended';
}

/** Words in the shared memory. */
export const word = {
  /** Fork counter: a helper waits for the next one. */
  generation: 0,
  body: 1,
  count: 2,
  frame: 3,
  /** The next unclaimed iteration. */
  next: 4,
  /** Whether helpers may still enter the fork. */
  open: 5,
  /** Helpers that have entered. */
  inside: 6,
  /** Length in bytes of a fault, as JSON after the words; 0: none. */
  fault: 7,
  /** Call counter: the first worker waits for the next one. */
  call: 8,
  /** The called function's number. */
  function: 9,
  /** The last call that has ended. */
  ended: 10,
  /** Number of values passed, or returned. */
  values: 11,
} as const;

/** Offset of the fault's text. */
const faultStart = 64;
const faultBytes = 1024;
/** Offset of the values: eight bytes each, then a byte that tells whether it is a bigint. */
const valuesStart = faultStart + faultBytes;
const valueBytes = 16;

/** For functions with at most this many parameters or results. */
export const controlBytes = (values: number): number => valuesStart + valueBytes * values;

export const wordsOf = (control: SharedArrayBuffer): Int32Array => new Int32Array(control, 0, faultStart / 4);

/** Writes what a call passes or returns. */
export const writeValues = (control: SharedArrayBuffer, values: readonly (number | bigint)[]): void => {
  const view = new DataView(control, valuesStart);
  values.forEach((value, i) => {
    const at = valueBytes * i;
    view.setUint8(at + 8, typeof value === 'bigint' ? 1 : 0);
    if (typeof value === 'bigint') view.setBigInt64(at, value);
    else view.setFloat64(at, value);
  });
  Atomics.store(wordsOf(control), word.values, values.length);
};

/** Reads what a call passes or returns. */
export const readValues = (control: SharedArrayBuffer): readonly (number | bigint)[] => {
  const view = new DataView(control, valuesStart);
  return Array.from({ length: Atomics.load(wordsOf(control), word.values) }, (_, i) => {
    const at = valueBytes * i;
    return view.getUint8(at + 8) === 1 ? view.getBigInt64(at) : view.getFloat64(at);
  });
};

/** Records why an execution failed; the first fault wins. */
export const writeFault = (control: SharedArrayBuffer, fault: Fault): void => {
  const short = { ...fault, message: fault.message.slice(0, faultBytes / 8) };
  const text = new TextEncoder().encode(JSON.stringify(short));
  const words = wordsOf(control);
  if (Atomics.compareExchange(words, word.fault, 0, text.length) !== 0) return;
  new Uint8Array(control, faultStart, faultBytes).set(text);
};

/** The fault of a fork or call; undefined if there is none. */
export const readFault = (control: SharedArrayBuffer): Fault | undefined => {
  const length = Atomics.load(wordsOf(control), word.fault);
  if (length === 0) return undefined;
  // Decoders do not accept shared memory.
  const text = new Uint8Array(control, faultStart, length).slice();
  return JSON.parse(new TextDecoder().decode(text)) as Fault;
};
