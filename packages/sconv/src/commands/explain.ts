/** `sconv explain`: what each step of a schedule did to a payload. */
import type { RunDocument, TraceDocument } from '@sconv/explain';
import { bisect, explanationPage, printExplanation, recordRun, traceVersion } from '@sconv/explain';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import { Command, InvalidArgumentError } from 'commander';
import { runSchedule } from '@sconv/transform';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, reportAll } from '../console.ts';
import { defaultRegistry as registry } from '../default-registry.ts';
import { bisectionSummary } from '../explain/bisection-summary.ts';
import type { ParsedFile } from '../explain/read-input.ts';
import { paint } from '../explain/paint.ts';
import { ownSchedule, readPayload, readScript } from '../explain/read-input.ts';
import { wasmExecution } from '../explain/wasm-execution.ts';
import { writeReproduction } from '../explain/write-reproduction.ts';
import { jsonDocument } from '../json-document.ts';
import { writeFile } from '../write-file.ts';
import { givenOption } from './given-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetOf, targetOption } from './target-option.ts';

interface ExplainOptions {
  readonly schedule?: string;
  readonly against?: string;
  readonly target: string;
  readonly step?: readonly [number, number];
  readonly op?: string;
  readonly function?: string;
  readonly unfold?: true;
  readonly times: boolean;
  readonly json?: true;
  readonly html?: string;
  readonly bisect?: true;
  readonly reproduce?: string;
  readonly work?: number;
}

/** A payload with its schedule, and another to compare with. */
interface Input {
  readonly payload: ParsedFile;
  readonly script: ParsedFile;
  readonly other: ParsedFile | undefined;
}

const readInput = (path: string, options: ExplainOptions, sources: SourceFile[]): Diagnosed<Input> =>
  andThen(readPayload(path, sources), (payload) =>
    andThen(
      options.schedule === undefined
        ? ownSchedule(payload.module, targetOf(options.target), sources)
        : readScript(options.schedule, sources),
      (script) =>
        mapSuccess(
          options.against === undefined ? success(undefined) : readScript(options.against, sources),
          (other) => ({ payload, script, other }),
        ),
    ),
  );

const record = (
  payload: ParsedFile,
  script: ParsedFile,
  { times, html }: ExplainOptions,
): ReturnType<typeof recordRun> =>
  recordRun(script.module, payload.module, {
    registry,
    times: times && html === undefined,
    payloadSource: payload.source,
    scheduleSource: script.source,
  });

/** Explains; returns the exit code. */
const explainRuns = (
  { payload, script, other }: Input,
  options: ExplainOptions,
  sources: readonly SourceFile[],
  output: Console,
): number => {
  const scripts = other === undefined ? [script] : [script, other];
  const runs = scripts.map((each) => record(payload, each, options));
  const documents = runs.map(({ document }) => document);
  const trace: TraceDocument = { version: traceVersion, runs: documents };
  const written =
    options.html === undefined ? success(undefined) : writeFile(options.html, explanationPage(trace));
  reportAll(output, written.diagnostics, sources);
  if (options.json === true) output.out(jsonDocument(trace));
  else if (options.html === undefined)
    documents.forEach((run) => {
      output.out(explanation(run, documents.length > 1, options, output));
    });
  for (const { result } of runs)
    reportAll(output, result.status === 'success' ? [] : result.diagnostics, sources);
  return written.status === 'success' && runs.every(({ result }) => result.status === 'success') ? 0 : failed;
};

const explanation = (
  run: RunDocument,
  isOneOfTwo: boolean,
  options: ExplainOptions,
  { hasColors = false }: Console,
): string => {
  const heading = isOneOfTwo ? `${run.schedule.name}:\n` : '';
  return (
    heading +
    printExplanation(run, {
      unfolded: options.unfold === true,
      ...(hasColors ? { paint } : {}),
      ...(options.step === undefined ? {} : { steps: options.step }),
      ...(options.op === undefined ? {} : { op: options.op }),
      ...(options.function === undefined ? {} : { function: options.function }),
    })
  );
};

/** Searches for the step that makes the result wrong; returns the exit code. */
const bisectRun = (
  { payload, script, other }: Input,
  { work, json }: ExplainOptions,
  sources: readonly SourceFile[],
  output: Console,
): number => {
  const reference =
    other === undefined ? success(undefined) : runSchedule(other.module, payload.module, { registry });
  const found = andThen(reference, (right) =>
    bisect(script.module, payload.module, {
      registry,
      execute: wasmExecution(work),
      ...(right === undefined ? {} : { reference: right.module }),
      ...(work === undefined ? {} : { maxOperations: work }),
    }),
  );
  reportAll(output, found.diagnostics, sources);
  if (found.status !== 'success') return failed;
  const { fault, changes, executions, failure = [], failedStep } = found.value;
  reportAll(output, failure, sources);
  if (fault !== undefined) reportAll(output, [fault.diagnostic], sources);
  output.out(
    json === true
      ? jsonDocument({ changes, executions, step: fault?.number ?? null, failedStep: failedStep ?? null })
      : `${bisectionSummary(found.value)}\n`,
  );
  return fault === undefined && failure.length === 0 ? 0 : failed;
};

const execute = (path: string, options: ExplainOptions, output: Console): number => {
  const sources: SourceFile[] = [];
  const input = readInput(path, options, sources);
  reportAll(output, input.diagnostics, sources);
  if (input.status !== 'success') return failed;
  const { payload, script } = input.value;
  if (options.reproduce !== undefined) {
    const written = writeReproduction(
      options.reproduce,
      { payload: payload.module, script: script.module },
      {
        bisect: options.bisect === true,
        ...(options.work === undefined ? {} : { maxOperations: options.work }),
      },
    );
    reportAll(output, written.diagnostics, sources);
    if (written.status !== 'success') return failed;
    output.out(`${options.reproduce}: ${written.value.command}\n`);
    return 0;
  }
  return options.bisect === true
    ? bisectRun(input.value, options, sources, output)
    : explainRuns(input.value, options, sources, output);
};

/** Parses `7` or `7-12`. */
const parseSteps = (text: string): readonly [number, number] => {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  if (from === undefined || Number(to ?? from) < Number(from) || Number(from) < 1)
    throw new InvalidArgumentError('expected a number from 1, or two in order, as in 7-12');
  return [Number(from), Number(to ?? from)];
};

/** Parses a number of operations. */
const parseWork = (text: string): number => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number from 1 to 10^15');
};

/** Options that only the explanation of steps has. */
const explanationOptions = ['step', 'op', 'function', 'unfold'];

/** Further options that each way of showing does without. */
const surplusWith = { reproduce: ['json', 'html', 'against'], bisect: ['html'], html: [], json: [] };

/** The command `explain PAYLOAD`; reports its exit code to `onExit`. */
export const explainCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('explain')
    .description('show what each step of a schedule does to a payload, or find the step that makes it wrong')
    .argument('<payload>', 'an MLIR file, or - for the standard input')
    .option('--schedule <file>', "a transform script; without one, the target's own")
    .addOption(targetOption())
    .option('--against <file>', 'another schedule: explained, too, or what --bisect takes for right')
    .option('--step <n>', 'only the steps of these numbers, as in 7 or 7-12', parseSteps)
    .option('--op <name>', 'only changes of payload ops of this name, as in scf.for or linalg.*')
    .option('--function <name>', 'only changes within this function')
    .option('--unfold', 'list each step that changes nothing')
    .option('--no-times', 'leave out how long steps took')
    .option('--json', 'the trace as one JSON document')
    .option(
      '--html <file>',
      'write a page that shows the trace, without times: it needs nothing else, and no network',
    )
    .option(
      '--bisect',
      'execute few states of the payload to find the first step after which it computes something else',
    )
    .option(
      '--work <n>',
      'with --bisect: the most operations of one execution (default: 10^10 compiled, 10^8 interpreted)',
      parseWork,
    )
    .option('--reproduce <folder>', 'write the smallest run that fails alike: payload, schedule, command');
  command.action((payload: string, options: ExplainOptions) => {
    checkStandardInput(command, [payload, options.schedule, options.against]);
    const mode = (['reproduce', 'bisect', 'html', 'json'] as const).find(
      (name) => options[name] !== undefined,
    );
    const surplus =
      mode === undefined ? undefined : givenOption(command, [...explanationOptions, ...surplusWith[mode]]);
    if (surplus !== undefined) {
      command.error(`error: ${surplus} cannot be given with --${mode ?? ''}`, { exitCode: badUsage });
    }
    if (options.work !== undefined && options.bisect === undefined) {
      command.error('error: --work goes with --bisect only', { exitCode: badUsage });
    }
    onExit(execute(payload, options, output));
  });
  return command;
};
