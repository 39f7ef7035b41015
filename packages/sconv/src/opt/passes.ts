/** The passes that `sconv-opt` offers: those of the default registry, and what needs files. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, mapSuccess } from '@sconv/diagnostics';
import type { Dialect, Module, PassDefinition, Registry } from '@sconv/ir';
import { definePass, extendRegistry, listOption } from '@sconv/ir';
import type { TraceObserver } from '@sconv/transform';
import { interpreterPassWith, withLibrary } from '@sconv/transform';
import type { SourceFile } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { parseSchedule } from '../parse-schedule.ts';
import { testPipeline, testTransforms } from './test-transforms.ts';

/** Operations that stand for anything in tests, as in `mlir-opt`. */
const testDialect: Dialect = { name: 'test', operations: [], allowsUnknownOperations: true };

/** What the command knows: all of the default registry, and operations for tests. */
export const optRegistry: Registry = extendRegistry(
  defaultRegistry,
  [testDialect, testTransforms],
  [],
  [testPipeline],
);

/** What the passes of one pipeline share. */
export interface PassSession {
  /** Reads a file that an option names; diagnostics can show its lines from then on. */
  readonly readFile: (path: string) => Diagnosed<SourceFile>;
  /** Is told of the steps of schedules; undefined where nobody asks. */
  readonly trace: TraceObserver | undefined;
  /** Takes what schedules print. */
  readonly print: ((text: string) => void) | undefined;
  /** What `transform-preload-library` has read; later passes see it. */
  library: Module | undefined;
}

/** Parses the schedules of a file. */
export const readSchedule = (
  path: string,
  registry: Registry,
  { readFile }: Pick<PassSession, 'readFile'>,
): Diagnosed<Module> => andThen(readFile(path), (file) => parseSchedule(file, registry));

const preloadLibraryPass = (session: PassSession) =>
  definePass({
    name: 'transform-preload-library',
    title: 'PreloadLibraryPass',
    summary: 'read schedules for transform-interpreter',
    options: { transformLibraryPaths: listOption('files, separated by commas') },
    run: (module, { transformLibraryPaths: paths }, { registry }) =>
      mapSuccess(
        collect(paths, (path) => readSchedule(path, registry, session)),
        (libraries) => {
          session.library = libraries.reduce<Module | undefined>(
            (all, library) => (all === undefined ? library : withLibrary(all, library, registry)),
            session.library,
          );
          return module;
        },
      ),
  });

/** The passes for one pipeline, by name. */
export const passesOf = (session: PassSession): Registry['passes'] => {
  const { trace, print } = session;
  const interpreter = interpreterPassWith({
    library: () => session.library,
    ...(trace === undefined ? {} : { trace }),
    ...(print === undefined ? {} : { print }),
  });
  const own = [interpreter, preloadLibraryPass(session)].map(({ definition }) => definition);
  return new Map([...optRegistry.passes, ...own.map((pass) => [pass.name, pass] as const)]);
};

/** The passes that there are, to be named and described. */
export const knownPasses: readonly PassDefinition[] = [
  ...passesOf({
    readFile: () => definite(),
    trace: undefined,
    print: undefined,
    library: undefined,
  }).values(),
];

export const passNames: readonly string[] = knownPasses.map(({ name }) => name);

/** Whether a pass can stand in a nested pipeline. */
export const isNestable = (name: string): boolean =>
  knownPasses.some((pass) => pass.name === name && pass.isNestable);
