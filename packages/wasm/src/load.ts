/** Emitted modules as artifacts: each on a memory of its own, with a heap for the arrays of its caller. */
import type { Artifact, ElementArrays, Elements, LoadOptions } from '@sconv/backend';
import { arrayTypeOf, createArtifact } from '@sconv/backend';
import type { Diagnosed, Failed, Location } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  describeValue,
  error,
  success,
  unknownLocation,
  warning,
} from '@sconv/diagnostics';
import type { Heap } from './heap.ts';
import { createHeap } from './heap.ts';
import type { WasmInstance } from './instantiate.ts';
import {
  argumentBytes,
  instantiate,
  instantiateAsync,
  ownedBytes,
  supportsRelaxedSimd,
} from './instantiate.ts';
import { elementBytes } from './storage.ts';
import type { WasmModule } from './wasm-module.ts';
import { backendName, maximumMemory } from './wasm-module.ts';

/** `Backend.loadSync`: a page's main thread refuses large modules, and lets smaller ones block it. */
export const loadModuleSync = (emitted: WasmModule, options: LoadOptions = {}): Diagnosed<Artifact> =>
  andThen(prepare(emitted, options), (memory) => {
    try {
      return success(artifactOf(emitted, instantiate(emitted, { memory })));
    } catch (problem) {
      return notCompiled(emitted, problem);
    }
  });

/** `Backend.load`. */
export const loadModule = async (
  emitted: WasmModule,
  options: LoadOptions = {},
): Promise<Diagnosed<Artifact>> => {
  const prepared = prepare(emitted, options);
  if (prepared.status !== 'success') return prepared;
  try {
    const instance = await instantiateAsync(emitted, { memory: prepared.value });
    return isAborted(options)
      ? aborted(emitted)
      : success(artifactOf(emitted, instance), prepared.diagnostics);
  } catch (problem) {
    return notCompiled(emitted, problem);
  }
};

/** The memory of an artifact, where it can be loaded. */
const prepare = (emitted: WasmModule, options: LoadOptions): Diagnosed<WebAssembly.Memory> => {
  if ((emitted.backend as string) !== backendName) {
    throw new TypeError(`what ${describeValue(emitted.backend)} has emitted is nothing for '${backendName}'`);
  }
  const { threads = 1, heapBytes = defaultHeapBytes(emitted) } = options;
  if (!Number.isSafeInteger(heapBytes) || heapBytes < 0) {
    throw new RangeError(`'heapBytes' is a number of bytes, not ${describeValue(heapBytes)}`);
  }
  if (isAborted(options)) return aborted(emitted);
  const location = locationOf(emitted);
  if (emitted.relaxed && !supportsRelaxedSimd()) {
    return definite(
      error(
        'wasm/no-relaxed-simd',
        'this engine has no relaxed SIMD, which the code was emitted for',
        location,
      ),
    );
  }
  const bytes = ownedBytes(emitted) + heapBytes;
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });
    return success(
      memory,
      threads > 1 ? [warning('wasm/single-thread', `calls take one thread, not ${threads}`, location)] : [],
    );
  } catch (problem) {
    // The engine refuses a memory that it has no room for, and one that no address reaches the end of.
    if (!(problem instanceof RangeError || problem instanceof TypeError)) throw problem;
    return definite(error('wasm/memory', `cannot allocate ${bytes} bytes: ${problem.message}`, location));
  }
};

/** Twice the arguments, as far as addresses reach. */
const defaultHeapBytes = (emitted: WasmModule): number =>
  Math.min(2 * argumentBytes(emitted), maximumMemory - ownedBytes(emitted));

const isAborted = ({ signal }: LoadOptions): boolean => signal?.aborted === true;

const aborted = (emitted: WasmModule): Failed =>
  definite(error('wasm/aborted', 'the caller stopped the load', locationOf(emitted)));

/** What is emitted compiles, so what does not was damaged, or emitted for a newer engine. */
const notCompiled = (emitted: WasmModule, problem: unknown): Failed => {
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

const locationOf = ({ functions }: WasmModule): Location => functions[0]?.location ?? unknownLocation;

const artifactOf = (module: WasmModule, instance: WasmInstance): Artifact => {
  const { memory } = instance;
  const heap = createHeap(ownedBytes(module), memory.buffer.byteLength);
  return createArtifact({
    functions: module.functions,
    call: (name, values) => instance.call(name, ...values),
    allocate: (element, length) => {
      const size = { element, elementBytes: elementBytes(element) };
      const address = allocate(heap, length * size.elementBytes);
      new Uint8Array(memory.buffer, address, length * size.elementBytes).fill(0);
      // Which array an element name stands for, only its type knows.
      return new (arrayTypeOf(size))(memory.buffer, address, length) as ElementArrays[typeof element];
    },
    release: ({ byteOffset, byteLength }: Elements) => {
      heap.release(byteOffset, byteLength);
    },
  });
};

const allocate = (heap: Heap, bytes: number): number => {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`${bytes} is no number of bytes`);
  const address = heap.allocate(bytes);
  if (address !== undefined) return address;
  throw new RangeError(
    `no room for ${bytes} bytes: ${heap.largest()} are left in one piece; 'heapBytes' of the load says how many there are`,
  );
};
