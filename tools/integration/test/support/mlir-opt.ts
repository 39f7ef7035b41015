/** LLVM 19's `mlir-opt`, if installed. */
import { spawnSync } from 'node:child_process';

const command = 'mlir-opt-19';

/** Whether `mlir-opt-19` is available; otherwise tests that need it are listed as skipped. */
export const hasMlirOpt: boolean = spawnSync(command, ['--version']).status === 0;

/** The output of `mlir-opt-19` for each module; throws its diagnostics if it refuses one. */
export const mlirOpt = (modules: readonly string[], flags: readonly string[] = []): readonly string[] => {
  const { status, stdout, stderr } = spawnSync(command, ['--split-input-file', ...flags, '-'], {
    input: modules.join('\n// -----\n'),
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('// -----\n');
};

/** The complaint of `mlir-opt-19` about a module. */
export const refusalOf = (module: string): string =>
  spawnSync(command, ['-'], { input: module, encoding: 'utf8' }).stderr;
