/** Emitted modules as artifacts: built, and loaded into this process or run by an emulator. */
import type { Artifact, LoadOptions } from '@sconv/backend';
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { definite, describeValue, error, success, unknownLocation, warning } from '@sconv/diagnostics';
import { buildLibrary, buildProgram } from './build.ts';
import { emulatedArtifact } from './emulated.ts';
import type { Emulator } from './emulator.ts';
import { findEmulator } from './emulator.ts';
import { missingFeatures } from './host.ts';
import { libraryArtifact } from './library.ts';
import type { NativeModule } from './native-module.ts';
import { backendName } from './native-module.ts';
import { findOpenblas } from './openblas.ts';
import { streamingSymbol } from './streaming-support.ts';
import type { Toolchain } from './toolchain.ts';
import { withToolchain } from './with-toolchain.ts';

/**
 * `Backend.load`: into this process where the processor has what the code takes, else as a program of an emulator, with the warning
 * `native/emulated`.
 */
export const loadNative = (emitted: NativeModule, options: LoadOptions = {}): Promise<Diagnosed<Artifact>> =>
  load(emitted, options, false);

/** `loadNative` that always takes the emulator. */
export const loadEmulated = (
  emitted: NativeModule,
  options: LoadOptions = {},
): Promise<Diagnosed<Artifact>> => load(emitted, options, true);

const load = async (
  emitted: NativeModule,
  { threads = 1, signal }: LoadOptions,
  isEmulated: boolean,
): Promise<Diagnosed<Artifact>> => {
  if ((emitted.backend as string) !== backendName) {
    throw new TypeError(`what ${describeValue(emitted.backend)} has emitted is nothing for '${backendName}'`);
  }
  const location = emitted.functions[0]?.location ?? unknownLocation;
  const failed = (code: string, message: string): Failed => definite(error(code, message, location));
  const aborted = (): Failed => failed('native/aborted', 'the caller stopped the load');
  const isAborted = (): boolean => signal?.aborted === true;
  if (isAborted()) return aborted();

  // 1. What runs it.
  const missing = missingFeatures(emitted.isa, emitted.features);
  const emulator = isEmulated || missing.length > 0 ? findEmulator(emitted) : undefined;
  if (typeof emulator === 'string') {
    const why =
      missing.length > 0 ? `this processor cannot run the code: it lacks ${missing.join(', ')}; ` : '';
    return failed('native/processor', `${why}${emulator}`);
  }
  const openblas = emitted.kernels.length === 0 ? undefined : findOpenblas();
  if (emitted.kernels.length > 0 && (openblas === undefined || emulator !== undefined)) {
    const [kernel] = emitted.kernels;
    const why =
      emulator === undefined
        ? 'which cannot be found: on Debian, install libopenblas0; elsewhere name the file of the library in SCONV_OPENBLAS'
        : 'a library of this processor, and an emulator runs static programs';
    return failed('native/no-openblas', `'${kernel}' is a kernel of OpenBLAS, ${why}`);
  }
  const warnings = [
    ...(threads === 1
      ? []
      : [
          warning(
            'native/single-thread',
            `calls take one thread, not ${threads}: native code has no other yet`,
            location,
          ),
        ]),
    ...(emulator === undefined || isEmulated
      ? []
      : [
          warning(
            'native/emulated',
            `this processor lacks ${missing.join(', ')}: ${emulator.title} runs the code, which takes much longer`,
            location,
          ),
        ]),
  ];

  // 2. The code.
  const loaded = await withToolchain<Artifact | string>(
    {
      location,
      signal,
      hint: emulator?.hint,
      otherwise: (reason) => failed('native/load', `the library cannot be loaded: ${reason}`),
    },
    (toolchain, own) =>
      emulator === undefined
        ? loadLibrary(emitted, openblas === undefined ? [] : [openblas], toolchain, own)
        : loadProgram(emitted, emulator, toolchain, own),
  );
  if (loaded.status !== 'success') return loaded;
  const artifact = loaded.value;
  if (typeof artifact === 'string') return failed('native/vector-length', artifact);
  if (isAborted()) {
    artifact.dispose();
    return aborted();
  }
  return success(artifact, warnings);
};

/** The artifact, or why this processor's vectors are no good for it. */
const loadLibrary = async (
  emitted: NativeModule,
  libraries: readonly string[],
  toolchain: Toolchain,
  signal: AbortSignal,
): Promise<Artifact | string> => {
  // There may be no prebuilt one for this platform, which is no matter before.
  const { default: koffi } = await import('koffi');
  const library = koffi.load(await buildLibrary(emitted, libraries, toolchain, signal));
  const { streamingBytes: wanted } = emitted;
  if (wanted !== undefined) {
    const bytes = Number(library.func(streamingSymbol, 'int64_t', [])());
    if (bytes !== wanted) {
      library.unload();
      return `vectors have ${8 * bytes} bits in streaming mode, and the code is made for ${8 * wanted}`;
    }
  }
  return libraryArtifact(emitted, library);
};

const loadProgram = async (
  emitted: NativeModule,
  emulator: Emulator,
  toolchain: Toolchain,
  signal: AbortSignal,
): Promise<Artifact> =>
  emulatedArtifact(emitted, emulator, await buildProgram(emitted, emulator, toolchain, signal));
