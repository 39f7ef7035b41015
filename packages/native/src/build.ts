/** Sources to a shared library, which is kept for the next time. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NativeModule } from './native-module.ts';
import type { Toolchain } from './toolchain.ts';

const run = promisify(execFile);

/** Upstream's conversions, from loops over vectors to the LLVM dialect. */
const pipeline = `builtin.module(${[
  'func.func(convert-linalg-to-loops)',
  'canonicalize',
  'expand-strided-metadata',
  'lower-affine',
  'func.func(arith-expand)',
  'convert-scf-to-cf',
  'convert-vector-to-llvm',
  'convert-math-to-llvm',
  'convert-math-to-libm',
  'finalize-memref-to-llvm',
  'convert-func-to-llvm',
  'convert-arith-to-llvm',
  'convert-cf-to-llvm',
  'reconcile-unrealized-casts',
  'canonicalize',
  'cse',
].join(',')})`;

/** A step of a build that did not succeed: what the tool says of it. */
export class BuildError extends Error {
  readonly tool: string;
  constructor(tool: string, message: string) {
    super(message);
    this.tool = tool;
  }
}

/** Where libraries are kept: only this user can write there. */
const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sconv', 'native');

const flags = ['-O3', '-shared', '-fPIC', '-fvisibility=hidden', '-fno-math-errno', '-Wno-override-module'];

/**
 * The path of the library that a module is built to. It is built once: its name is a digest of all that goes into it, and it is
 * put in its place complete, so that processes may build it at the same time. Throws a `BuildError`; a signal stops the tools.
 */
export const buildLibrary = async (
  module: NativeModule,
  toolchain: Toolchain,
  signal: AbortSignal,
): Promise<string> => {
  const parts = [module.mlir, module.stubs, module.arguments, pipeline, flags, toolchain.version];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const folder = cacheFolder();
  const library = join(folder, `${digest}.so`);
  if (await exists(library)) return library;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const work = join(folder, `${digest}.${randomUUID()}`);
  await mkdir(work, { mode: 0o700 });
  try {
    const file = (name: string): string => join(work, name);
    await writeFile(file('in.mlir'), module.mlir);
    await writeFile(file('stubs.c'), module.stubs);
    const tool = async (name: keyof Toolchain['paths'], ...words: readonly string[]): Promise<void> => {
      try {
        await run(toolchain.paths[name], [...words], { maxBuffer: 1 << 26, signal });
      } catch (problem) {
        const { stderr } = problem as { readonly stderr?: string };
        const said = stderr === undefined || stderr === '' ? String(problem) : stderr;
        throw new BuildError(name, said.slice(0, 4000));
      }
    };
    await tool('mlir-opt', `--pass-pipeline=${pipeline}`, file('in.mlir'), '-o', file('llvm.mlir'));
    await tool('mlir-translate', '--mlir-to-llvmir', file('llvm.mlir'), '-o', file('code.ll'));
    await tool(
      'clang',
      ...module.arguments,
      ...flags,
      file('code.ll'),
      file('stubs.c'),
      '-lm',
      '-o',
      file('library.so'),
    );
    await synced(file('library.so'));
    await rename(file('library.so'), library);
    return library;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

const exists = async (path: string): Promise<boolean> => {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
};

/** Waits until a file is on the disk: a name must not lead to half of it after a crash. */
const synced = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
