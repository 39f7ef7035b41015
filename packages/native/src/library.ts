/** A library in this process as an artifact; calls make no copies. */
import type {
  Artifact,
  ArtifactCore,
  ElementArrays,
  Elements,
  ElementSize,
  FunctionSignature,
  KeptWork,
  RunValue,
} from '@sconv/backend';
import {
  arrayTypeOf,
  checkArguments,
  createArtifact,
  elementArrays,
  whenDropped,
} from '@sconv/backend/runtime';
import { success } from '@sconv/diagnostics';
import type { KeptArgument } from '@sconv/lowering';
import { keptState } from '@sconv/lowering/kept-state';
import type { LibraryHandle } from 'koffi';
import type { AlignedMemory } from './aligned-memory.ts';
import type { NativeModule, ThreadedSources } from './native-module.ts';
import { nativeElement } from './elements.ts';
import { symbolOf, takesWords, threadedSymbolOf, valueTypes, wordsSymbolOf } from './symbols.ts';
import { poolSymbols } from './thread-pool.ts';

/** A function of the library. */
interface Loaded {
  readonly signature: FunctionSignature;
  readonly code: (...values: readonly unknown[]) => void;
  /** The array that the code takes instead of these values, if they are too many to be passed one by one. */
  readonly asWords: ((values: readonly unknown[]) => Uint8Array) | undefined;
  /** The same with the thread pool as the last argument. */
  readonly threaded?: ReturnType<LibraryHandle['func']>;
  /** By result: the array to write it to, if it is no argument. */
  readonly results: readonly Elements[];
  readonly places: Int32Array;
  /** The arguments whose packings may be kept. */
  readonly kept: readonly KeptArgument[];
  /** For each of them: the memory used in the current call, and `keptState`. */
  readonly packed: (Uint8Array | null | number)[];
}

/** What of a module the library does not say. */
export type LibraryModule = Pick<NativeModule, 'functions' | 'kept' | 'streamingBytes'> & {
  readonly constants?: ArtifactCore['constants'];
  readonly threaded?: Pick<ThreadedSources, 'iterations'>;
};

/** How a library is used. */
export interface LibraryUse {
  readonly path: string;
  /** For promised calls: a thread of the process runs these with the help of others, which wait between calls. */
  readonly threads: number;
  readonly memory: AlignedMemory;
  /** The address of an array's first element. */
  readonly addressOf: (array: Elements) => bigint;
}

/**
 * The artifact of a loaded library, unloaded on disposal or when nobody refers to it any more, and the number of its
 * threads. Throws, without having started any, if the library lacks a function.
 */
export const libraryArtifact = (
  emitted: LibraryModule,
  library: LibraryHandle,
  use: LibraryUse,
): { readonly artifact: Artifact; readonly threads: number } => {
  const { path, threads, memory } = use;
  const iterations = emitted.threaded?.iterations ?? 1;
  const functions = new Map(
    emitted.functions.map((signature, i) => [
      signature.name,
      loadFunction(library, signature, emitted.kept[i] ?? [], threads > 1, use),
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
    constants: emitted.constants ?? [],
    readsConstant: () => true,
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

const zeros = (memory: AlignedMemory, size: ElementSize, length: number): Elements => {
  const { buffer, byteOffset } = memory(length * size.elementBytes);
  return new (arrayTypeOf(size))(buffer, byteOffset, length);
};

const loadFunction = (
  library: LibraryHandle,
  signature: FunctionSignature,
  kept: readonly KeptArgument[],
  isThreaded: boolean,
  { memory, addressOf }: LibraryUse,
): Loaded => {
  const { name, results } = signature;
  const types = valueTypes({ signature, kept });
  const areWords = takesWords({ signature, kept });
  const entry = (symbol: string, others: readonly string[]) =>
    areWords
      ? library.func(wordsSymbolOf(symbol), 'void', ['void *', ...others])
      : library.func(symbol, 'void', [...types, ...others]);
  return {
    signature,
    code: entry(symbolOf(name), []),
    ...(isThreaded ? { threaded: entry(threadedSymbolOf(name), ['void *']) } : {}),
    asWords: areWords ? wordsOf(types, addressOf) : undefined,
    results: results.map((each) =>
      each.kind === 'buffer' ? zeros(memory, each, each.length) : new elementArrays[each.type](1),
    ),
    places: new Int32Array(Math.max(1, results.length)),
    kept,
    packed: kept.flatMap(() => [null, keptState.none]),
  };
};

/** The values in one array of words; it is filled anew for each call, of which there is one at a time. */
const wordsOf = (types: readonly string[], addressOf: LibraryUse['addressOf']): Loaded['asWords'] => {
  const words = new DataView(new ArrayBuffer(8 * types.length));
  return (values) => {
    values.forEach((value, i) => {
      const at = 8 * i;
      switch (types[i]) {
        case 'float':
          words.setFloat32(at, value as number, true);
          break;
        case 'double':
          words.setFloat64(at, value as number, true);
          break;
        case 'int32_t':
          words.setInt32(at, value as number, true);
          break;
        case 'int64_t':
          words.setBigInt64(at, value as bigint, true);
          break;
        default:
          words.setBigInt64(at, value === null ? 0n : addressOf(value as Elements), true);
      }
    });
    return new Uint8Array(words.buffer);
  };
};

const callFunction = (loaded: Loaded, values: readonly RunValue[]): readonly RunValue[] => {
  const { signature, code, asWords, results, places, packed } = loaded;
  checkArguments(signature, values);
  if (asWords === undefined) code(...values, ...results, ...packed, places);
  else code(asWords([...values, ...results, ...packed, places]));
  return returned(loaded, values);
};

/** The same on threads, without blocking the caller's thread. */
const callThreaded = async (
  loaded: Loaded,
  values: readonly RunValue[],
  pool: unknown,
): Promise<readonly RunValue[]> => {
  const { signature, threaded, asWords, results, places, packed } = loaded;
  checkArguments(signature, values);
  const all = [...values, ...results, ...packed, places];
  const passed = asWords === undefined ? all : [asWords(all)];
  await new Promise<void>((resolve, reject) => {
    threaded!.async(...passed, pool, (problem: Error | null) => {
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
