/** Where the files of a program are: in a folder, at an address, or in memory. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, describeValue, error, success, unknownLocation } from '@sconv/diagnostics';
import type { ModelStream } from '../model/read-model.ts';
import type { ProgramAddress, ProgramFiles } from './program-files.ts';

/** Reads files. What its functions throw says why a file cannot be read. */
export interface ProgramSource {
  /** What messages call a file. */
  readonly pathOf: (name: string) => string;
  /** The bytes of a file, in parts that are valid until the next one is asked for. */
  readonly parts: (name: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Whether the files are those of a folder of this machine. */
  readonly isLocal?: true;
  /** A file as a response, if it comes as one. */
  readonly response?: (name: string, signal: AbortSignal) => Promise<Response>;
}

/** The source for an address, a folder's path (in Node), or files. Fails with `program/option` for anything else. */
export const programSource = (given: string | ProgramAddress | ProgramFiles): Diagnosed<ProgramSource> => {
  const refused = (why: string): Diagnosed<ProgramSource> =>
    definite(error('program/option', `loadModel: ${why}`, unknownLocation));
  if (typeof given !== 'string' && !(given instanceof URL)) {
    if (typeof given !== 'object' || (given as unknown) === null)
      return refused(`a program is given by its folder, address or files, not ${describeValue(given)}`);
    return success(fileSource(given as ProgramFiles));
  }
  try {
    const folder = folderOf(given);
    return success(folder === undefined ? addressSource(given) : folderSource(folder));
  } catch (problem) {
    return refused(`${describeValue(String(given))} is no address: ${(problem as Error).message}`);
  }
};

/** Node's own modules; undefined elsewhere. */
const builtin = <K extends 'node:fs/promises' | 'node:path' | 'node:url'>(name: K) =>
  (globalThis as { readonly process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.(name);

/** The path of a folder of this machine; undefined for an address. */
const folderOf = (given: string | URL): string | undefined => {
  const url = builtin('node:url');
  if (url === undefined) return undefined;
  if (typeof given === 'string' && !/^(?:https?|file|blob|data):/.test(given)) return given;
  const address = new URL(given);
  return address.protocol === 'file:' ? url.fileURLToPath(address) : undefined;
};

/** Bytes that are read from a file at once. */
const partBytes = 2 ** 22;

const folderSource = (folder: string): ProgramSource => {
  const [fs, path] = [builtin('node:fs/promises')!, builtin('node:path')!];
  const pathOf = (name: string): string => path.join(folder, name);
  return {
    pathOf,
    isLocal: true,
    parts: async function* (name, signal) {
      const file = await fs.open(pathOf(name));
      try {
        const part = new Uint8Array(partBytes);
        for (;;) {
          signal.throwIfAborted();
          const { bytesRead } = await file.read(part);
          if (bytesRead === 0) return;
          yield part.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },
  };
};

const addressSource = (given: string | URL): ProgramSource => {
  const base = new URL(
    given,
    (globalThis as { readonly location?: { readonly href: string } }).location?.href,
  );
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const pathOf = (name: string): string => new URL(name, base).href;
  const response = async (name: string, signal: AbortSignal): Promise<Response> => {
    const answer = await fetch(pathOf(name), { signal });
    if (!answer.ok) throw new Error(`the server answers ${answer.status} ${answer.statusText}`.trim());
    return answer;
  };
  return {
    pathOf,
    response,
    parts: async function* (name, signal) {
      yield* partsOf((await response(name, signal)).body);
    },
  };
};

const fileSource = (files: ProgramFiles): ProgramSource => ({
  pathOf: (name) => name,
  parts: async function* (name) {
    const file = files[name];
    if (file === undefined)
      throw new Error(`it is not among the files that are given: ${Object.keys(files).join(', ')}`);
    if (file instanceof Uint8Array) yield file;
    else yield* partsOf(file.stream());
  },
});

/** Not all engines iterate over a stream by themselves. */
async function* partsOf(stream: ModelStream | null): AsyncIterable<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value !== undefined) yield value;
    }
  } finally {
    await reader.cancel();
  }
}
