/** Loads emitted modules as artifacts: builds them, then loads them into this process or runs them in an emulator. */
import type { Artifact, LoadOptions } from '@sconv/backend';
import type { Diagnosed, Diagnostic, Failed, Location } from '@sconv/diagnostics';
import { definite, describeValue, error, success, unknownLocation, warning } from '@sconv/diagnostics';
import type { Proceed } from './build.ts';
import { buildLibrary, buildProgram } from './build.ts';
import { emulatedArtifact } from './emulated.ts';
import type { Emulator } from './emulator.ts';
import { findEmulator } from './emulator.ts';
import { missingFeatures } from './host.ts';
import type { NativeModule } from './native-module.ts';
import { backendName } from './native-module.ts';
import { findOpenblas } from './openblas.ts';
import type { Loaded, Refused } from './open-library.ts';
import { openLibrary } from './open-library.ts';
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
  const aborted = (): Failed => failed(emitted, 'native/aborted', 'the caller stopped the load');
  const isAborted = (): boolean => signal?.aborted === true;
  if (isAborted()) return aborted();

  // 1. Where to run it.
  const place = findPlace(emitted, isEmulated);
  if (place.status !== 'success') return place;
  const { emulator, libraries } = place.value;

  // 2. Build and open the code.
  const isThreaded = threads > 1 && emulator === undefined && emitted.threaded !== undefined;
  const loaded = await withToolchain<Loaded | Refused>(
    {
      location: locationOf(emitted),
      module: emitted,
      signal,
      hint: emulator?.hint,
      otherwise: (reason) => failed(emitted, 'native/load', `the library cannot be loaded: ${reason}`),
    },
    (toolchain, proceed) =>
      emulator === undefined
        ? loadLibrary(
            isThreaded ? { ...emitted, ...emitted.threaded } : emitted,
            { threads: isThreaded ? threads : 1, libraries },
            toolchain,
            proceed,
          )
        : loadProgram(emitted, emulator, toolchain, proceed),
  );
  if (loaded.status !== 'success') return loaded;
  if ('refusal' in loaded.value) return failed(emitted, ...loaded.value.refusal);
  const { artifact, threads: taken } = loaded.value;
  if (isAborted()) {
    artifact.dispose();
    return aborted();
  }

  // 3. Warn of what is not as asked for.
  return success(artifact, [
    ...fewerThreads(emitted, emulator, { asked: threads, taken }),
    ...place.diagnostics,
  ]);
};

const locationOf = ({ functions: [first] }: NativeModule): Location => first?.location ?? unknownLocation;

const failed = (emitted: NativeModule, code: string, message: string): Failed =>
  definite(error(code, message, locationOf(emitted)));

/** Where code runs: in this process with other libraries, or in an emulator. */
interface Place {
  readonly emulator: Emulator | undefined;
  readonly libraries: readonly string[];
}

/**
 * Where to run a module; warns of an emulator that was not asked for. Fails with `native/platform`, with
 * `native/processor` if no emulator is found, and with `native/no-openblas`.
 */
const findPlace = (emitted: NativeModule, isEmulated: boolean): Diagnosed<Place> => {
  if (process.platform !== 'linux') {
    const message = `native code is loaded on Linux only, and this is ${process.platform}`;
    return failed(emitted, 'native/platform', message);
  }
  const missing = missingFeatures(emitted.isa, emitted.features);
  const lacks = `lacks ${missing.join(', ')}`;
  const emulator = isEmulated || missing.length > 0 ? findEmulator(emitted) : undefined;
  if (typeof emulator === 'string') {
    const why = missing.length > 0 ? `this processor cannot run the code: it ${lacks}; ` : '';
    return failed(emitted, 'native/processor', `${why}${emulator}`);
  }
  const [kernel] = emitted.kernels;
  const openblas = kernel === undefined ? undefined : findOpenblas();
  if (kernel !== undefined && (openblas === undefined || emulator !== undefined)) {
    const why =
      emulator === undefined
        ? 'which cannot be found: on Debian, install libopenblas0; elsewhere name the file of the ' +
          'library in SCONV_OPENBLAS'
        : 'a library of this processor, and an emulator runs static programs';
    return failed(emitted, 'native/no-openblas', `'${kernel}' is a kernel of OpenBLAS, ${why}`);
  }
  const place = { emulator, libraries: openblas === undefined ? [] : [openblas] };
  if (emulator === undefined || isEmulated) return success(place);
  const message = `this processor ${lacks}: ${emulator.title} runs the code, which takes much longer`;
  return success(place, [warning('native/emulated', message, locationOf(emitted))]);
};

/** Warns of fewer threads than asked for; threads beyond the number of parts are no loss. */
const fewerThreads = (
  emitted: NativeModule,
  emulator: Emulator | undefined,
  { asked, taken }: { readonly asked: number; readonly taken: number },
): readonly Diagnostic[] => {
  if (taken >= Math.min(asked, emitted.threaded?.iterations ?? asked)) return [];
  const whyHere =
    emitted.threaded === undefined
      ? 'the code has no scf.forall to share'
      : 'the operating system refuses to start more';
  const why = emulator === undefined ? whyHere : 'an emulator runs one';
  const threads = taken === 1 ? 'one thread' : `${taken} threads`;
  const message = `calls take ${threads}, not ${asked}: ${why}`;
  return [warning('native/fewer-threads', message, locationOf(emitted))];
};

/** Builds and opens a library. */
const loadLibrary = async (
  emitted: NativeModule,
  { threads, libraries }: { readonly threads: number; readonly libraries: readonly string[] },
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<Loaded | Refused> =>
  openLibrary(emitted, await buildLibrary(emitted, libraries, toolchain, proceed), threads);

const loadProgram = async (
  emitted: NativeModule,
  emulator: Emulator,
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<Loaded> => ({
  artifact: emulatedArtifact(emitted, emulator, await buildProgram(emitted, emulator, toolchain, proceed)),
  threads: 1,
});
