/** Parses what is being edited: all errors of a text, and what it says in spite of them. */
import type { Diagnostic, Location } from '@sconv/diagnostics';
import { expectText, filePosition } from '@sconv/diagnostics';
import { expectRegistry } from './check-module.ts';
import { freezeRegion } from './ir-factory.ts';
import type { Module, Operation } from './operation.ts';
import { symbolNameOf, walk } from './operation.ts';
import { RecoveringParser } from './recovering-parser.ts';
import type { SourceMap, SourceOperation } from './source-map.ts';
import type { SourceToken } from './source-tokens.ts';
import { tokenize } from './source-tokens.ts';
import type { TextOptions } from './token-parser.ts';
import { verify } from './verifier.ts';

/** A text, and what is wrong with it. */
export interface ParsedSource extends SourceMap {
  /** All tokens and comments, the last one of kind `end`. */
  readonly tokens: readonly SourceToken[];
  /** Without the operations that have errors: valid only if there are no diagnostics. */
  readonly module: Module;
  /** Syntax errors, then those of the verifier in functions without syntax errors; each in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a text, with errors in it or not. After one, it goes on with the next operation: errors in one function leave
 * the others alone. What `parseModule` reports first is among the diagnostics.
 */
export const parseSource = (text: string, options: TextOptions): ParsedSource => {
  expectText('MLIR text', text);
  expectRegistry('parseSource', options);
  const tokens = tokenize(text);
  const parser = new RecoveringParser(text, tokens, options);
  const module = parser.parse();
  const { operations, names } = parser.recorder;
  const syntaxErrors = parser.diagnostics.toSorted((a, b) => compare(a.location, b.location));
  const broken = parser.brokenOperations();
  for (const { uses } of names) uses.sort((a, b) => a.start - b.start);
  const semanticErrors = verify(wholeOf(module, operations, broken), options.registry, {
    allowUnregisteredDialects: options.allowUnregisteredDialects ?? false,
  });
  return {
    tokens,
    module,
    operations,
    names: names.filter(({ definition, uses }) => definition !== undefined || uses.length > 0),
    diagnostics: [...syntaxErrors, ...withoutConsequences(module, semanticErrors, operations, broken)],
  };
};

const compare = (a: Location, b: Location): number => {
  const [first, second] = [filePosition(a), filePosition(b)];
  if (first === undefined || second === undefined) return 0;
  return first.line - second.line || first.column - second.column;
};

/** The module without the operations at its top, or in modules in it, that have errors inside. */
const wholeOf = (
  module: Module,
  operations: readonly SourceOperation[],
  broken: ReadonlySet<SourceOperation>,
): Module => {
  if (broken.size === 0) return module;
  const dropped = new Set<Operation>();
  const collect = (source: SourceOperation): void => {
    if (source.operation?.name === 'builtin.module') source.children.forEach(collect);
    else if (source.operation !== undefined && broken.has(source)) dropped.add(source.operation);
  };
  operations.forEach(collect);
  const prune = (operation: Operation): Operation =>
    operation.name !== 'builtin.module'
      ? operation
      : {
          ...operation,
          regions: operation.regions.map(({ blocks }) =>
            freezeRegion(
              blocks.map((block) => ({
                ...block,
                operations: block.operations.filter((child) => !dropped.has(child)).map(prune),
              })),
            ),
          ),
        };
  return { ...module, root: prune(module.root) };
};

/** Without what is reported where an operation refers to a symbol that has an error itself. */
const withoutConsequences = (
  module: Module,
  diagnostics: readonly Diagnostic[],
  operations: readonly SourceOperation[],
  broken: ReadonlySet<SourceOperation>,
): readonly Diagnostic[] => {
  if (diagnostics.length === 0 || broken.size === 0) return diagnostics;
  const defined = new Set<string>();
  const collect = (source: SourceOperation): void => {
    const name = source.operation === undefined ? undefined : symbolNameOf(source.operation);
    if (name !== undefined && !broken.has(source)) defined.add(name);
    source.children.forEach(collect);
  };
  operations.forEach(collect);
  const dependent = new Set<Location>();
  for (const operation of walk(module.root)) {
    const isDependent = Object.values(operation.attributes).some(
      (attribute) => attribute.kind === 'symbol-ref' && !defined.has(attribute.root),
    );
    if (isDependent) dependent.add(operation.location);
  }
  return diagnostics.filter(({ location }) => !dependent.has(location));
};
