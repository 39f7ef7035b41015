/** Loads emitted modules as artifacts: builds them, then loads them into this process or runs them in an emulator. */
import type { Artifact, LoadOptions } from '@sconv/backend';
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { definite, describeValue, error, success, unknownLocation, warning } from '@sconv/diagnostics';
import type { Proceed } from './build.ts';
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
 * `Backend.load`: into this process if the processor has the required features, else as a program in an emulator,
 * with the warning `native/emulated`. Fails with `native/platform` on other systems than Linux.
 */
export const loadNative = (emitted: NativeModule, options: LoadOptions = {}): Promise<Diagnosed<Artifact>> =>
  load(emitted, options, false);

/** `loadNative`, but always in the emulator. */
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
    throw new TypeError(`'${backendName}' cannot load what ${describeValue(emitted.backend)} has emitted`);
  }
  const location = emitted.functions[0]?.location ?? unknownLocation;
  const failed = (code: string, message: string): Failed => definite(error(code, message, location));
  const aborted = (): Failed => failed('native/aborted', 'the caller stopped the load');
  const isAborted = (): boolean => signal?.aborted === true;
  if (isAborted()) return aborted();
  if (process.platform !== 'linux') {
    const message = `native code is loaded on Linux only, and this is ${process.platform}`;
    return failed('native/platform', message);
  }

  // 1. Where to run it.
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
  const isThreaded = threads > 1 && emulator === undefined && emitted.threaded !== undefined;

  // 2. Build the code.
  const loaded = await withToolchain<Loaded | string>(
    {
      location,
      signal,
      hint: emulator?.hint,
      otherwise: (reason) => failed('native/load', `the library cannot be loaded: ${reason}`),
    },
    (toolchain, proceed) =>
      emulator === undefined
        ? loadLibrary(
            isThreaded ? { ...emitted, ...emitted.threaded } : emitted,
            { threads: isThreaded ? threads : 1, libraries: openblas === undefined ? [] : [openblas] },
            toolchain,
            proceed,
          )
        : loadProgram(emitted, emulator, toolchain, proceed),
  );
  if (loaded.status !== 'success') return loaded;
  if (typeof loaded.value === 'string') return failed('native/vector-length', loaded.value);
  const { artifact, threads: taken } = loaded.value;
  if (isAborted()) {
    artifact.dispose();
    return aborted();
  }
  // 3. Warn of fewer threads than requested; threads beyond the number of parts are no loss.
  const fewer = (): string | undefined => {
    if (taken >= Math.min(threads, emitted.threaded?.iterations ?? threads)) return undefined;
    if (emulator !== undefined) return 'an emulator runs one';
    return emitted.threaded === undefined
      ? 'the code has no scf.forall to share'
      : 'the system begins no more';
  };
  const why = fewer();
  return success(artifact, [
    ...(why === undefined
      ? []
      : [
          warning(
            'native/fewer-threads',
            `calls take ${taken === 1 ? 'one thread' : `${taken} threads`}, not ${threads}: ${why}`,
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
  ]);
};

/** An artifact, and the number of threads of its promised calls. */
interface Loaded {
  readonly artifact: Artifact;
  readonly threads: number;
}

/** The artifact, or why this processor's vectors do not fit it. */
const loadLibrary = async (
  emitted: NativeModule,
  { threads, libraries }: { readonly threads: number; readonly libraries: readonly string[] },
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<Loaded | string> => {
  // There may be no prebuilt binary for this platform; imported here so that it only matters now.
  const { default: koffi } = await import('koffi');
  const path = await buildLibrary(emitted, libraries, toolchain, proceed);
  const library = koffi.load(path);
  try {
    const wanted = emitted.streamingBytes;
    const bytes = wanted === undefined ? undefined : Number(library.func(streamingSymbol, 'int64_t', [])());
    if (bytes === wanted)
      return libraryArtifact(emitted, library, { path, threads, addressOf: koffi.address });
    library.unload();
    return `vectors have ${8 * bytes!} bits in streaming mode, and the code is made for ${8 * wanted!}`;
  } catch (problem) {
    library.unload();
    throw problem;
  }
};

const loadProgram = async (
  emitted: NativeModule,
  emulator: Emulator,
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<Loaded> => ({
  artifact: emulatedArtifact(emitted, emulator, await buildProgram(emitted, emulator, toolchain, proceed)),
  threads: 1,
});
