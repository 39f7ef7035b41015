/** The passes that `sconv-opt` offers, under the names and with the options that `mlir-opt` has. */
import { oneShotBufferize } from '@sconv/bufferization';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, unknownLocation } from '@sconv/diagnostics';
import type { Module, Operation, Registry } from '@sconv/ir';
import { children, edit } from '@sconv/ir';
import { entryPoint, findSequence, runSchedule } from '@sconv/transform';
import type { SourceFile } from '../console.ts';
import { parseSchedule } from '../parse-schedule.ts';

/** Options of a pass as text, by their names. */
export type PassOptions = Readonly<Record<string, string>>;

/** What a pass works with besides the module. */
export interface PassContext {
  readonly registry: Registry;
  /** Reads a file that an option names; diagnostics can show its lines from then on. */
  readonly readFile: (path: string) => Diagnosed<SourceFile>;
  /** Called when a schedule has done a stage. */
  readonly onStage: (stage: string, payload: Module) => void;
  /** What `transform-preload-library` has read; later passes see it. */
  library: Module | undefined;
}

export interface Pass {
  /** As upstream calls it where it prints the IR. */
  readonly title: string;
  readonly help: string;
  /** Names of its options, with what they mean. */
  readonly options: Readonly<Record<string, string>>;
  readonly run: (module: Module, options: PassOptions, context: PassContext) => Diagnosed<Module>;
}

export const passNames = [
  'transform-interpreter',
  'transform-preload-library',
  'one-shot-bufferize',
] as const;

export type PassName = (typeof passNames)[number];

/** Parses the schedules of a file. */
export const readSchedule = (path: string, context: PassContext): Diagnosed<Module> =>
  andThen(context.readFile(path), (file) => parseSchedule(file, context.registry));

/** Runs the entry point of a script on a payload. */
export const applySchedule = (
  script: Module,
  payload: Module,
  entry: string,
  { registry, onStage }: Pick<PassContext, 'registry' | 'onStage'>,
): Diagnosed<Module> =>
  mapSuccess(runSchedule(script, payload, { registry, entryPoint: entry, onStage }), ({ module }) => module);

/** The module that holds the sequence: the payload, one directly in it, or the library. */
const scriptWith = (name: string, payload: Module, library: Module | undefined): Module | undefined => {
  const own = [payload.root, ...children(payload.root)]
    .filter((operation) => operation.name === 'builtin.module')
    .map((root): Module => ({ ...payload, root }))
    .find((module) => findSequence(module, name) !== undefined);
  const script = own ?? (library !== undefined && findSequence(library, name) ? library : undefined);
  return script === undefined || library === undefined || script === library
    ? script
    : joined(script, library);
};

const symbolOf = ({ attributes }: Operation): string | undefined => {
  const symbol = attributes['sym_name'];
  return symbol?.kind === 'string' ? symbol.value : undefined;
};

/** A script with those operations of a library that it does not define itself. */
const joined = (script: Module, library: Module): Module => {
  const own = new Set(children(script.root).map(symbolOf));
  const { module } = edit(script, (rewriter) => {
    rewriter.setInsertionPointToEnd(rewriter.root.regions[0]!.blocks[0]!);
    for (const operation of children(library.root)) {
      const symbol = symbolOf(operation);
      if (symbol !== undefined && !own.has(symbol)) rewriter.clone(operation);
    }
  });
  return module;
};

const optionError = (message: string): Diagnosed<never> =>
  definite(error('sconv-opt/pass-option', message, unknownLocation));

/** One of the texts that an option may have; the first is the default. */
const oneOf = <const T extends string>(
  options: PassOptions,
  name: string,
  texts: readonly [T, ...T[]],
): Diagnosed<T> => {
  const given = options[name] ?? texts[0];
  const found = texts.find((text) => text === given);
  return found === undefined
    ? optionError(`option '${name}' is one of ${texts.join(', ')}, not '${given}'`)
    : { status: 'success', value: found, diagnostics: [] };
};

export const passes: Readonly<Record<PassName, Pass>> = {
  'transform-interpreter': {
    title: 'InterpreterPass',
    help: 'run the schedule of the input or of a preloaded library',
    options: { 'entry-point': `the sequence to run (default: ${entryPoint})` },
    run: (module, options, context) => {
      const entry = options['entry-point'] ?? entryPoint;
      const script = scriptWith(entry, module, context.library);
      if (script === undefined) {
        const message = `could not find a nested named sequence with name: ${entry}`;
        return definite(error('transform/no-entry-point', message, module.root.location));
      }
      return applySchedule(script, module, entry, context);
    },
  },
  'transform-preload-library': {
    title: 'PreloadLibraryPass',
    help: 'read schedules for transform-interpreter',
    options: { 'transform-library-paths': 'files, separated by commas' },
    run: (module, options, context) => {
      const paths = (options['transform-library-paths'] ?? '').split(',').filter((path) => path !== '');
      const read = collect(paths, (path) => readSchedule(path, context));
      return mapSuccess(read, (libraries) => {
        context.library = libraries.reduce<Module | undefined>(
          (all, library) => (all === undefined ? library : joined(all, library)),
          context.library,
        );
        return module;
      });
    },
  },
  'one-shot-bufferize': {
    title: 'OneShotBufferize',
    help: 'replace tensors by buffers',
    options: {
      'bufferize-function-boundaries': 'arguments and results of functions too: false or true',
      'function-boundary-type-conversion':
        'their layout: identity-layout-map (default) or fully-dynamic-layout-map',
    },
    run: (module, options) =>
      andThen(oneOf(options, 'bufferize-function-boundaries', ['false', 'true']), (boundaries) =>
        andThen(
          oneOf(options, 'function-boundary-type-conversion', [
            'identity-layout-map',
            'fully-dynamic-layout-map',
          ]),
          (functionBoundaryTypeConversion) =>
            oneShotBufferize(module, {
              bufferizeFunctionBoundaries: boundaries === 'true',
              functionBoundaryTypeConversion,
              dropEquivalentBufferResults: false,
              hoistAllocations: false,
            }),
        ),
      ),
  },
};

/** Refuses options that a pass does not have. */
export const checkOptions = (name: PassName, options: PassOptions): Diagnosed<undefined> => {
  const unknown = Object.keys(options).find((option) => !(option in passes[name].options));
  return unknown === undefined
    ? { status: 'success', value: undefined, diagnostics: [] }
    : optionError(`pass '${name}' has no option '${unknown}'`);
};
