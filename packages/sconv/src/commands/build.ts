/** `sconv build`: native code of a payload, for use in other programs. */
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
import { Command } from 'commander';
import type { EmittedPayload } from '../compile-payload.ts';
import { emitPayload } from '../compile-module.ts';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, progressOf, readSource, reportAll } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { parseSchedule } from '../parse-schedule.ts';
import { writeFile } from '../write-file.ts';
import { codeUntilInterrupted } from './interrupt.ts';
import { nameOption } from './name-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetOf } from './target-option.ts';
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
  readonly emit: Kind;
  readonly target: string;
  readonly schedule?: string;
  readonly edges?: EdgeChoice;
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
  { emit: kind, target, schedule, edges = 'best', output: named }: BuildOptions,
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

/** The command `build PAYLOAD`; reports its exit code to `onExit`. */
export const buildCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('build')
    .description('compile an MLIR file to native code for other programs, with a C header')
    .argument('<payload>', 'a file, or - for the standard input')
    .addOption(
      nameOption(
        '--emit <kind>',
        'a shared library, an object, a header for C, LLVM IR, or MLIR before its conversion to the LLVM dialect',
        'kind of file',
        Object.keys(kinds),
      ).default('so'),
    )
    .addOption(
      nameOption('--target <name>', 'what to compile for', 'native target', [
        ...servedTargets([nativeBackend]).map(({ name }) => name),
        'host',
      ]).default('host'),
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
      '-o, --output <file>',
      'default: the standard output for text, else the name of the payload with another extension; has to be given ' +
        'for the standard input',
    );
  command.action(async (payload: string, options: BuildOptions) => {
    checkStandardInput(command, [payload, options.schedule]);
    if (options.schedule !== undefined && options.edges !== undefined) {
      command.error('error: --edges cannot be given with --schedule, which determines them', {
        exitCode: badUsage,
      });
    }
    if (payload === '-' && options.output === undefined && !kinds[options.emit].isText) {
      command.error('error: the standard input, -, has no name for the file: give one with --output', {
        exitCode: badUsage,
      });
    }
    const { output: file } = options;
    const replaced =
      file && [payload, options.schedule].find((read) => read && resolve(read) === resolve(file));
    if (replaced) {
      command.error(`error: --output would replace ${replaced}, which is read`, { exitCode: badUsage });
    }
    onExit(await codeUntilInterrupted((signal) => execute(payload, options, output, signal)));
  });
  return command;
};
