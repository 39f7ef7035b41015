/** LLVM's mlir-opt: whether it accepts printed modules, and what its passes make of them, many per process. */
import { spawnSync } from 'node:child_process';
import type { FoundFault } from './campaign.ts';

const command = 'mlir-opt-19';

/** Modules per process. */
const batchSize = 200;

const separator = '// -----';

/** Whether it is installed. */
export const hasMlirOpt = (): boolean => spawnSync(command, ['--version']).status === 0;

const inBatches = (modules: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(modules.length / batchSize) }, (_, batch) =>
    modules.slice(batch * batchSize, (batch + 1) * batchSize),
  );

const runBatch = (input: string, ...options: readonly string[]) => {
  const outcome = spawnSync(command, ['--split-input-file', ...options, '-'], {
    input,
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (outcome.error !== undefined) throw outcome.error;
  return outcome;
};

const joined = (modules: readonly string[]): string => modules.join(`\n${separator}\n`);

/** What these passes make of the modules. Throws if mlir-opt fails. */
export const optimizedByMlirOpt = (
  modules: readonly string[],
  ...passes: readonly string[]
): readonly string[] =>
  inBatches(modules).flatMap((batch) => {
    const { status, stdout, stderr } = runBatch(joined(batch), ...passes);
    if (status !== 0) throw new Error(`${command}: ${stderr.slice(0, 2000)}`);
    return stdout.split(`${separator}\n`);
  });

/** The errors for a batch of modules, by position; empty if all are accepted. */
const refusals = (modules: readonly string[]): ReadonlyMap<number, string> => {
  const input = joined(modules);
  const { status, stderr } = runBatch(input, '-o', '/dev/null');
  const found = new Map<number, string>();
  if (status === 0) return found;
  // A part begins at the line of the preceding separator, the first one at line 1.
  const starts = [1, ...input.split('\n').flatMap((line, i) => (line === separator ? [i + 1] : []))];
  for (const [, line, message] of stderr.matchAll(/within split at .*?:(\d+) offset .*?error: (.*)/g)) {
    const position = starts.indexOf(Number(line));
    if (!found.has(position)) found.set(position, message!);
  }
  return found.size > 0 ? found : refusalsOfHalves(modules, stderr);
};

/** The errors if the process does not tell which module they are for. */
const refusalsOfHalves = (modules: readonly string[], stderr: string): ReadonlyMap<number, string> => {
  if (modules.length === 1) return new Map([[0, stderr.split('\n', 1)[0]!]]);
  const half = modules.length >> 1;
  const upper = [...refusals(modules.slice(half))].map(([i, message]) => [half + i, message] as const);
  return new Map([...refusals(modules.slice(0, half)), ...upper]);
};

/** The modules that mlir-opt refuses. */
export const refusedByMlirOpt = (modules: readonly string[]): readonly FoundFault[] =>
  inBatches(modules).flatMap((batch) =>
    [...refusals(batch)].map(([position, message]): FoundFault => {
      const fault = { kind: 'mlir-opt' as const, transform: undefined, message };
      return { seed: 0, index: 0, times: 1, fault, payload: batch[position]!, dynamicSizes: [], script: '' };
    }),
  );
