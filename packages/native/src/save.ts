/** Native code as files: a shared library, and the constants beside it as they are. */
import { readFile } from 'node:fs/promises';
import { alignedBytes } from '@sconv/backend';
import type { SavedCode, SaveOptions } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import { buildNative } from './build-native.ts';
import type { NativeModule, SavedNative } from './native-module.ts';

/** `Backend.save`; for several threads, the library is another one. */
export const saveNative = async (
  emitted: NativeModule,
  { threads = 1, signal }: SaveOptions = {},
): Promise<Diagnosed<SavedCode>> => {
  const { backend, functions, kept, isa, features, streamingBytes, threaded, constants = [] } = emitted;
  const isThreaded = threads > 1 && threaded !== undefined;
  const module = isThreaded ? { ...emitted, ...threaded } : emitted;
  const built = await buildNative(module, 'so', signal === undefined ? {} : { signal });
  if (built.status !== 'success') return built;
  let code: Uint8Array;
  try {
    code = await readFile(built.value);
  } catch {
    const location = functions[0]?.location ?? unknownLocation;
    return definite(error('native/build', 'the file that was built is gone: build it again', location));
  }
  let weightBytes = 0;
  const places = constants.map(({ function: name, parameter, bytes }) => {
    const at = weightBytes;
    weightBytes += alignedBytes(bytes.length);
    return { function: name, parameter, at, bytes: bytes.length };
  });
  const weights = new Uint8Array(weightBytes);
  for (const [i, { at }] of places.entries()) weights.set(constants[i]!.bytes, at);
  const description: SavedNative = {
    functions,
    kept,
    isa,
    features,
    ...(streamingBytes === undefined ? {} : { streamingBytes }),
    ...(isThreaded ? { threaded: { iterations: threaded.iterations } } : {}),
    constants: places,
    weightBytes,
  };
  return success({ backend, code, extension: '.so', weights, description });
};
