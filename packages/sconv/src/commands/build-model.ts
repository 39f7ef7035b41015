/** `sconv build` of a model: a program that is loaded without the compiler. */
import { setImmediate } from 'node:timers/promises';
import type { EdgeChoice } from '@sconv/csa';
import { andThen, mapSuccess } from '@sconv/diagnostics';
import type { InputSizes } from '@sconv/onnx';
import { importOnnx } from '@sconv/onnx';
import type { Target } from '@sconv/targets';
import { emitWithPauses } from '../compile-module.ts';
import type { LayoutsName } from '../compile-payload.ts';
import type { Console } from '../console.ts';
import { failed, progressOf, reportAll } from '../console.ts';
import { readModelFiles } from '../model/read-model-files.ts';
import { mainFunction } from '../model/runnable-model.ts';
import { saveModel } from '../model/save-model.ts';
import { nodeBackends } from '../node-backends.ts';
import { writeProgram } from '../program/write-program.ts';

/** What is built of a model, and where to. */
export interface ModelBuild {
  readonly target: Target;
  readonly sizes: InputSizes;
  readonly threads: number;
  readonly edges: EdgeChoice;
  readonly layouts: LayoutsName;
  readonly folder: string;
}

/** Builds; returns the exit code. A signal leaves the folder as it was. */
export const buildModel = async (
  path: string,
  { target, sizes, threads, edges, layouts, folder }: ModelBuild,
  output: Console,
  signal: AbortSignal,
): Promise<number> => {
  const progress = progressOf(output);
  progress.say('importing');
  const imported = andThen(readModelFiles(path), ({ bytes, externalData }) =>
    importOnnx(bytes, { fileName: path, inputs: sizes, externalData }),
  );
  const emitted =
    imported.status === 'success'
      ? await emitWithPauses(imported.value.module, {
          functions: [mainFunction],
          target,
          threads,
          edges,
          layouts,
          signal,
          backends: nodeBackends,
          onStep: (step) => {
            progress.say(step === 'schedule' ? 'scheduling' : 'compiling');
          },
        })
      : imported;
  progress.say('packing');
  const model = andThen(imported, ({ inputs, outputs }) =>
    mapSuccess(emitted, (compiled) => ({ inputs, outputs, compiled })),
  );
  const saved = model.status === 'success' ? await saveModel(model.value, { threads, signal }) : model;
  // Node delivers signals that arrived while it compiled in its next turn.
  await setImmediate();
  progress.end();
  if (signal.aborted) return failed;
  const written = andThen(model, () => andThen(saved, (files) => writeProgram(folder, files)));
  reportAll(output, written.diagnostics, []);
  return written.status === 'success' ? 0 : failed;
};
