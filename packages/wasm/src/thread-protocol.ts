/**
 * The protocol between an artifact's threads. The first worker runs functions; when one forks, it shares the iterations
 * with the other workers, its helpers. The caller reaches it by messages; it reaches its helpers through words in
 * shared memory, since waiting on these needs no event loop and takes microseconds.
 */

/** Sent to a worker at start. */
export interface StartMessage {
  readonly kind: 'start';
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
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
}

/** Calls an export with numbers and addresses. */
export interface CallMessage {
  readonly kind: 'call';
  readonly name: string;
  readonly values: readonly (number | bigint)[];
}

export type ToWorker = StartMessage | CallMessage;

/** Why an execution ended. */
export interface Fault {
  /** A number of `WasmModule.traps` from 1, or 0. */
  readonly reason: number;
  /** The thrown error's class and message. */
  readonly name: string;
  readonly message: string;
}

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'returned'; readonly outcome: unknown }
  | { readonly kind: 'faulted'; readonly fault: Fault };

/** Words in the shared memory used for forking. */
export const word = {
  /** Fork counter: a helper waits for the next one. */
  generation: 0,
  body: 1,
  count: 2,
  frame: 3,
  /** The next unclaimed iteration. */
  next: 4,
  /** Helpers that are still running. */
  pending: 5,
  /** Length in bytes of a helper's fault, as JSON after the words; 0: none. */
  fault: 6,
} as const;

/** Offset of the fault's text. */
const faultStart = 64;
const faultBytes = 1024;
export const controlBytes = faultStart + faultBytes;

export const wordsOf = (control: SharedArrayBuffer): Int32Array => new Int32Array(control, 0, faultStart / 4);

/** Records why a helper failed; the first fault wins. */
export const writeFault = (control: SharedArrayBuffer, fault: Fault): void => {
  const short = { ...fault, message: fault.message.slice(0, faultBytes / 8) };
  const text = new TextEncoder().encode(JSON.stringify(short));
  const words = wordsOf(control);
  if (Atomics.compareExchange(words, word.fault, 0, text.length) !== 0) return;
  new Uint8Array(control, faultStart, faultBytes).set(text);
};

/** A helper's fault; undefined if there is none. */
export const readFault = (control: SharedArrayBuffer): Fault | undefined => {
  const length = Atomics.load(wordsOf(control), word.fault);
  if (length === 0) return undefined;
  // Decoders do not accept shared memory.
  const text = new Uint8Array(control, faultStart, length).slice();
  return JSON.parse(new TextDecoder().decode(text)) as Fault;
};
