/** Emitted modules as artifacts: each has its own memory, with a heap for the caller's arrays. */
import type {
  Artifact,
  ConstantArgument,
  ElementArrays,
  Elements,
  LoadOptions,
  WorkerLike,
} from '@sconv/backend';
import { alignedBytes as aligned, arrayTypeOf, createArtifact } from '@sconv/backend/runtime';
import type { Diagnosed, Failed, Location } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  describeValue,
  error,
  mapSuccess,
  success,
  unknownLocation,
  warning,
} from '@sconv/diagnostics';
import { wasmElement } from './elements.ts';
import type { EngineMemory, EngineModule } from './engine-types.ts';
import { allocateIn, createHeap } from './heap.ts';
import { keepPacked } from './bound-packings.ts';
import type { WasmInstance } from './instantiate.ts';
import {
  argumentBytes,
  isConstant,
  bytesFor,
  instantiate,
  instantiateAsync,
  ownedBytes,
} from './instantiate.ts';
import { supportsRelaxedSimd } from './relaxed-simd.ts';
import { canShareMemory } from './shared-memory.ts';
import type { MemoryPart } from './small-memories.ts';
import { pageBytes, sharedPart } from './small-memories.ts';
import type { StreamedConstants } from './streamed-constants.ts';
import { firstStreamed, streamedConstantsOf } from './streamed-constants.ts';
import type { ThreadPool } from './thread-pool.ts';
import { createThreadPool } from './thread-pool.ts';
import type { KeptOperand, WasmModule } from './wasm-module.ts';
import { backendName, maximumMemory } from './wasm-module.ts';

/** `Backend.loadSync`: a page's main thread refuses large modules and is blocked by smaller ones. */
export const loadModuleSync = (emitted: WasmModule, options: LoadOptions = {}): Diagnosed<Artifact> =>
  andThen(prepare(emitted, options), (prepared) => {
    const { memory } = prepared;
    try {
      const compiled = new WebAssembly.Module(bytesFor(emitted, memory));
      const { at, streamed } = prepared;
      const instance = instantiate(emitted, { memory, at, compiled, streamed });
      return success(artifactOf(emitted, instance, prepared, startThreads(emitted, compiled, prepared)));
    } catch (problem) {
      return notCompiled(emitted, problem);
    }
  });

/** `Backend.load`. */
export const loadModule = async (
  emitted: WasmModule,
  options: LoadOptions = {},
): Promise<Diagnosed<Artifact>> => {
  const result = prepare(emitted, options);
  if (result.status !== 'success') return result;
  const { value: prepared } = result;
  const { memory } = prepared;
  let instance: WasmInstance;
  let compiled: EngineModule;
  try {
    compiled = await WebAssembly.compile(bytesFor(emitted, memory));
    if (isAborted(options)) return aborted(emitted);
    const { at, streamed } = prepared;
    instance = await instantiateAsync(emitted, { memory, at, compiled, streamed });
  } catch (problem) {
    return notCompiled(emitted, problem);
  }
  const artifact = await started(emitted, compiled, instance, prepared, options);
  return andThen(result, () => artifact);
};

/** The artifact of an instance, when its threads have started. */
export const started = async (
  emitted: WasmModule,
  compiled: EngineModule,
  instance: WasmInstance,
  prepared: Prepared,
  options: LoadOptions,
): Promise<Diagnosed<Artifact>> => {
  if (isAborted(options)) return aborted(emitted);
  const pool = startThreads(emitted, compiled, prepared);
  const stop = (): void => pool?.terminate();
  options.signal?.addEventListener?.('abort', stop);
  const problem = await pool?.started;
  options.signal?.removeEventListener?.('abort', stop);
  if (isAborted(options)) {
    stop();
    return aborted(emitted);
  }
  if (problem !== undefined) return definite(problem);
  return success(artifactOf(emitted, instance, prepared, pool));
};

/** What a loadable artifact is made of. */
export interface Prepared {
  readonly memory: EngineMemory;
  /** Where the artifact's part of the memory starts: at 0, unless it shares it. */
  readonly at: number;
  /** Where its heap starts. */
  readonly heapStart: number;
  /** Where its heap ends, and the helpers' scratch memory starts. */
  readonly heapEnd: number;
  /** The constants that are packed from where they are. */
  readonly streamed: StreamedConstants;
  readonly isStreamed: (constant: Pick<ConstantArgument, 'function' | 'parameter'>) => boolean;
  /** Undefined for one thread. */
  readonly threads: { readonly count: number; readonly createWorker: () => WorkerLike } | undefined;
}

const prepare = (emitted: WasmModule, options: LoadOptions): Diagnosed<Prepared> => {
  if ((emitted.backend as string) !== backendName) {
    throw new TypeError(`'${backendName}' cannot load what ${describeValue(emitted.backend)} has emitted`);
  }
  return andThen(threadsFor(emitted, options), (threads): Diagnosed<Prepared> => {
    const helperBytes = ((threads?.count ?? 1) - 1) * emitted.threadScratch.bytes;
    const { heapBytes = defaultHeapBytes(emitted, helperBytes) } = options;
    if (!Number.isSafeInteger(heapBytes) || heapBytes < 0) {
      throw new RangeError(`'heapBytes' is a number of bytes, not ${describeValue(heapBytes)}`);
    }
    if (isAborted(options)) return aborted(emitted);
    const location = locationOf(emitted);
    const lacking = engineProblem(emitted);
    if (lacking !== undefined) return lacking;
    const isStreamed = streamedIn(
      emitted,
      threads === undefined ? ownedBytes(emitted) + heapBytes : Infinity,
    );
    const heapEnd = aligned(ownedBytes(emitted) + constantBytes(emitted, isStreamed) + heapBytes);
    const bytes = heapEnd + helperBytes;
    return mapSuccess(
      createMemory(bytes, { isShared: threads !== undefined, ...options }, location),
      ({ memory, at }) => ({
        memory,
        at,
        heapStart: at + ownedBytes(emitted),
        // The rest of the last page is the heap's, too.
        heapEnd: threads === undefined ? at + pageBytes * Math.ceil(bytes / pageBytes) : heapEnd,
        threads,
        isStreamed,
        streamed: streamedConstantsOf(emitted, memory, at),
      }),
    );
  });
};

/** What the code needs of an engine and this one lacks. */
export const engineProblem = (module: Pick<WasmModule, 'relaxed' | 'functions'>): Failed | undefined => {
  if (!module.relaxed || supportsRelaxedSimd()) return undefined;
  const message = 'this engine has no relaxed SIMD, which the code was emitted for';
  return definite(error('wasm/no-relaxed-simd', message, locationOf(module)));
};

/** A memory of so many bytes of zeros. Fails with `wasm/memory`. */
export const createMemory = (
  bytes: number,
  { isShared, sharesMemory = false }: { readonly isShared: boolean; readonly sharesMemory?: boolean },
  location: Location,
): Diagnosed<MemoryPart> => {
  const pages = Math.ceil(bytes / pageBytes);
  try {
    if (isShared) {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
      return success({ memory, at: 0 });
    }
    const part = sharesMemory ? sharedPart(pages) : undefined;
    return success(part ?? { memory: new WebAssembly.Memory({ initial: pages }), at: 0 });
  } catch (problem) {
    // The engine refuses memories that it has no room for or whose end is not addressable.
    if (!(problem instanceof RangeError || problem instanceof TypeError)) throw problem;
    const message = `cannot allocate ${bytes} bytes: ${problem.message}${reservationHint(bytes)}`;
    return definite(error('wasm/memory', message, location));
  }
};

/**
 * What helps where a small memory is refused: engines reserve gigabytes of address space for each memory, whatever its
 * size, and a page has room for about a hundred of them.
 */
const reservationHint = (bytes: number): string =>
  bytes > 2 ** 26
    ? ''
    : '; the engine reserves address space for each loaded module, and has none left: dispose of some, or compile' +
      ' several functions as one module (compileConvolutions, say)';

/** The requested threads; one, with a warning, if more are not possible. */
export const threadsFor = (
  emitted: Pick<WasmModule, 'parallel' | 'functions'>,
  { threads = 1, workers }: LoadOptions,
): Diagnosed<Prepared['threads']> => {
  if (!Number.isSafeInteger(threads) || threads < 1) {
    throw new RangeError(`'threads' is a number from 1, not ${describeValue(threads)}`);
  }
  if (threads === 1) return success(undefined);
  const alone = (reason: string): Diagnosed<undefined> =>
    success(undefined, [
      warning('wasm/single-thread', `calls take one thread, not ${threads}: ${reason}`, locationOf(emitted)),
    ]);
  if (emitted.parallel.length === 0) return alone('no loop of the code is parallel');
  if (workers === undefined) return alone("'workers' does not say how to make a worker");
  if (!canShareMemory()) return alone('threads share no memory here; a page has to be cross-origin isolated');
  return success({ count: threads, createWorker: workers });
};

const startThreads = (
  module: WasmModule,
  compiled: EngineModule,
  { memory, heapEnd, threads }: Prepared,
): ThreadPool | undefined =>
  threads &&
  createThreadPool({
    module,
    compiled,
    memory,
    threads: threads.count,
    createWorker: threads.createWorker,
    scratch: 0,
    helperPlaces: Array.from(
      { length: threads.count - 1 },
      (_, i) => heapEnd + i * module.threadScratch.bytes,
    ),
  });

/** What further bindings add to the default heap at most: enough for layers, and never much of the address space. */
const mostForBindings = 2 ** 27;

/** Whether a constant is packed from where it is. */
type IsStreamed = Prepared['isStreamed'];

/** Bytes of the constants in the memory and of all packed forms. */
const constantBytes = (emitted: WasmModule, isStreamed: IsStreamed): number =>
  emitted.constants.reduce(
    (sum, constant) =>
      sum +
      (isStreamed(constant) ? 0 : aligned(constant.bytes.length)) +
      aligned(packingOf(emitted, constant)?.bytes ?? 0),
    0,
  );

export const packingOf = (
  { packings }: Pick<WasmModule, 'packings'>,
  constant: Pick<ConstantArgument, 'function' | 'parameter'>,
): KeptOperand | undefined =>
  packings.find((each) => each.function === constant.function && each.parameter === constant.parameter);

/**
 * The constants that only packings read, unless memory of so many other bytes, or the constants themselves, reach an
 * address of the others.
 */
const streamedIn = (emitted: WasmModule, otherBytes: number): IsStreamed => {
  const possible = emitted.constants.filter(
    (constant) => emitted.panels !== undefined && packingOf(emitted, constant)?.isOnlyPacked === true,
  );
  const isPossible: IsStreamed = (constant) =>
    possible.some((each) => each.function === constant.function && each.parameter === constant.parameter);
  const bytes = possible.reduce((sum, each) => sum + aligned(each.bytes.length), 0);
  const fits = otherBytes + constantBytes(emitted, isPossible) + pageBytes <= firstStreamed;
  return fits && bytes <= maximumMemory - firstStreamed ? isPossible : () => false;
};

/**
 * Twice the arguments, and their packed forms four times: three bindings fit before the first call, which needs both
 * forms, and five after it. With one packed form all bindings but the first would silently pack in each call. Untouched
 * memory costs address space only.
 */
const defaultHeapBytes = (emitted: WasmModule, helperBytes: number): number => {
  const packed = emitted.packings
    .filter(({ function: name, parameter }) => !isConstant(emitted, name, parameter))
    .reduce((sum, { bytes }) => sum + aligned(bytes), 0);
  const most = maximumMemory - ownedBytes(emitted) - constantBytes(emitted, () => false) - helperBytes;
  const wanted = 2 * argumentBytes(emitted) + packed + Math.min(3 * packed, mostForBindings);
  return Math.max(0, Math.min(wanted, most));
};

export const isAborted = ({ signal }: LoadOptions): boolean => signal?.aborted === true;

export const aborted = (emitted: Pick<WasmModule, 'functions'>): Failed =>
  definite(error('wasm/aborted', 'the caller stopped the load', locationOf(emitted)));

/** Emitted code compiles; if not, it was damaged, or emitted for a newer engine. */
export const notCompiled = (emitted: Pick<WasmModule, 'functions'>, problem: unknown): Failed => {
  if (!(problem instanceof WebAssembly.CompileError || problem instanceof WebAssembly.LinkError))
    throw problem;
  return definite(
    error(
      'wasm/not-compiled',
      `the engine does not compile the code: ${problem.message}`,
      locationOf(emitted),
    ),
  );
};

export const locationOf = ({ functions }: Pick<WasmModule, 'functions'>): Location =>
  functions[0]?.location ?? unknownLocation;

const artifactOf = (
  module: WasmModule,
  instance: WasmInstance,
  { memory, at, heapStart, heapEnd, streamed, isStreamed }: Prepared,
  pool: ThreadPool | undefined,
): Artifact => {
  const heap = createHeap(heapStart, heapEnd);
  return createArtifact({
    functions: module.functions,
    constants: module.constants,
    call: (name, values) => {
      const failure = pool?.failure();
      return failure === undefined ? instance.call(name, ...values) : definite(failure);
    },
    ...(pool === undefined
      ? {}
      : {
          callAsync: (name, values) =>
            instance.callBy(name, values, (signature, passed) => pool.call(signature, passed)),
          dispose: () => {
            pool.terminate();
          },
        }),
    allocate: (element, length) => {
      const size = wasmElement(element);
      const address = allocateIn(heap, length * size.elementBytes);
      new Uint8Array(memory.buffer, address, length * size.elementBytes).fill(0);
      // Only the type knows which array class an element name stands for.
      return new (arrayTypeOf(size))(memory.buffer, address, length) as ElementArrays[typeof element];
    },
    release: (elements: Elements) => {
      if (elements.buffer === memory.buffer) heap.release(elements.byteOffset, elements.byteLength);
      else streamed.remove(elements);
    },
    readsConstant: (constant, elements) =>
      elements.buffer === memory.buffer || (isStreamed(constant) && streamed.add(elements)),
    keep: (name, constants) => keepPacked(module, { memory, at, streamed }, heap, name, constants),
  });
};
