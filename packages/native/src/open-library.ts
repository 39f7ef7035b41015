/** Opens a library that was built, as an artifact; needs nothing of the compiler. */
import type { Artifact } from '@sconv/backend';
import type { LibraryHandle } from 'koffi';
import { alignedMemory } from './aligned-memory.ts';
import { reserveSymbol } from './arena-support.ts';
import type { LibraryModule } from './library.ts';
import { libraryArtifact } from './library.ts';
import { streamingSymbol } from './streaming-support.ts';

/** A library that cannot be opened, and what the system says of it. */
export class LoadError extends Error {
  readonly said: string;
  constructor(message: string, said: string) {
    super(message);
    this.said = said;
  }
}

/** An artifact, and the number of threads of its promised calls. */
export interface Loaded {
  readonly artifact: Artifact;
  readonly threads: number;
}

/** Why a library that can be opened is of no use here: a code, and a message. */
export interface Refused {
  readonly refusal: readonly [code: string, message: string];
}

/**
 * The artifact of a library, unless this processor's vectors do not fit it, or there is no memory for it. Throws a
 * `LoadError` if the system refuses the library.
 */
export const openLibrary = async (
  module: LibraryModule,
  path: string,
  threads: number,
): Promise<Loaded | Refused> => {
  // There may be no prebuilt binary for this platform; imported here so that it only matters now.
  const { default: koffi } = await import('koffi');
  const library = open(koffi, path);
  try {
    const wanted = module.streamingBytes;
    const bytes = wanted === undefined ? undefined : Number(library.func(streamingSymbol, 'int64_t', [])());
    const arenaBytes = Math.max(0, ...module.functions.map(({ memory }) => memory?.arenaBytes ?? 0));
    const isReserved = arenaBytes === 0 || Number(library.func(reserveSymbol, 'int32_t', [])()) === 1;
    if (bytes === wanted && isReserved)
      return libraryArtifact(module, library, {
        path,
        threads,
        memory: alignedMemory(koffi),
        addressOf: koffi.address,
      });
    library.unload();
    const refusal =
      bytes === wanted
        ? ['native/memory', `the system has no ${arenaBytes} bytes for the buffers of the functions`]
        : [
            'native/vector-length',
            `vectors have ${8 * bytes!} bits in streaming mode, and the code is made for ${8 * wanted!}`,
          ];
    return { refusal: refusal as [string, string] };
  } catch (problem) {
    library.unload();
    throw problem;
  }
};

/** Opens a library; the loader's message has its path. */
const open = (koffi: Pick<typeof import('koffi'), 'load'>, path: string): LibraryHandle => {
  try {
    return koffi.load(path);
  } catch (problem) {
    const said = problem instanceof Error ? problem.message : String(problem);
    throw new LoadError("this system's loader refuses it", said);
  }
};
