/** Loads modules that were saved: without the compiler, into a memory that has their constants as calls read them. */
import type { Artifact, CodeLoader, LoadOptions, SavedFiles } from '@sconv/backend';
import { alignedBytes as aligned } from '@sconv/backend/runtime';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import type { EngineMemory, EngineModule } from './engine-types.ts';
import { instantiateAsync, ownedBytes } from './instantiate.ts';
import {
  aborted,
  createMemory,
  engineProblem,
  isAborted,
  locationOf,
  notCompiled,
  packingOf,
  started,
  threadsFor,
} from './load.ts';
import { withSharedMemory } from './shared-memory.ts';
import { streamedConstantsOf } from './streamed-constants.ts';
import type { SavedModule, WasmModule } from './wasm-module.ts';
import { backendName } from './wasm-module.ts';

/** Loads what `wasmBackend.save` has saved. Weights arrive in the memory of the code, which is compiled meanwhile. */
export const wasmLoader: CodeLoader = {
  backend: backendName,
  // Nobody else makes a description.
  load: (description, files, options = {}) => loadSaved(description as SavedModule, files, options),
};

const loadSaved = async (
  saved: SavedModule,
  files: SavedFiles,
  options: LoadOptions,
): Promise<Diagnosed<Artifact>> => {
  // 1. A memory: what the module owns, the block, copies of constants of another form, what helpers need.
  const lacking = engineProblem(saved);
  if (lacking !== undefined) return lacking;
  const given = threadsFor(saved, options);
  if (given.status !== 'success') return given;
  const { value: threads } = given;
  const block = ownedBytes(saved);
  const heapStart = block + aligned(saved.weightBytes);
  const heapEnd = heapStart + copiedBytes(saved);
  const helperBytes = ((threads?.count ?? 1) - 1) * saved.threadScratch.bytes;
  const isShared = threads !== undefined;
  const created = createMemory(heapEnd + helperBytes, { isShared }, locationOf(saved));
  if (created.status !== 'success') return created;
  const { memory } = created.value;

  // 2. The files, at the same time.
  const [code, weights] = await Promise.all([
    compiledCode(saved, files, isShared),
    files.weights(new Uint8Array(memory.buffer, block, saved.weightBytes)),
  ]);
  const arrived = andThen(code, (compiled) => mapSuccess(weights, () => compiled));
  if (isAborted(options)) return aborted(saved);
  if (arrived.status !== 'success') return arrived;
  const compiled = arrived.value;

  // 3. An instance that finds its constants.
  const emitted: WasmModule = {
    ...saved,
    bytes: new Uint8Array(),
    packings: [],
    constants: saved.constants.map(({ function: name, parameter, at, bytes }) => ({
      function: name,
      parameter,
      bytes: new Uint8Array(memory.buffer, block + at, bytes),
    })),
  };
  const streamed = streamedConstantsOf({}, memory);
  const prepared = { memory, at: 0, heapStart, heapEnd, streamed, isStreamed: () => false, threads };
  let instance;
  try {
    instance = await instantiateAsync(emitted, { memory, compiled, streamed });
  } catch (problem) {
    return notCompiled(saved, problem);
  }
  writeRecords(memory, saved, block, true);
  const artifact = await started(emitted, compiled, instance, prepared, options);
  return andThen(given, () => artifact);
};

/** Bytes of the constants that are not read where they are: an index has 8 bytes in the block, and 4 here. */
const copiedBytes = ({ functions, constants }: SavedModule): number =>
  constants.reduce((sum, { function: name, parameter, bytes }) => {
    const type = functions.find((each) => each.name === name)?.parameters[parameter];
    return sum + (type?.kind === 'buffer' && type.element === 'index' ? aligned(bytes / 2) : 0);
  }, 0);

const compiledCode = async (
  saved: SavedModule,
  files: SavedFiles,
  isShared: boolean,
): Promise<Diagnosed<EngineModule>> => {
  // A shared memory takes other code, made of its bytes.
  if (!isShared && files.response !== undefined) {
    try {
      return success(await WebAssembly.compileStreaming((await files.response()) as Response));
    } catch {
      // It is served as something else, or did not arrive: its bytes tell.
    }
  }
  const code = await files.code();
  if (code.status !== 'success') return code;
  const bytes = code.value as Uint8Array<ArrayBuffer>;
  try {
    const canBeChanged = isShared && WebAssembly.validate(bytes);
    return success(await WebAssembly.compile(canBeChanged ? withSharedMemory(bytes) : bytes));
  } catch (problem) {
    return notCompiled(saved, problem);
  }
};

/** Tells the code where the packed forms are in the block, and whether they are there already. */
export const writeRecords = (
  memory: EngineMemory,
  saved: Pick<SavedModule, 'constants' | 'packings'>,
  block: number,
  isPacked: boolean,
): void => {
  for (const constant of saved.constants) {
    if (constant.packed === undefined) continue;
    const { record } = packingOf(saved, constant)!;
    new Int32Array(memory.buffer, record, 2).set([block + constant.packed, Number(isPacked)]);
  }
};
