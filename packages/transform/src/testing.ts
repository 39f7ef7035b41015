/**
 * For tests of transforms: applies a few lines of script to a few lines of payload and returns the result as text.
 * Throws if a script violates an invariant: it must round-trip through the printer, failures and warnings must be
 * declared, and failures have the declared mode, and leave the payload unchanged, as the same object.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, render, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import type { Attachment, Dialect, DraftOperation, Module, Operation, Registry, Rewriter } from '@sconv/ir';
import {
  createRegistry,
  extendRegistry,
  findOperation,
  i32,
  integerAttribute,
  parseModule,
  printModule,
  tryEdit,
  verify,
  walk,
} from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import type { TransformExample } from './example.ts';
import { hasBehaviour, isTransformOp } from './is-transform-op.ts';
import type { PatternDescriptor } from './pattern-descriptor.ts';
import { runSchedule } from './run.ts';
import { schedule } from './schedule.ts';
import type { TraceStep } from './trace.ts';
import { transformDialect, transformDialectOf } from './transform-dialect.ts';

export { functionOf, operationsIn } from './payload-text.ts';
export { exampleConvolution, matchConvolution } from './example.ts';
export type { TransformExample } from './example.ts';

/** The result of a script on a payload. */
export interface Outcome {
  readonly status: 'success' | 'silenceable' | 'definite';
  /** The payload afterwards, verified, with maps printed inline; empty after a failure. */
  readonly text: string;
  /** Errors, warnings and the verifier's diagnostics, rendered. */
  readonly diagnostics: string;
}

/** Applies the body of a sequence, with `%root` as the payload, to a module, both given as text. */
export type ApplyScript = (payload: string, script: string) => Outcome;

/** Additional checks. */
export interface ScriptTesterOptions {
  /**
   * A difference in what a payload computes before and after a script; undefined if there is none: `firstDifference`
   * of `@sconv/interpreter/testing`.
   */
  readonly difference?: (before: Module, after: Module) => string | undefined;
  /** Attachments of the registry. */
  readonly attachments?: readonly Attachment[];
  /** Dialects of the payload besides those of `@sconv/dialects`. */
  readonly dialects?: readonly Dialect[];
}

type Operations = readonly { readonly definition: TransformOpDefinition }[];

/** A script whose entry point has this body. */
export const sequenceText = (body: string): string => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    ${body}
    transform.yield
  }
}`;

/** `ApplyScript` with all payload dialects, the core transforms and these. */
export const scriptTester = (operations: Operations, options: ScriptTesterOptions = {}): ApplyScript => {
  const { difference = () => undefined } = options;
  const registry = registryOf(operations, options);
  const declared = declaredModes(registry);
  const warnings = declaredWarnings(registry);
  return (payload, script) => {
    const result = transformed(registry, payload, script, difference);
    for (const { code, severity } of result.diagnostics) {
      if (severity === 'warning' && !warnings.has(code) && !isOfTheInterpreter(code))
        throw new Error(`no transform op declares the warning '${code}'`);
      if (severity !== 'error' || isOfTheInterpreter(code)) continue;
      const mode = declared.get(code);
      if (mode === undefined) throw new Error(`no transform op declares the failure '${code}'`);
      const actual = modeOf(registry, payload, script);
      if (mode !== actual) throw new Error(`'${code}' is declared ${mode}, but is ${actual}`);
    }
    return outcome(registry, result);
  };
};

/** Runs an example's text, checked as by `scriptTester`, and its code; returns both results. */
export const exampleTester = (
  operations: Operations,
  options: ScriptTesterOptions = {},
): ((example: TransformExample) => { readonly asText: Outcome; readonly asCode: Outcome }) => {
  const registry = registryOf(operations, options);
  const apply = scriptTester(operations, options);
  return ({ payload, script, record }) => ({
    asText: apply(payload, script),
    asCode: outcome(
      registry,
      mapSuccess(
        schedule(record).run(unwrap(parseModule(payload, { registry })), { registry }),
        (result) => result.module,
      ),
    ),
  });
};

/** What the first operation with this name in a payload became in an edit. */
export const replacementsOf = (
  payload: string,
  name: string,
  rewrite: (rewriter: Rewriter, operation: DraftOperation) => Diagnosed<unknown>,
): readonly Operation[] => {
  const registry = createRegistry(payloadDialects);
  const module = unwrap(parseModule(payload, { registry }));
  const operation = [...walk(module.root)].find((each) => each.name === name);
  if (operation === undefined) throw new Error(`the payload has no ${name}`);
  const { id } = operation;
  const edited = unwrap(tryEdit(module, { registry }, (rewriter) => rewrite(rewriter, rewriter.find(id))));
  const ids = edited.forward.operations.get(id) ?? [id];
  return ids.flatMap((each) => findOperation(edited.module, each, registry) ?? []);
};

/** Parses and prints the lines of a sequence's body; `%root` is the payload. */
export const scriptPrinter = (operations: Operations): ((script: string) => readonly string[]) => {
  const registry = registryOf(operations);
  return (script) =>
    printModule(parsedScript(registry, script), { registry })
      .split('\n')
      .filter((line) => line.startsWith('    '))
      .map((line) => line.trim().replaceAll('%arg0', '%root'))
      .filter((line) => line !== 'transform.yield');
};

/**
 * The patterns of a set as `name of root`, where all its attributes have this value; empty if the set has no such
 * alternative.
 */
export const patternNames = ({ model }: Attachment, value: number): readonly string[] => {
  const attributes = new Proxy({}, { get: () => integerAttribute(BigInt(value), i32) });
  const operation = { attributes } as unknown as Operation;
  const patterns = (model as PatternDescriptor).patterns?.(operation) ?? [];
  return patterns.map(({ name, root = 'any' }) => `${name} of ${root}`);
};

const registryOf = (
  operations: Operations,
  { attachments = [], dialects = [] }: Pick<ScriptTesterOptions, 'attachments' | 'dialects'> = {},
): Registry =>
  extendRegistry(
    createRegistry([...payloadDialects, ...dialects, transformDialect]),
    [transformDialectOf(operations)],
    attachments,
  );

/** The mode of each declared failure; throws where two ops declare one with different modes. */
const declaredModes = (registry: Registry): ReadonlyMap<string, string> => {
  const modes = new Map<string, string>();
  for (const definition of registry.operations.values()) {
    if (!isTransformOp(definition)) continue;
    for (const [code, { mode }] of Object.entries(definition.transform.failures)) {
      const known = modes.get(code) ?? mode;
      if (known !== mode)
        throw new Error(`'${code}' of ${definition.name} is ${mode}, of another op ${known}`);
      modes.set(code, mode);
    }
  }
  return modes;
};

const declaredWarnings = (registry: Registry): ReadonlySet<string> =>
  new Set(
    [...registry.operations.values()]
      .filter(isTransformOp)
      .flatMap(({ transform }) => Object.keys(transform.warnings)),
  );

/** Codes of the parser, the verifier and the interpreter, which no op declares. */
const isOfTheInterpreter = (code: string): boolean => /^(parse|verify|transform)\//.test(code);

/** The script with this body; throws unless it round-trips. */
const parsedScript = (registry: Registry, body: string): Module =>
  unwrap(readBack(registry, parseModule(sequenceText(body), { registry, fileName: 'script.mlir' })));

const readBack = (registry: Registry, script: Diagnosed<Module>): Diagnosed<Module> =>
  mapSuccess(script, (module) => {
    const text = printModule(module, { registry });
    const again = unwrap(parseModule(text, { registry, fileName: 'printed.mlir' }));
    const generic = (each: Module) => printModule(each, { registry, generic: true });
    if (generic(again) !== generic(module))
      throw new Error(`the script is printed as something else:\n${text}`);
    return module;
  });

const transformed = (
  registry: Registry,
  payload: string,
  script: string,
  difference: (before: Module, after: Module) => string | undefined,
) =>
  andThen(parseModule(payload, { registry, fileName: 'payload.mlir' }), (module) =>
    andThen(
      readBack(registry, parseModule(sequenceText(script), { registry, fileName: 'script.mlir' })),
      (sequence) =>
        mapSuccess(runSchedule(sequence, module, { registry }), (result) => {
          const found = difference(module, result.module);
          if (found !== undefined) throw new Error(`the payload computes something else: ${found}`);
          return result.module;
        }),
    ),
  );

/** The names of the transforms that have an implementation. */
export const executedNames = (
  transforms: readonly { readonly definition: TransformOpDefinition }[],
): readonly string[] =>
  transforms
    .map(({ definition }) => definition)
    .filter(hasBehaviour)
    .map(({ name }) => name)
    .sort();

/** How a failing script fails. Throws if the failing step changed the payload. */
const modeOf = (registry: Registry, payload: string, script: string): 'silenceable' | 'definite' => {
  const before: Module[] = [];
  let mode: 'silenceable' | 'definite' = 'definite';
  const parsed = unwrap(parseModule(sequenceText(script), { registry }));
  runSchedule(parsed, unwrap(parseModule(payload, { registry })), {
    registry,
    trace: {
      enter: (_, payloadBefore) => before.push(payloadBefore),
      leave: (node, payloadAfter) => {
        const isUnchanged = before.pop() === payloadAfter;
        if (node.kind !== 'step' || (node.status !== 'silenceable' && node.status !== 'definite')) return;
        if (node.status === 'silenceable' && !hasBody(node) && !isUnchanged) {
          throw new Error('a step that failed has changed the payload');
        }
        // The entry point's step is left last.
        mode = node.status;
      },
    },
  });
  return mode;
};

/** Whether a step ran steps of the script itself: their changes stay if a later one fails. */
const hasBody = ({ children }: TraceStep): boolean =>
  children.some((child) => child.kind === 'step' || child.role !== 'expansion');

const outcome = (registry: Registry, result: Diagnosed<Module>): Outcome => {
  const found = result.status === 'success' ? verify(result.value, registry) : [];
  return {
    status: result.status,
    text: result.status === 'success' ? printModule(result.value, { registry, localScope: true }) : '',
    diagnostics: [...result.diagnostics, ...found].map((diagnostic) => render(diagnostic)).join('\n'),
  };
};
