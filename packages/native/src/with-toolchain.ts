/** Runs work that needs LLVM's tools, and reports its failures. */
import type { LoadSignal } from '@sconv/backend';
import type { Diagnosed, Failed, Location } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { Proceed } from './build.ts';
import { BuildError } from './build.ts';
import type { NativeModule } from './native-module.ts';
import { LoadError } from './open-library.ts';
import { definedName } from './rename-definitions.ts';
import type { StopSignal } from './stop-signal.ts';
import type { ToolName, Toolchain } from './toolchain.ts';
import { findToolchain } from './toolchain.ts';

export interface ToolchainWork {
  /** The location of diagnostics. */
  readonly location: Location;
  /** What is built. */
  readonly module: Pick<NativeModule, 'functions' | 'declared'>;
  readonly signal: LoadSignal | undefined;
  /** An additional hint if a tool fails. */
  readonly hint?: string | undefined;
  /** The failure for any other exception, such as a full disk. */
  readonly otherwise: (reason: string) => Failed;
}

/** Where tools are missing, and what to do. */
const whyMissing = (tools: readonly ToolName[]): string => {
  const names = tools.join(', ');
  return process.env['SCONV_LLVM'] === undefined
    ? `${names} cannot be found: on Debian, run tools/setup-llvm.sh or install mlir-19-tools and clang-19; ` +
        'elsewhere name its folder in SCONV_LLVM'
    : `${names} are missing in the folder of SCONV_LLVM, or not of that release: name another one, or unset it`;
};

/**
 * Finds the tools and runs the work, which the caller's signal stops at the latest after the tool that runs. Fails
 * with `native/no-toolchain`, with `native/undefined` for a function that is defined nowhere, with `native/build` if a
 * tool fails otherwise, and with `native/aborted`. What a failing tool says is in the `details` of the diagnostic.
 */
export const withToolchain = async <T>(
  { location, module: { functions, declared }, signal, hint = '', otherwise }: ToolchainWork,
  work: (toolchain: Toolchain, proceed: Proceed) => Promise<T>,
): Promise<Diagnosed<T>> => {
  const failed = (code: string, message: string): Failed => definite(error(code, message, location));
  const building = new AbortController();
  const stop = (): void => {
    building.abort();
  };
  const isAborted = (): boolean => signal?.aborted === true;
  const proceed = (): StopSignal => {
    // A signal without listeners has only a flag.
    if (isAborted()) stop();
    building.signal.throwIfAborted();
    return building.signal;
  };
  signal?.addEventListener?.('abort', stop);
  try {
    proceed();
    const toolchain = await findToolchain();
    proceed();
    if (!('paths' in toolchain)) {
      return failed('native/no-toolchain', `native code takes LLVM 19, of which ${whyMissing(toolchain)}`);
    }
    return success(await work(toolchain, proceed));
  } catch (problem) {
    if (isAborted()) return failed('native/aborted', 'the caller stopped the build');
    if (problem instanceof BuildError) {
      const { message, said, symbol, missing } = problem;
      const external = declared.find(({ name }) => name === missing);
      if (external !== undefined) {
        const { name } = external;
        const why = `'${name}' has no body, and no library that is linked has it: give it a body, or another name`;
        return definite({ ...error('native/undefined', why, external.location), details: said });
      }
      const inFunction = functions.find(({ name }) => definedName(name) === symbol)?.location;
      return definite({
        ...error('native/build', `${message}${hint}`, inFunction ?? location),
        details: said,
      });
    }
    const failure = otherwise(problem instanceof Error ? problem.message : String(problem));
    if (!(problem instanceof LoadError)) return failure;
    const { said } = problem;
    return definite(...failure.diagnostics.map((each) => ({ ...each, details: said })));
  } finally {
    signal?.removeEventListener?.('abort', stop);
  }
};
