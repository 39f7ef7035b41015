/** Loads a program that was saved, without the compiler: `sconv/load`. */
import type { Artifact, CodeLoader, LoadOptions, SavedFiles } from '@sconv/backend';
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  describeValue,
  error,
  fileLocation,
  mapSuccess,
  success,
  unknownLocation,
} from '@sconv/diagnostics';
import { wasmLoader } from '@sconv/wasm/load';
import type { RunnableModel } from '../model/runnable-model.ts';
import { runnableModel } from '../model/runnable-model.ts';
import type { Program, ProgramFile } from './manifest.ts';
import { manifestName, readManifest } from './manifest.ts';
import type { ProgramAddress, ProgramFiles } from './program-files.ts';
import type { ProgramSource } from './program-source.ts';
import { programSource } from './program-source.ts';

/** How much of a program's code and weights is there. */
export interface LoadProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

/** How a program is loaded. */
export interface LoadModelOptions extends Pick<LoadOptions, 'threads' | 'workers' | 'signal'> {
  /** What loads the code, by default of WebAssembly; `nodeLoaders` of `sconv/load-node` load native code, too. */
  readonly loaders?: readonly CodeLoader[];
  /** Called whenever some of it has arrived. */
  readonly onProgress?: (progress: LoadProgress) => void;
}

/** A program that was saved, as a function. */
export interface LoadedModel extends RunnableModel {
  /** The name of the target that it was compiled for. */
  readonly target: string;
}

/**
 * Loads what `sconv build` or `saveModel` has saved: a folder's path (in Node), its address, or its files by name. The
 * results are those of `compileModel`, bit for bit.
 *
 * Fails with `program/unreadable` for a file that is missing or does not arrive, with `program/option`, with
 * `program/foreign`, `program/version` and `program/damaged` for a manifest that cannot be used, with `program/size`
 * for a file that is cut off or too long, with `program/loader` for code of another backend than `loaders` has, with
 * `program/aborted`, and as the code's loader does.
 */
export const loadModel = async (
  given: string | ProgramAddress | ProgramFiles,
  options: LoadModelOptions = {},
): Promise<Diagnosed<LoadedModel>> =>
  mapSuccess(await loadProgram(given, options), ({ artifact, program }) => ({
    ...runnableModel(artifact, program),
    target: program.target,
  }));

/** `loadModel`, as code. */
export const loadProgram = async (
  given: string | ProgramAddress | ProgramFiles,
  { loaders = [wasmLoader], onProgress, signal, ...options }: LoadModelOptions,
): Promise<Diagnosed<{ readonly artifact: Artifact; readonly program: Program }>> => {
  const wrong = optionsProblem({ loaders, onProgress, signal, ...options });
  if (wrong !== undefined) return definite(error('program/option', wrong, unknownLocation));
  const stop = new AbortController();
  const abort = (): void => {
    stop.abort();
  };
  signal?.addEventListener?.('abort', abort);
  if (signal?.aborted === true) abort();
  try {
    const found = programSource(given);
    if (found.status !== 'success') return found;
    const source = found.value;
    const files = fileReader(source, stop.signal, () => signal?.aborted === true);
    const manifest = await files.text(manifestName);
    const read = andThen(manifest, (text) => readManifest(text, source.pathOf(manifestName)));
    if (read.status !== 'success') return read;
    const program = read.value;
    const loader = loaders.find(({ backend }) => backend === program.backend);
    if (loader === undefined) return noLoader(program, source);
    const artifact = await loader.load(program.description, files.of(program, onProgress), {
      ...options,
      ...(signal === undefined ? {} : { signal }),
    });
    if (artifact.status !== 'success' && signal?.aborted === true) return files.aborted(manifestName);
    return mapSuccess(artifact, (code) => ({ artifact: code, program }));
  } finally {
    signal?.removeEventListener?.('abort', abort);
    // Nothing that still arrives is needed.
    abort();
  }
};

/** What is wrong with the options of an untyped caller. */
const optionsProblem = ({
  loaders,
  onProgress,
  signal,
  threads = 1,
  workers,
}: Partial<Record<keyof LoadModelOptions, unknown>>): string | undefined => {
  const isFunction = (value: unknown): boolean => value === undefined || typeof value === 'function';
  const isSignal = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'aborted' in value;
  const problem = (name: string, wanted: string, value: unknown): string =>
    `loadModel: '${name}' is ${wanted}, not ${describeValue(value)}`;
  if (!Array.isArray(loaders)) return problem('loaders', 'a list of loaders', loaders);
  if (!isFunction(onProgress)) return problem('onProgress', 'a function', onProgress);
  if (!isFunction(workers)) return problem('workers', 'a function that makes a worker', workers);
  if (signal !== undefined && !isSignal(signal)) return problem('signal', 'an AbortSignal', signal);
  return Number.isSafeInteger(threads) && Number(threads) >= 1
    ? undefined
    : problem('threads', 'a number from 1', threads);
};

const noLoader = ({ backend }: Program, source: ProgramSource): Failed => {
  const message =
    `the code is of the backend '${backend}', which none of the loaders loads` +
    (backend === 'native' ? ': pass nodeLoaders of sconv/load-node as loaders' : '');
  return definite(error('program/loader', message, fileLocation(source.pathOf(manifestName), 1, 1)));
};

/** More characters are no manifest. */
const longestManifest = 2 ** 26;

/** Reads the files of a source; a failure to read one is a value. */
const fileReader = (source: ProgramSource, signal: AbortSignal, isAborted: () => boolean) => {
  const failure = (code: string, name: string, why: string): Failed =>
    definite(error(code, why, fileLocation(source.pathOf(name), 1, 1)));
  const aborted = (name: string): Failed => failure('program/aborted', name, 'the caller stopped the load');
  const unreadable = (name: string, problem: unknown): Failed =>
    isAborted() ? aborted(name) : failure('program/unreadable', name, `cannot be read: ${reasonOf(problem)}`);
  const otherSize = ({ name, bytes }: ProgramFile, found: string): Failed =>
    failure(
      'program/size',
      name,
      `has ${found} bytes, not ${bytes}: it is no file of this program, or damaged`,
    );

  const text = async (name: string): Promise<Diagnosed<string>> => {
    try {
      const decoder = new TextDecoder();
      let all = '';
      for await (const part of source.parts(name, signal)) {
        all += decoder.decode(part, { stream: true });
        if (all.length > longestManifest) break;
      }
      return success(all + decoder.decode());
    } catch (problem) {
      return unreadable(name, problem);
    }
  };

  const fill = async (
    file: ProgramFile,
    into: Uint8Array,
    report: (bytes: number) => void,
  ): Promise<Diagnosed<undefined>> => {
    if (file.bytes !== into.length) return otherSize(file, `a place of ${into.length}`);
    try {
      let at = 0;
      for await (const part of source.parts(file.name, signal)) {
        if (at + part.length > into.length) return otherSize(file, 'more');
        into.set(part, at);
        at += part.length;
        report(at);
      }
      return at < into.length ? otherSize(file, `${at}`) : success(undefined);
    } catch (problem) {
      return unreadable(file.name, problem);
    }
  };

  /** The files of a program, which tell how much of them has arrived. */
  const of = ({ code, weights }: Program, onProgress: LoadModelOptions['onProgress']): SavedFiles => {
    const arrived = { code: 0, weights: 0 };
    const report = (file: keyof typeof arrived, bytes: number): void => {
      arrived[file] = bytes;
      onProgress?.({
        bytes: arrived.code + arrived.weights,
        totalBytes: code.bytes + weights.bytes,
      });
    };
    const { response } = source;
    return {
      ...(source.isLocal === true ? { codePath: source.pathOf(code.name) } : {}),
      code: async () => {
        const bytes = new Uint8Array(code.bytes);
        const filled = await fill(code, bytes, (count) => {
          report('code', count);
        });
        return mapSuccess(filled, () => bytes);
      },
      ...(response === undefined
        ? {}
        : {
            response: async () => {
              const found = await response(code.name, signal);
              report('code', code.bytes);
              return found;
            },
          }),
      weights: (into) =>
        fill(weights, into, (count) => {
          report('weights', count);
        }),
    };
  };
  return { text, of, aborted };
};

/** The message of what reading has thrown. */
const reasonOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));
