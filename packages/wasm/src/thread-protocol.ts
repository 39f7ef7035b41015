/**
 * What the threads of an artifact say to each other. The first worker runs functions; where one forks, it and the others,
 * its helpers, share the iterations out. Its caller reaches it by messages, and it its helpers by words of shared memory,
 * as these wait without an event loop: that takes microseconds.
 */

/** What a worker is told when it begins. */
export interface StartMessage {
  readonly kind: 'start';
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** `controlBytes` of shared memory. */
  readonly control: SharedArrayBuffer;
  /** 0 runs functions, the others are its helpers. */
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

/** Why an execution has ended. */
export interface Fault {
  /** A number of `WasmModule.traps` from 1, or 0. */
  readonly reason: number;
  /** What the engine has thrown: its class, and its words. */
  readonly name: string;
  readonly message: string;
}

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'returned'; readonly outcome: unknown }
  | { readonly kind: 'faulted'; readonly fault: Fault };

/** Words of the shared memory by which a thread forks. */
export const word = {
  /** Counts the forks: a helper waits for the next. */
  generation: 0,
  body: 1,
  count: 2,
  frame: 3,
  /** The next iteration that nobody runs. */
  next: 4,
  /** Helpers that are not done yet. */
  pending: 5,
  /** Bytes of the fault of a helper, as JSON behind the words; 0: none. */
  fault: 6,
} as const;

/** Where the text of a fault begins. */
const faultStart = 64;
const faultBytes = 1024;
export const controlBytes = faultStart + faultBytes;

/** The shared words. */
export const wordsOf = (control: SharedArrayBuffer): Int32Array => new Int32Array(control, 0, faultStart / 4);

/** Says why a helper has ended its part; the first fault counts. */
export const writeFault = (control: SharedArrayBuffer, fault: Fault): void => {
  const short = { ...fault, message: fault.message.slice(0, faultBytes / 8) };
  const text = new TextEncoder().encode(JSON.stringify(short));
  const words = wordsOf(control);
  if (Atomics.compareExchange(words, word.fault, 0, text.length) !== 0) return;
  new Uint8Array(control, faultStart, faultBytes).set(text);
};

/** The fault of a helper; undefined where there is none. */
export const readFault = (control: SharedArrayBuffer): Fault | undefined => {
  const length = Atomics.load(wordsOf(control), word.fault);
  if (length === 0) return undefined;
  // A decoder takes no shared memory.
  const text = new Uint8Array(control, faultStart, length).slice();
  return JSON.parse(new TextDecoder().decode(text)) as Fault;
};
