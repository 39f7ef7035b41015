/** Emitted modules as files for other programs. */
import type { LoadSignal } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, unknownLocation } from '@sconv/diagnostics';
import type { BuiltKind } from './build.ts';
import { buildFile } from './build.ts';
import type { NativeModule } from './native-module.ts';
import { findOpenblas } from './openblas.ts';
import { withToolchain } from './with-toolchain.ts';

/**
 * The path of a shared library, an object or LLVM IR that a module is built to: a file of the cache, to be copied. `header` of the
 * module declares its functions. Fails with `native/no-toolchain`, with `native/build` where a tool or the disk fails, and with
 * `native/aborted`. Who calls kernels of OpenBLAS links it, but for a shared library, which is linked with it where it is found.
 */
export const buildNative = (
  emitted: NativeModule,
  kind: BuiltKind,
  { signal }: { readonly signal?: LoadSignal } = {},
): Promise<Diagnosed<string>> => {
  const location = emitted.functions[0]?.location ?? unknownLocation;
  const openblas = emitted.kernels.length === 0 ? undefined : findOpenblas();
  return withToolchain(
    {
      location,
      signal,
      otherwise: (reason) => definite(error('native/build', `the file cannot be built: ${reason}`, location)),
    },
    (toolchain, own) => buildFile(emitted, kind, openblas === undefined ? [] : [openblas], toolchain, own),
  );
};
