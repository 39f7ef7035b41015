/** `sconv bench --models`: whole models, beside another runtime. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, mapSuccess, success } from '@sconv/diagnostics';
import type { InputSizes } from '@sconv/onnx';
import { readOnnx } from '@sconv/onnx';
import type { RunApart } from '../bench/bench-models.ts';
import { benchModels, hasFailed } from '../bench/bench-models.ts';
import type { ModelsReport } from '../bench/models-report.ts';
import { modelsJson, modelsMarkdown, modelsText } from '../bench/models-report.ts';
import { thisMachine } from '../bench/this-machine.ts';
import type { Console } from '../console.ts';
import { failed, progressOf, readBytes, reportAll } from '../console.ts';
import { writeFile } from '../write-file.ts';

/** The options of the command that are for models. */
export interface ModelsOptions {
  readonly models: readonly string[];
  readonly sizes?: InputSizes;
  readonly compare?: string;
  readonly peersFrom: readonly string[];
  readonly tolerance?: number;
  readonly target: string;
  readonly starts: number;
  readonly samples: number;
  readonly json?: true;
  readonly markdown?: string;
}

/** The words of `sconv run` for a model: sizes of those inputs that it has. */
const wordsOf = (path: string, options: ModelsOptions): Diagnosed<readonly string[]> => {
  const { sizes = {}, compare, peersFrom, tolerance, target, samples } = options;
  const beside =
    compare === undefined
      ? []
      : [
          ...['--compare', compare, '--peers-from', ...peersFrom],
          ...(tolerance === undefined ? [] : ['--tolerance', String(tolerance)]),
        ];
  const words = ['--target', target, '--repeat', String(samples), ...beside];
  const given = Object.entries(sizes);
  if (given.length === 0) return success(words);
  return mapSuccess(andThen(readBytes(path), readOnnx), ({ graph }) => {
    const names = new Set(graph?.input.map(({ name }) => name));
    const own = given.filter(([name]) => names.has(name));
    return own.length === 0
      ? words
      : [...words, '--sizes', ...own.map(([name, each]) => `${name}=${each.join('x')}`)];
  });
};

/** Measures models; returns the exit code. */
export const benchModelFiles = async (
  options: ModelsOptions,
  output: Console,
  signal: AbortSignal,
  run?: RunApart,
): Promise<number> => {
  const { models: paths, target, compare, starts, samples } = options;
  const progress = progressOf(output);
  const requested = collect(paths, (path) =>
    mapSuccess(wordsOf(path, options), (words) => ({ path, words })),
  );
  if (requested.status !== 'success') {
    reportAll(output, requested.diagnostics, []);
    return failed;
  }
  const models = await benchModels({
    models: requested.value,
    starts,
    signal,
    onProgress: progress.say,
    ...(run === undefined ? {} : { run }),
  });
  progress.end();
  for (const row of models) if (hasFailed(row)) output.err(row.text);
  const report: ModelsReport = {
    conditions: { ...thisMachine(), target, peer: compare ?? null, starts, samples },
    models,
    interrupted: signal.aborted,
  };
  const written =
    options.markdown === undefined ? success(undefined) : writeFile(options.markdown, modelsMarkdown(report));
  reportAll(output, written.diagnostics, []);
  output.out(options.json === true ? modelsJson(report, written.diagnostics) : modelsText(report));
  const isRight = models.every((row) => !hasFailed(row) && row.peer?.agrees !== false);
  return isRight && written.status === 'success' ? 0 : failed;
};
