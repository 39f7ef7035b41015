/** The passes that `sconv-opt` offers, under the names and with the options that `mlir-opt` has. */
import { oneShotBufferize } from '@sconv/bufferization';
import type { Diagnosed } from '@sconv/diagnostics';
import {
  andThen,
  collect,
  definite,
  didYouMean,
  error,
  mapSuccess,
  success,
  unknownLocation,
  unknownName,
} from '@sconv/diagnostics';
import type { Module, Pass, Registry } from '@sconv/ir';
import { children, edit, symbolNameOf } from '@sconv/ir';
import type { TraceObserver } from '@sconv/transform';
import { entryPoint, findSequence, runSchedule } from '@sconv/transform';
import type { SourceFile } from '../console.ts';
import { parseSchedule } from '../parse-schedule.ts';

/** Options of a pass as text, by their names. */
export type PassOptions = Readonly<Record<string, string>>;

/** What the passes of one pipeline share. */
export interface PassSession {
  /** Reads a file that an option names; diagnostics can show its lines from then on. */
  readonly readFile: (path: string) => Diagnosed<SourceFile>;
  /** Is told of the steps of schedules; undefined where nobody asks. */
  readonly trace: TraceObserver | undefined;
  /** What `transform-preload-library` has read; later passes see it. */
  library: Module | undefined;
}

/** An option of a pass. */
interface PassOption {
  readonly help: string;
  /** What it may be, the default first; undefined: any text. */
  readonly texts?: readonly [string, ...string[]];
}

/** A pass as the command line has it. */
export interface PassDeclaration {
  /** As upstream calls it where it prints the IR. */
  readonly title: string;
  readonly help: string;
  readonly options: Readonly<Record<string, PassOption>>;
  /** The work of the pass; the options have been checked, and those that were not given have their defaults. */
  readonly create: (options: PassOptions, session: PassSession) => Pass['run'];
}

export const passNames = [
  'transform-interpreter',
  'transform-preload-library',
  'one-shot-bufferize',
] as const;

export type PassName = (typeof passNames)[number];

/** Parses the schedules of a file. */
export const readSchedule = (
  path: string,
  registry: Registry,
  { readFile }: Pick<PassSession, 'readFile'>,
): Diagnosed<Module> => andThen(readFile(path), (file) => parseSchedule(file, registry));

/** Runs the entry point of a script on a payload. */
export const applySchedule = (
  script: Module,
  payload: Module,
  entry: string,
  registry: Registry,
  { trace }: Pick<PassSession, 'trace'>,
): Diagnosed<Module> =>
  mapSuccess(
    runSchedule(script, payload, {
      registry,
      entryPoint: entry,
      ...(trace === undefined ? {} : { trace }),
    }),
    ({ module }) => module,
  );

/** The module that holds the sequence: the payload, one directly in it, or the library. */
const scriptWith = (
  name: string,
  payload: Module,
  library: Module | undefined,
  registry: Registry,
): Module | undefined => {
  const own = [payload.root, ...children(payload.root)]
    .filter((operation) => operation.name === 'builtin.module')
    .map((root): Module => ({ ...payload, root }))
    .find((module) => findSequence(module, name) !== undefined);
  const script = own ?? (library !== undefined && findSequence(library, name) ? library : undefined);
  return script === undefined || library === undefined || script === library
    ? script
    : joined(script, library, registry);
};

/** A script with those operations of a library that it does not define itself. */
const joined = (script: Module, library: Module, registry: Registry): Module => {
  const own = new Set(children(script.root).map(symbolNameOf));
  const { module } = edit(script, { registry }, (rewriter) => {
    rewriter.setInsertionPointToEnd(rewriter.root.regions[0]!.blocks[0]!);
    for (const operation of children(library.root)) {
      const symbol = symbolNameOf(operation);
      if (symbol !== undefined && !own.has(symbol)) rewriter.clone(operation);
    }
  });
  return module;
};

/** An option that is off unless it is given. */
const flag = (help: string): PassOption => ({ help, texts: ['false', 'true'] });

/** The layouts of buffers in the types of functions; upstream's default first. */
const layouts = ['infer-layout-map', 'identity-layout-map', 'fully-dynamic-layout-map'] as const;

/** The passes by their names. */
export const passes: Readonly<Record<PassName, PassDeclaration>> = {
  'transform-interpreter': {
    title: 'InterpreterPass',
    help: 'run the schedule of the input or of a preloaded library',
    options: { 'entry-point': { help: `the sequence to run (default: ${entryPoint})` } },
    create:
      ({ 'entry-point': entry = entryPoint }, session) =>
      (module, { registry }) => {
        const script = scriptWith(entry, module, session.library, registry);
        if (script === undefined) {
          const message = `could not find a nested named sequence with name: ${entry}`;
          return definite(error('transform/no-entry-point', message, module.root.location));
        }
        return applySchedule(script, module, entry, registry, session);
      },
  },
  'transform-preload-library': {
    title: 'PreloadLibraryPass',
    help: 'read schedules for transform-interpreter',
    options: { 'transform-library-paths': { help: 'files, separated by commas' } },
    create:
      ({ 'transform-library-paths': list = '' }, session) =>
      (module, { registry }) => {
        const paths = list.split(',').filter((path) => path !== '');
        return mapSuccess(
          collect(paths, (path) => readSchedule(path, registry, session)),
          (libraries) => {
            session.library = libraries.reduce<Module | undefined>(
              (all, library) => (all === undefined ? library : joined(all, library, registry)),
              session.library,
            );
            return module;
          },
        );
      },
  },
  'one-shot-bufferize': {
    title: 'OneShotBufferize',
    help: 'replace tensors by buffers',
    options: {
      'bufferize-function-boundaries': flag('arguments and results of functions too'),
      'function-boundary-type-conversion': { help: 'the layout of those', texts: layouts },
      'drop-equivalent-buffer-results': flag('leave out results that are arguments'),
      'hoist-allocations': flag('allocate buffers before loops'),
    },
    create:
      (options) =>
      (module, { registry }) =>
        oneShotBufferize(module, {
          registry,
          bufferizeFunctionBoundaries: options['bufferize-function-boundaries'] === 'true',
          functionBoundaryTypeConversion: layouts.find(
            (layout) => layout === options['function-boundary-type-conversion'],
          )!,
          dropEquivalentBufferResults: options['drop-equivalent-buffer-results'] === 'true',
          hoistAllocations: options['hoist-allocations'] === 'true',
        }),
  },
};

/** The pass that a command line or a pipeline asks for. */
export const createPass = (name: PassName, given: PassOptions, session: PassSession): Diagnosed<Pass> => {
  const { help, options: known, create } = passes[name];
  const fail = (message: string) => definite(error('sconv-opt/pass-option', message, unknownLocation));
  for (const [option, text] of Object.entries(given)) {
    const declared = Object.hasOwn(known, option) ? known[option] : undefined;
    if (declared === undefined) {
      return fail(`pass '${name}' has ${unknownName('option', option, Object.keys(known))}`);
    }
    if (declared.texts?.includes(text) === false) {
      return fail(
        `option '${option}' is one of ${declared.texts.join(', ')}, not '${text}'${didYouMean(text, declared.texts)}`,
      );
    }
  }
  const defaults = Object.entries(known).flatMap(([option, { texts }]) =>
    texts === undefined ? [] : [[option, texts[0]] as const],
  );
  const options = { ...Object.fromEntries(defaults), ...given };
  return success({ name, summary: help, options, run: create(options, session) });
};
