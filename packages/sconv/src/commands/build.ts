/** `sconv build`: native code of a payload, for use in other programs, or a model as a program that is loaded. */
import { readFileSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { servedTargets } from '@sconv/backend';
import type { EdgeChoice } from '@sconv/csa';
import { edgeChoices } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import type { NativeModule } from '@sconv/native';
import { buildNative, nativeBackend, nativePipeline } from '@sconv/native';
import type { InputSizes } from '@sconv/onnx';
import { Command } from 'commander';
import type { EmittedPayload, LayoutsName } from '../compile-payload.ts';
import { emitPayload } from '../compile-module.ts';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, progressOf, readSource, reportAll } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { layoutsFor } from '../model/layouts-for.ts';
import { parseSchedule } from '../parse-schedule.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { writeFile } from '../write-file.ts';
import { buildModel } from './build-model.ts';
import { parseCount } from './count-option.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { layoutsOption } from './layouts-option.ts';
import { nameOption } from './name-option.ts';
import { parseSizes } from './sizes-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetChoices, targetOf } from './target-option.ts';
import { verboseOption } from './verbose-option.ts';

/** Kinds of files; readable ones go to the standard output unless a file is named. */
const kinds = {
  so: { extension: '.so', isText: false },
  obj: { extension: '.o', isText: false },
  header: { extension: '.h', isText: true },
  'llvm-ir': { extension: '.ll', isText: true },
  mlir: { extension: '.mlir', isText: true },
} as const;

type Kind = keyof typeof kinds;

interface BuildOptions {
  readonly emit?: Kind;
  readonly target?: string;
  readonly schedule?: string;
  readonly edges?: EdgeChoice;
  readonly layouts?: LayoutsName;
  readonly sizes?: InputSizes;
  readonly threads?: number;
  readonly output?: string;
}

/** How to lower the MLIR to LLVM IR. */
const conversion = `// mlir-opt --pass-pipeline='${nativePipeline}' | mlir-translate --mlir-to-llvmir\n`;

/** The file of this kind, as text or bytes. */
const contentOf = async (
  emitted: NativeModule,
  kind: Kind,
  signal: AbortSignal,
): Promise<Diagnosed<string | Uint8Array>> => {
  if (kind === 'header') return success(emitted.header);
  if (kind === 'mlir') return success(`${conversion}${emitted.mlir}`);
  const built = await buildNative(emitted, kind, { signal });
  return mapSuccess(built, (path) => (kinds[kind].isText ? readFileSync(path, 'utf8') : readFileSync(path)));
};

/** Code that needs nothing else: no file has the bytes of a `dense_resource`. */
const withoutConstants = (
  code: NativeModule,
  { payload }: EmittedPayload['stages'],
): Diagnosed<NativeModule> => {
  const { constants = [] } = code;
  if (constants.length === 0) return success(code);
  const message =
    `the payload has constants of bytes (dense_resource), ${constants.length} of them, which would be missing in the ` +
    'file: make them arguments of the function, or dense<…>';
  return definite(error('build/constants', message, payload.root.location));
};

/** Builds with parsed options; returns the exit code. A signal leaves the output file as it was. */
const execute = async (
  path: string,
  { emit: kind = 'so', target = 'host', schedule, edges = 'best', output: named }: BuildOptions,
  output: Console,
  signal: AbortSignal,
): Promise<number> => {
  const sources: SourceFile[] = [];
  const read = (file: string): Diagnosed<SourceFile> =>
    mapSuccess(readSource(file), (source) => {
      sources.push(source);
      return source;
    });
  const progress = progressOf(output);
  progress.say('compiling');
  const registry = defaultRegistry;
  const emitted = andThen(read(path), ({ name, text }) =>
    andThen(parseModule(text, { registry, fileName: name }), (payload) =>
      andThen(
        schedule === undefined
          ? success(undefined)
          : andThen(read(schedule), (source) => parseSchedule(source, registry)),
        (script) =>
          emitPayload(payload, {
            target: targetOf(target),
            backends: [nativeBackend],
            ...(script === undefined ? { edges } : { schedule: script }),
          }),
      ),
    ),
  );
  const native = andThen(emitted, ({ emitted: code, stages }) =>
    withoutConstants(code as NativeModule, stages),
  );
  const content = native.status === 'success' ? await contentOf(native.value, kind, signal) : native;
  // Node delivers signals that arrived while it compiled in its next turn.
  await setImmediate();
  progress.end();
  if (signal.aborted) return failed;
  const result = andThen(native, () => content);
  const { extension, isText } = kinds[kind];
  const file = named ?? (isText ? undefined : `${basename(path, extname(path))}${extension}`);
  const written = andThen(result, (value) => {
    if (file !== undefined) return writeFile(file, value);
    output.out(String(value));
    return success(undefined);
  });
  reportAll(output, written.diagnostics, sources);
  return written.status === 'success' ? 0 : failed;
};

const nativeTargets: readonly string[] = [...servedTargets([nativeBackend]).map(({ name }) => name), 'host'];

/** The command `build PAYLOAD`; reports its exit code to `onExit`. */
export const buildCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('build')
    .description(
      'compile an MLIR file to native code for other programs, with a C header, or an ONNX model to a program that ' +
        'is loaded without the compiler',
    )
    .argument('<payload>', 'a file, a model (.onnx), or - for the standard input')
    .addOption(
      nameOption(
        '--emit <kind>',
        'a shared library (so, the default), an object, a header for C, LLVM IR, or MLIR before its conversion to ' +
          'the LLVM dialect',
        'kind of file',
        Object.keys(kinds),
      ),
    )
    .addOption(
      nameOption(
        '--target <name>',
        'what to compile for (default: host; for a model wasm)',
        'backend for target',
        targetChoices,
      ),
    )
    .option(...verboseOption)
    .option('--schedule <file>', 'a transform script; without one, the plan that suits the target')
    .addOption(
      nameOption(
        '--edges <how>',
        'how remainders are computed (default: best)',
        'kind of edges',
        edgeChoices,
      ),
    )
    .option(
      '--sizes <input=sizes...>',
      'sizes of inputs that a model leaves open, as in x=1x3x320x320',
      parseSizes,
    )
    .addOption(layoutsOption())
    .option('--threads <n>', 'most threads that will share out a model (default: 1)', parseCount)
    .option(
      '-o, --output <path>',
      "the folder of a model's program; else a file, by default the standard output for text, and the name of the " +
        'payload with another extension for what is none; has to be given for a model and for the standard input',
    );
  command.action(async (payload: string, options: BuildOptions) => {
    const usage = (message: string): never => command.error(`error: ${message}`, { exitCode: badUsage });
    checkStandardInput(command, [payload, options.schedule]);
    if (payload.endsWith('.onnx')) {
      const { emit, schedule, target = 'wasm', output: folder } = options;
      const [bars] = [emit && '--emit', schedule && '--schedule'].filter(Boolean);
      if (bars !== undefined) usage(`${bars} cannot be given with a model`);
      if (folder === undefined) return usage('the folder of the program has to be given with --output');
      if (target === 'wasm-relaxed' && !enableRelaxedSimd()) {
        command.error('error: this engine has no relaxed SIMD', { exitCode: failed });
      }
      const builtFor = targetOf(target);
      const {
        sizes = {},
        threads = 1,
        edges = 'best',
        layouts = layoutsFor(builtFor, { threads: options.threads ?? 1 }),
      } = options;
      const build = { target: builtFor, sizes, threads, edges, layouts, folder };
      onExit(await codeUntilInterrupted((signal) => buildModel(payload, build, output, signal)));
      return;
    }
    const [forModels] = [
      options.sizes && '--sizes',
      options.threads && '--threads',
      options.layouts && '--layouts',
    ].filter(Boolean);
    if (forModels !== undefined) usage(`${forModels} goes with models only`);
    if (options.target !== undefined && !nativeTargets.includes(options.target))
      usage(`--target ${options.target} goes with models only: of MLIR native code is built`);
    if (options.schedule !== undefined && options.edges !== undefined)
      usage('--edges cannot be given with --schedule, which determines them');
    if (payload === '-' && options.output === undefined && !kinds[options.emit ?? 'so'].isText)
      usage('the standard input, -, has no name for the file: give one with --output');
    const { output: file } = options;
    const replaced =
      file && [payload, options.schedule].find((read) => read && resolve(read) === resolve(file));
    if (replaced) usage(`--output would replace ${replaced}, which is read`);
    onExit(await codeUntilInterrupted((signal) => execute(payload, options, output, signal)));
  });
  return command;
};
