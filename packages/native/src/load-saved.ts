/** Loads libraries that were saved, without the compiler. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact, CodeLoader, LoadOptions, SavedFiles } from '@sconv/backend';
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, success, unknownLocation, warning } from '@sconv/diagnostics';
import { alignedMemory } from './aligned-memory.ts';
import { missingFeatures } from './host.ts';
import type { SavedNative } from './native-module.ts';
import { backendName } from './native-module.ts';
import type { Loaded, Refused } from './open-library.ts';
import { openLibrary } from './open-library.ts';

/**
 * Loads what `nativeBackend.save` has saved, into this process, if it is one of Linux on a processor with the required
 * features. The first call packs the weights.
 */
export const nativeLoader: CodeLoader = {
  backend: backendName,
  // Nobody else makes a description.
  load: (description, files, options = {}) => loadSaved(description as SavedNative, files, options),
};

const loadSaved = async (
  saved: SavedNative,
  files: SavedFiles,
  { threads = 1, signal }: LoadOptions,
): Promise<Diagnosed<Artifact>> => {
  const location = saved.functions[0]?.location ?? unknownLocation;
  const failed = (code: string, why: string): Failed => definite(error(code, why, location));
  if (process.platform !== 'linux')
    return failed('native/platform', `native code is loaded on Linux only, and this is ${process.platform}`);
  const missing = missingFeatures(saved.isa, saved.features);
  if (missing.length > 0)
    return failed('native/processor', `this processor cannot run the code: it lacks ${missing.join(', ')}`);
  const { default: koffi } = await import('koffi');
  const block = alignedMemory(koffi)(saved.weightBytes);
  const [code, weights] = await Promise.all([files.code(), files.weights(block)]);
  if (signal?.aborted === true) return failed('native/aborted', 'the caller stopped the load');
  const arrived = andThen(code, (bytes) => mapSuccess(weights, () => bytes));
  if (arrived.status !== 'success') return arrived;
  const module = {
    ...saved,
    constants: saved.constants.map(({ function: name, parameter, at, bytes }) => ({
      function: name,
      parameter,
      bytes: block.subarray(at, at + bytes),
    })),
  };
  const isThreaded = threads > 1 && saved.threaded !== undefined;
  let loaded: Loaded | Refused;
  try {
    const open = (path: string) => openLibrary(module, path, isThreaded ? threads : 1);
    loaded = await (files.codePath === undefined ? withFile(arrived.value, open) : open(files.codePath));
  } catch (problem) {
    return failed('native/load', `the library cannot be loaded: ${(problem as Error).message}`);
  }
  if ('refusal' in loaded) return failed(...loaded.refusal);
  if (threads === 1 || isThreaded) return success(loaded.artifact);
  const message = `calls take one thread, not ${threads}: the program was not built for more`;
  return success(loaded.artifact, [warning('native/fewer-threads', message, location)]);
};

/** Does something with a file of these bytes, which the system keeps open as long as it is used. */
const withFile = async <T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'sconv-'));
  try {
    const path = join(folder, 'library.so');
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
