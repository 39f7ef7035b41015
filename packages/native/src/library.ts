/** A library in this process as an artifact, called without copies. */
import type {
  Artifact,
  ElementArrays,
  Elements,
  ElementSize,
  FunctionSignature,
  KeptWork,
  RunValue,
} from '@sconv/backend';
import { arrayTypeOf, checkArguments, createArtifact } from '@sconv/backend';
import { success } from '@sconv/diagnostics';
import type { KeptPacking } from '@sconv/lowering';
import { keptState } from '@sconv/lowering';
import type { LibraryHandle } from 'koffi';
import type { NativeModule } from './native-module.ts';
import { elementBytes } from './signature.ts';
import { symbolOf } from './stubs.ts';

/** A function of the library. */
interface Loaded {
  readonly signature: FunctionSignature;
  readonly code: (...values: readonly unknown[]) => void;
  /** For each result: an array where it goes if it is no argument. */
  readonly results: readonly Elements[];
  readonly places: Int32Array;
  /** The arguments whose packings may be kept. */
  readonly kept: readonly KeptPacking[];
  /** For each of them: the memory where they are in the present call, and `keptState`. */
  readonly packed: (Uint8Array | null | number)[];
}

/** The artifact of a loaded library, which its disposal unloads. */
export const libraryArtifact = (emitted: NativeModule, library: LibraryHandle): Artifact => {
  const functions = new Map(
    emitted.functions.map((signature, i) => [
      signature.name,
      loadFunction(library, signature, emitted.kept[i] ?? []),
    ]),
  );
  return createArtifact({
    functions: emitted.functions,
    call: (name, values) => success(callFunction(functions.get(name)!, values)),
    allocate: (element, length) =>
      zeros({ element, elementBytes: elementBytes[element] }, length) as ElementArrays[typeof element],
    keep: (name, constants) => keepPacked(functions.get(name)!, constants),
    // The garbage collector does that.
    release: () => undefined,
    dispose: () => {
      functions.clear();
      library.unload();
    },
  });
};

const scalarTypes = { f32: 'float', f64: 'double', i32: 'int32_t', i64: 'int64_t' } as const;
const scalarArrays = { f32: Float32Array, f64: Float64Array, i32: Int32Array, i64: BigInt64Array } as const;

const zeros = (size: ElementSize, length: number): Elements =>
  new (arrayTypeOf(size))(new ArrayBuffer(length * size.elementBytes), 0, length);

const loadFunction = (
  library: LibraryHandle,
  signature: FunctionSignature,
  kept: readonly KeptPacking[],
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
    results: results.map((each) =>
      each.kind === 'buffer' ? zeros(each, each.length) : new scalarArrays[each.type](1),
    ),
    places: new Int32Array(Math.max(1, results.length)),
    kept,
    packed: kept.flatMap(() => [null, keptState.none]),
  };
};

const callFunction = (
  { signature, code, results, places, packed }: Loaded,
  values: readonly RunValue[],
): readonly RunValue[] => {
  checkArguments(signature, values);
  code(...values, ...results, ...packed, places);
  return signature.results.map((result, i) => {
    if (result.kind === 'scalar') return results[i]![0]!;
    return places[i]! < 0 ? results[i]! : values[places[i]!]!;
  });
};

/** Lets calls with these constants use what an earlier one has packed of them. */
const keepPacked = (loaded: Loaded, constants: ReadonlyMap<number, RunValue>): KeptWork | undefined => {
  const { kept, packed } = loaded;
  const own = kept.flatMap(({ parameter, bytes }, at) =>
    constants.has(parameter) ? [{ at, memory: new Uint8Array(bytes) }] : [],
  );
  if (own.length === 0) return undefined;
  let state: number = keptState.fill;
  const choose = (memoryOf: (memory: Uint8Array) => Uint8Array | null, chosen: number): void => {
    for (const { at, memory } of own) packed.splice(2 * at, 2, memoryOf(memory), chosen);
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
