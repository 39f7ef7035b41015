/** `sconv explain --reproduce FOLDER`: the smallest run that fails as a given one does, as files. */
import { join } from 'node:path';
import type { BisectOptions } from '@sconv/explain';
import { bisect, reduceRun } from '@sconv/explain';
import type { RunInput } from '@sconv/explain';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, render, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule, tryPrintModule } from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import { defaultRegistry as registry } from '../default-registry.ts';
import { wasmExecution } from './wasm-execution.ts';
import { makeFolder, writeFile } from '../write-file.ts';

/** How a run fails: of itself, or by its results. */
export interface ReproductionOptions extends Pick<BisectOptions, 'maxOperations'> {
  readonly bisect: boolean;
}

/** What was written. */
export interface Reproduction {
  readonly command: string;
  readonly diagnostic: Diagnostic;
}

const payloadFile = 'payload.mlir';
const scheduleFile = 'schedule.mlir';

/**
 * Writes payload, schedule, the command and what it reports into a folder, which is created where there is none. Fails
 * definitely with `explain/no-fault` where nothing is wrong.
 */
export const writeReproduction = (
  folder: string,
  input: RunInput,
  options: ReproductionOptions,
): Diagnosed<Reproduction> => {
  const problemOf = (run: RunInput): Diagnostic | undefined => firstProblem(run, options);
  const reduced = reduceRun(input, { registry, problemOf });
  if (reduced === undefined) {
    const message =
      'there is nothing to reproduce: no step fails, and none changes what the payload computes';
    const seen = options.bisect ? message : 'there is nothing to reproduce: the schedule does not fail';
    return definite(error('explain/no-fault', seen, input.payload.root.location));
  }
  return andThen(asFiles(reduced), ({ payload, schedule, run }) => {
    const diagnostic = problemOf(run) ?? reduced.problem;
    const command = `npx sconv explain ${payloadFile} --schedule ${scheduleFile}${options.bisect ? ' --bisect' : ''}`;
    const files: readonly (readonly [string, string])[] = [
      [payloadFile, payload],
      [scheduleFile, schedule],
      ['command.txt', `${command}\n`],
      ['diagnostic.txt', `${render(diagnostic)}\n`],
    ];
    return files.reduce<Diagnosed<Reproduction>>(
      (written, [name, text]) =>
        andThen(written, (value) => mapSuccess(writeFile(join(folder, name), text), () => value)),
      mapSuccess(makeFolder(folder), () => ({ command, diagnostic })),
    );
  });
};

const firstProblem = (
  { script, payload }: RunInput,
  { bisect: executes, maxOperations }: ReproductionOptions,
): Diagnostic | undefined => {
  if (!executes) {
    const ran = runSchedule(script, payload, { registry });
    return ran.status === 'success'
      ? undefined
      : ran.diagnostics.find(({ severity }) => severity === 'error');
  }
  const limit = maxOperations === undefined ? {} : { maxOperations };
  const found = bisect(script, payload, { registry, execute: wasmExecution(maxOperations), ...limit });
  return found.status === 'success' ? found.value.fault?.diagnostic : undefined;
};

/** The texts, and what is parsed from them: positions in diagnostics are those in the files. */
const asFiles = ({
  script,
  payload,
}: RunInput): Diagnosed<{ readonly payload: string; readonly schedule: string; readonly run: RunInput }> =>
  andThen(reread(payload, payloadFile), (first) =>
    mapSuccess(reread(script, scheduleFile), (second) => ({
      payload: first.text,
      schedule: second.text,
      run: { payload: first.module, script: second.module },
    })),
  );

const reread = (
  module: Module,
  fileName: string,
): Diagnosed<{ readonly text: string; readonly module: Module }> =>
  andThen(tryPrintModule(module, { registry, resources: 'hexadecimal' }), (text) =>
    andThen(parseModule(text, { registry, fileName }), (read) => success({ text, module: read })),
  );
