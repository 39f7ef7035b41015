/** A library in this process as an artifact; calls make no copies. */
import type {
  Artifact,
  ElementArrays,
  Elements,
  ElementSize,
  FunctionSignature,
  KeptWork,
  RunValue,
} from '@sconv/backend';
import { arrayTypeOf, checkArguments, createArtifact, elementArrays, whenDropped } from '@sconv/backend';
import { success } from '@sconv/diagnostics';
import type { KeptPacking } from '@sconv/lowering';
import { keptState } from '@sconv/lowering';
import type { LibraryHandle } from 'koffi';
import type { AlignedMemory } from './aligned-memory.ts';
import type { NativeModule } from './native-module.ts';
import { nativeElement } from './signature.ts';
import { symbolOf, threadedSymbolOf } from './stubs.ts';
import { poolSymbols } from './thread-pool.ts';

/** A function of the library. */
interface Loaded {
  readonly signature: FunctionSignature;
  readonly code: (...values: readonly unknown[]) => void;
  /** The same with the thread pool as the last argument. */
  readonly threaded?: ReturnType<LibraryHandle['func']>;
  /** By result: the array to write it to, if it is no argument. */
  readonly results: readonly Elements[];
  readonly places: Int32Array;
  /** The arguments whose packings may be kept. */
  readonly kept: readonly KeptPacking[];
  /** For each of them: the memory used in the current call, and `keptState`. */
  readonly packed: (Uint8Array | null | number)[];
}

/** How a library is used. */
export interface LibraryUse {
  readonly path: string;
  /** For promised calls: a thread of the process runs these with the help of others, which wait between calls. */
  readonly threads: number;
  readonly memory: AlignedMemory;
}

/**
 * The artifact of a loaded library, unloaded on disposal or when nobody refers to it any more, and the number of its
 * threads. Throws, without having started any, if the library lacks a function.
 */
export const libraryArtifact = (
  emitted: NativeModule,
  library: LibraryHandle,
  { path, threads, memory }: LibraryUse,
): { readonly artifact: Artifact; readonly threads: number } => {
  const iterations = emitted.threaded?.iterations ?? 1;
  const functions = new Map(
    emitted.functions.map((signature, i) => [
      signature.name,
      loadFunction(library, signature, emitted.kept[i] ?? [], threads > 1, memory),
    ]),
  );
  // Last, as its threads would outlive a failure.
  const pool = threads > 1 ? beginPool(library, path, Math.min(threads, iterations) - 1) : undefined;
  let running: Promise<unknown> | undefined;
  const unload = unloaderOf(library, pool);
  // All calls refer to the functions.
  const keepLoaded = whenDropped(functions, unload);
  const artifact = createArtifact({
    functions: emitted.functions,
    call: (name, values) => success(callFunction(functions.get(name)!, values)),
    ...(pool === undefined
      ? {}
      : {
          callAsync: async (name: string, values: readonly RunValue[]) => {
            const call = callThreaded(functions.get(name)!, values, pool.handle);
            running = call;
            try {
              return success(await call);
            } finally {
              running = undefined;
            }
          },
        }),
    allocate: (element, length) =>
      zeros(memory, nativeElement(element), length) as ElementArrays[typeof element],
    keep: (name, constants) => keepPacked(functions.get(name)!, constants, memory),
    // Left to the garbage collector.
    release: () => undefined,
    dispose: () => {
      functions.clear();
      keepLoaded();
      // A pending call keeps the library loaded until it settles.
      if (running === undefined) unload();
      else void running.then(unload, unload);
    },
  });
  return { artifact, threads: 1 + (pool?.helpers ?? 0) };
};

/** Ends the threads of a library and unloads it. */
const unloaderOf = (library: LibraryHandle, pool: Pool | undefined) => (): void => {
  pool?.end();
  library.unload();
};

/** Threads of a library, which `end` joins. */
interface Pool {
  readonly handle: unknown;
  readonly helpers: number;
  readonly end: () => void;
}

/** Starts threads of a library; undefined if there is no memory for them. */
const beginPool = (library: LibraryHandle, path: string, helpers: number): Pool | undefined => {
  const [begin, count, end] = [
    library.func(poolSymbols.begin, 'void *', ['int32_t', 'str']),
    library.func(poolSymbols.helpers, 'int32_t', ['void *']),
    library.func(poolSymbols.end, 'void', ['void *']),
  ];
  const handle: unknown = begin(helpers, path);
  if (handle === null) return undefined;
  return {
    handle,
    helpers: Number(count(handle)),
    end: () => {
      end(handle);
    },
  };
};

const scalarTypes = { f32: 'float', f64: 'double', i32: 'int32_t', i64: 'int64_t' } as const;

const zeros = (memory: AlignedMemory, size: ElementSize, length: number): Elements => {
  const { buffer, byteOffset } = memory(length * size.elementBytes);
  return new (arrayTypeOf(size))(buffer, byteOffset, length);
};

const loadFunction = (
  library: LibraryHandle,
  signature: FunctionSignature,
  kept: readonly KeptPacking[],
  isThreaded: boolean,
  memory: AlignedMemory,
): Loaded => {
  const { name, parameters, results } = signature;
  const types = [
    ...parameters.map((each) => (each.kind === 'buffer' ? 'void *' : scalarTypes[each.type])),
    ...results.map(() => 'void *'),
    ...kept.flatMap(() => ['void *', 'int32_t']),
    'void *',
  ];
  return {
    signature,
    code: library.func(symbolOf(name), 'void', types) as Loaded['code'],
    ...(isThreaded ? { threaded: library.func(threadedSymbolOf(name), 'void', [...types, 'void *']) } : {}),
    results: results.map((each) =>
      each.kind === 'buffer' ? zeros(memory, each, each.length) : new elementArrays[each.type](1),
    ),
    places: new Int32Array(Math.max(1, results.length)),
    kept,
    packed: kept.flatMap(() => [null, keptState.none]),
  };
};

const callFunction = (loaded: Loaded, values: readonly RunValue[]): readonly RunValue[] => {
  const { signature, code, results, places, packed } = loaded;
  checkArguments(signature, values);
  code(...values, ...results, ...packed, places);
  return returned(loaded, values);
};

/** The same on threads, without blocking the caller's thread. */
const callThreaded = async (
  loaded: Loaded,
  values: readonly RunValue[],
  pool: unknown,
): Promise<readonly RunValue[]> => {
  const { signature, threaded, results, places, packed } = loaded;
  checkArguments(signature, values);
  await new Promise<void>((resolve, reject) => {
    threaded!.async(...values, ...results, ...packed, places, pool, (problem: Error | null) => {
      if (problem === null) resolve();
      else reject(problem);
    });
  });
  return returned(loaded, values);
};

/** The result values of a finished call. */
const returned = ({ signature, results, places }: Loaded, values: readonly RunValue[]): readonly RunValue[] =>
  signature.results.map((result, i) => {
    if (result.kind === 'scalar') return results[i]![0]!;
    return places[i]! < 0 ? results[i]! : values[places[i]!]!;
  });

/** Lets calls with these constants reuse packings of earlier calls. */
const keepPacked = (
  loaded: Loaded,
  constants: ReadonlyMap<number, RunValue>,
  memoryOf: AlignedMemory,
): KeptWork | undefined => {
  const { kept, packed } = loaded;
  const own = kept.flatMap(({ parameter, bytes }, at) =>
    constants.has(parameter) ? [{ at, memory: memoryOf(bytes) }] : [],
  );
  if (own.length === 0) return undefined;
  let state: number = keptState.fill;
  const choose = (given: (memory: Uint8Array) => Uint8Array | null, chosen: number): void => {
    for (const { at, memory } of own) packed.splice(2 * at, 2, given(memory), chosen);
  };
  return {
    enter: () => {
      choose((memory) => memory, state);
    },
    leave: (succeeded) => {
      if (succeeded) state = keptState.full;
      choose(() => null, keptState.none);
    },
    release: () => {
      own.length = 0;
    },
  };
};
