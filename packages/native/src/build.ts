/** Builds libraries and programs, each once. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, isKept, keep, openCache, problemIn, spaceProblem } from './cache.ts';
import type { Emulator } from './emulator.ts';
import type { NativeModule } from './native-module.ts';
import { programFor } from './program.ts';
import { pruneAfterBuild } from './prune-cache.ts';
import type { StopSignal } from './stop-signal.ts';
import type { ToolName, Toolchain } from './toolchain.ts';

const run = promisify(execFile);

/** Upstream's conversions from loops over vectors to the LLVM dialect: the `--pass-pipeline` of `mlir-opt`. */
export const nativePipeline = `builtin.module(${[
  'func.func(lower-vector-multi-reduction)',
  // Transfers of more than one dimension, as vectorized schedules have.
  'func.func(convert-vector-to-scf{full-unroll=true})',
  'canonicalize',
  'expand-strided-metadata',
  'lower-affine',
  'convert-scf-to-cf',
  'convert-math-to-llvm',
  // Takes vectors apart, by operations of vector.
  'convert-math-to-libm',
  'convert-vector-to-llvm',
  'finalize-memref-to-llvm',
  'convert-func-to-llvm',
  'convert-arith-to-llvm',
  'convert-cf-to-llvm',
  'reconcile-unrealized-casts',
  'canonicalize',
  'cse',
].join(',')})`;

/** A failed build step. */
export class BuildError extends Error {
  /** What the tool said, with paths of the cache. */
  readonly said: string;
  /** The symbol of the function that it failed on, if that is known. */
  readonly symbol: string | undefined;
  /** The symbol that no library has, if that is why. */
  readonly missing: string | undefined;
  constructor(message: string, said: string, symbol?: string, missing?: string) {
    super(message);
    this.said = said;
    this.symbol = symbol;
    this.missing = missing;
  }
}

/** The signal for the next tool. Throws if the caller has stopped the build. */
export type Proceed = () => StopSignal;

const flags = ['-O3', '-fno-math-errno', '-Wno-override-module', '-fno-crash-diagnostics'];
const libraryFlags = ['-shared', '-fPIC', '-fvisibility=hidden', '-pthread'];

/** Refuses symbols that no library has: loading would fail. OpenBLAS may be somewhere else than here. */
const refuseMissing = ({ kernels }: NativeModule, others: readonly string[]): readonly string[] =>
  kernels.length > 0 && others.length === 0 ? [] : ['-Wl,-z,defs'];

/**
 * Builds a module into a library, linked with `libraries`, and returns its path. Throws a `BuildError`, and
 * whatever `proceed` throws, which it asks before each tool and at the end.
 */
export const buildLibrary = (
  module: NativeModule,
  others: readonly string[],
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<string> =>
  build(
    {
      module,
      name: 'library.so',
      sources: { 'stubs.c': module.stubs },
      flags: [...libraryFlags, ...refuseMissing(module, others)],
      libraries: [...others.flatMap((path) => [path, `-Wl,-rpath,${dirname(path)}`]), '-lm', '-ldl'],
    },
    toolchain,
    proceed,
  );

/** Output files for other programs: a shared library, a linkable object, LLVM IR. */
export type BuiltKind = 'so' | 'obj' | 'llvm-ir';

/**
 * Builds a module into a cached file and returns its path; a shared library is linked with `libraries`. Throws as
 * `buildLibrary` does.
 */
export const buildFile = (
  module: NativeModule,
  kind: BuiltKind,
  libraries: readonly string[],
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<string> => {
  const sources = { 'stubs.c': module.stubs };
  switch (kind) {
    case 'so':
      return buildLibrary(module, libraries, toolchain, proceed);
    case 'obj':
      return build(
        {
          module,
          name: 'module.o',
          sources,
          flags: ['-r', '-nostdlib', '-fPIC', '-fvisibility=hidden'],
          // Whoever links the object links them.
          libraries: [],
        },
        toolchain,
        proceed,
      );
    case 'llvm-ir':
      return build({ module, name: translated, sources: {}, flags: [], libraries: [] }, toolchain, proceed);
  }
};

/** The translated LLVM IR. */
const translated = 'code.ll';

/** Builds a module into a program for an emulator; returns its path. Throws as `buildLibrary` does. */
export const buildProgram = (
  module: NativeModule,
  emulator: Emulator,
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<string> => {
  const stubs = `#define SCONV_PROGRAM\n${module.stubs}`;
  const sources = { 'stubs.c': stubs, 'main.c': programFor(module), ...emulator.sources };
  return build({ ...emulator, module, name: 'code.program', sources }, toolchain, proceed);
};

/** A link target. */
interface Linked {
  readonly module: NativeModule;
  /** The file name; the cached file has its extension. */
  readonly name: string;
  /** Further source files for clang, by name. */
  readonly sources: Readonly<Record<string, string>>;
  /** Target-specific clang flags, and libraries. */
  readonly flags: readonly string[];
  readonly libraries: readonly string[];
  /** A linker script. */
  readonly layout?: string;
}

/** How Node reports the end of a tool. */
interface ToolEnd {
  readonly code?: number | string | null;
  readonly signal?: string | null;
}

/** The failure of a tool: its status, and the operation that it names by a line of its input, which is in `folder`. */
const toolError = async (
  tool: ToolName,
  { code, signal }: ToolEnd,
  said: string,
  folder: string,
): Promise<BuildError> => {
  const status = signal
    ? `signal ${signal}`
    : typeof code === 'number'
      ? `exit status ${code}`
      : String(code);
  const [, input, line] = /\b((?:in|llvm)\.mlir):(\d+):\d+: error/.exec(said) ?? [];
  const text = input === undefined ? '' : await readFile(join(folder, input), 'utf8');
  const lines = text.split('\n').slice(0, Number(line ?? 0));
  const operation = /^\s*(?:%[^=]*= )?"?([a-z_]\w*(?:\.\w+)+)/.exec(lines.at(-1) ?? '')?.[1];
  const [, symbol] =
    /@([\w.$]+)/.exec(lines.findLast((each) => /^\s*(?:func|llvm)\.func/.test(each)) ?? '') ?? [];
  const on = operation === undefined ? '' : ` on '${operation}'`;
  const [, missing] = /undefined (?:reference to [`']|symbol: )([\w.$]+)/.exec(said) ?? [];
  return new BuildError(`${tool} fails${on} (${status})`, said.slice(0, 4000), symbol, missing);
};

/**
 * Builds a module once and returns the path. The name is a digest of all inputs, and the file is moved into place
 * when complete, so concurrent builds are safe. Throws a `BuildError`, and whatever `proceed` throws.
 */
const build = async (
  { module, name, sources, flags: own, libraries, layout }: Linked,
  toolchain: Toolchain,
  proceed: Proceed,
): Promise<string> => {
  const parts = [
    ...[module.mlir, sources, layout, module.arguments, nativePipeline],
    ...[flags, own, libraries, toolchain.version],
  ];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const folder = cacheFolder();
  const kept = join(folder, `${digest}${extname(name)}`);
  await openCache(folder);
  if (await isKept(kept)) {
    proceed();
    return kept;
  }
  const work = join(folder, `${digest}.${randomUUID()}`);
  try {
    await mkdir(work, { mode: 0o700 });
    const file = (each: string): string => join(work, each);
    await writeFile(file('in.mlir'), module.mlir);
    for (const [each, text] of Object.entries(sources)) await writeFile(file(each), text);
    const tool = async (each: keyof Toolchain['paths'], ...words: readonly string[]): Promise<void> => {
      const signal = proceed();
      try {
        await run(toolchain.paths[each], [...words], { maxBuffer: 1 << 26, signal });
      } catch (problem) {
        const { stderr } = problem as { readonly stderr?: string };
        const said = stderr === undefined || stderr === '' ? String(problem) : stderr;
        throw spaceProblem(folder, said) ?? (await toolError(each, problem as ToolEnd, said, work));
      }
    };
    await tool('mlir-opt', `--pass-pipeline=${nativePipeline}`, file('in.mlir'), '-o', file('llvm.mlir'));
    await tool('mlir-translate', '--mlir-to-llvmir', file('llvm.mlir'), '-o', file(translated));
    if (layout !== undefined) await writeFile(file('layout.ld'), layout);
    if (name !== translated) {
      const words = layout === undefined ? own : [...own, `-Wl,-T,${file('layout.ld')}`];
      const inputs = [file(translated), ...Object.keys(sources).map(file), ...libraries];
      await tool('clang', ...module.arguments, ...flags, ...words, ...inputs, '-o', file(name));
    }
    await keep(file(name), kept);
    await pruneAfterBuild(folder);
    proceed();
    return kept;
  } catch (problem) {
    throw problemIn(folder, problem);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};
