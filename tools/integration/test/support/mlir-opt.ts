/** LLVM 19's `mlir-opt`, where the machine has it. */
import { spawnSync } from 'node:child_process';

const command = 'mlir-opt-19';

/** Whether `mlir-opt-19` can be run; tests that need it are skipped otherwise, and listed as skipped. */
export const hasMlirOpt: boolean = spawnSync(command, ['--version']).status === 0;

/** What `mlir-opt-19` prints for each module; throws with its diagnostics if it refuses one. */
export const mlirOpt = (modules: readonly string[], flags: readonly string[] = []): readonly string[] => {
  const { status, stdout, stderr } = spawnSync(command, ['--split-input-file', ...flags, '-'], {
    input: modules.join('\n// -----\n'),
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('// -----\n');
};

/** What `mlir-opt-19` says of a module that it refuses. */
export const refusalOf = (module: string): string =>
  spawnSync(command, ['-'], { input: module, encoding: 'utf8' }).stderr;
