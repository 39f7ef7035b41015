/** The passes of `sconv-opt`: those of the default registry, and those that need files. */
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

/** Arbitrary operations for tests, as in `mlir-opt`. */
const testDialect: Dialect = { name: 'test', operations: [], allowsUnknownOperations: true };

/** The command's registry: the default one, and operations for tests. */
export const optRegistry: Registry = extendRegistry(
  defaultRegistry,
  [testDialect, testTransforms],
  [],
  [testPipeline],
);

/** State shared by the passes of one pipeline. */
export interface PassSession {
  /** Reads a file named by an option, and registers it for diagnostics. */
  readonly readFile: (path: string) => Diagnosed<SourceFile>;
  /** Observes steps of schedules; undefined without an observer. */
  readonly trace: TraceObserver | undefined;
  /** Receives what schedules print. */
  readonly print: ((text: string) => void) | undefined;
  /** The result of `transform-preload-library`, for later passes. */
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

/** The available passes, for naming and describing them. */
export const knownPasses: readonly PassDefinition[] = [
  ...passesOf({
    readFile: () => definite(),
    trace: undefined,
    print: undefined,
    library: undefined,
  }).values(),
];

export const passNames: readonly string[] = knownPasses.map(({ name }) => name);

/** Whether a pass can be in a nested pipeline. */
export const isNestable = (name: string): boolean =>
  knownPasses.some((pass) => pass.name === name && pass.isNestable);
