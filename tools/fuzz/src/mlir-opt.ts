/** Lets LLVM's mlir-opt read what was printed, many modules a process. */
import { spawnSync } from 'node:child_process';
import type { FoundFault } from './campaign.ts';

const command = 'mlir-opt-19';

/** Modules that one process reads. */
const batchSize = 100;

/** The first error that a process reports for these modules; undefined if it takes them all. */
const refusal = (modules: readonly string[]): string | undefined => {
  const { status, stderr, error } = spawnSync(command, ['--split-input-file', '-o', '/dev/null', '-'], {
    input: modules.join('\n// -----\n'),
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return status === 0 ? undefined : stderr;
};

/** The modules that mlir-opt refuses. */
export const refusedByMlirOpt = (modules: readonly string[]): readonly FoundFault[] => {
  const found: FoundFault[] = [];
  for (let i = 0; i < modules.length; i += batchSize) {
    const batch = modules.slice(i, i + batchSize);
    if (refusal(batch) === undefined) continue;
    for (const module of batch) {
      const message = refusal([module]);
      if (message === undefined) continue;
      const text = message.split('\n').find((line) => line.includes('error:')) ?? message;
      const fault = {
        kind: 'mlir-opt' as const,
        transform: undefined,
        message: text.replace(/^.*?error: /, ''),
      };
      found.push({ seed: 0, index: 0, times: 1, fault, payload: module, dynamicSizes: [], script: '' });
    }
  }
  return found;
};
