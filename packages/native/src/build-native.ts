/** Builds emitted modules into files for other programs. */
import type { LoadSignal } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, unknownLocation } from '@sconv/diagnostics';
import type { BuiltKind } from './build.ts';
import { buildFile } from './build.ts';
import type { NativeModule } from './native-module.ts';
import { findOpenblas } from './openblas.ts';
import { withToolchain } from './with-toolchain.ts';

/**
 * Builds a shared library, an object or LLVM IR; returns the path of a cached file, to be copied. `header` of the
 * module declares its functions. Fails with `native/no-toolchain`, with `native/undefined` for
 * a function that a shared library would lack, with `native/build` if a tool or the disk fails, and with
 * `native/aborted`. Callers link OpenBLAS themselves if needed; a shared library is linked with it if found.
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
      module: emitted,
      signal,
      hint: kind === 'llvm-ir' ? undefined : linkHint(),
      otherwise: (reason) => definite(error('native/build', `the file cannot be built: ${reason}`, location)),
    },
    (toolchain, proceed) =>
      buildFile(emitted, kind, openblas === undefined ? [] : [openblas], toolchain, proceed),
  );
};

/** LLVM IR is made anywhere; what is linked is for Linux. */
const linkHint = (): string | undefined =>
  process.platform === 'linux'
    ? undefined
    : ` (the code is for Linux: on ${process.platform}, build LLVM IR, which any clang compiles)`;
