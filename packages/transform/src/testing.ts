/**
 * For tests of transforms: applies a few lines of script to a few lines of payload and gives the result as text. A failure
 * whose code no op declares is an error of the test.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, render } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, extendRegistry, parseModule, printModule, verify } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { isTransformOp } from './define-transform-op.ts';
import { runSchedule } from './run.ts';
import { transformDialect, transformDialectOf } from './transform-dialect.ts';

/** What a script made of a payload. */
export interface Outcome {
  readonly status: 'success' | 'silenceable' | 'definite';
  /** The payload afterwards, verified, maps printed in place; empty after a failure. */
  readonly text: string;
  /** Errors, warnings and what the verifier finds, rendered. */
  readonly diagnostics: string;
}

/** Applies the body of a sequence, `%root` being the payload, to a module, both given as text. */
export type ApplyScript = (payload: string, script: string) => Outcome;

/** A sequence with this body as the entry point of a script. */
export const sequenceText = (body: string): string => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    ${body}
    transform.yield
  }
}`;

/** `ApplyScript` with all payload dialects, the core transforms and these. */
export const scriptTester = (
  operations: readonly { readonly definition: TransformOpDefinition }[],
): ApplyScript => {
  const registry = extendRegistry(createRegistry([...payloadDialects, transformDialect]), [
    transformDialectOf(operations),
  ]);
  const declared = new Set(
    [...registry.operations.values()].flatMap((definition) =>
      isTransformOp(definition) ? Object.keys(definition.transform.failures) : [],
    ),
  );
  return (payload, script) => {
    const result = transformed(registry, payload, script);
    for (const { code, severity } of result.diagnostics) {
      if (severity !== 'error' || declared.has(code) || isOfTheInterpreter(code)) continue;
      throw new Error(`no transform op declares the failure '${code}'`);
    }
    return outcome(registry, result);
  };
};

/** Codes of the parser, the verifier and the interpreter, which belong to no op. */
const isOfTheInterpreter = (code: string): boolean => /^(parse|verify|transform)\//.test(code);

const transformed = (registry: Registry, payload: string, script: string) =>
  andThen(parseModule(payload, { registry, fileName: 'payload.mlir' }), (module) =>
    andThen(parseModule(sequenceText(script), { registry, fileName: 'script.mlir' }), (sequence) =>
      mapSuccess(runSchedule(sequence, module, { registry }), (result) => result.module),
    ),
  );

const outcome = (registry: Registry, result: Diagnosed<Parameters<typeof verify>[0]>): Outcome => {
  const found = result.status === 'success' ? verify(result.value, registry) : [];
  return {
    status: result.status,
    text: result.status === 'success' ? printModule(result.value, { registry, localScope: true }) : '',
    diagnostics: [...result.diagnostics, ...found].map((diagnostic) => render(diagnostic)).join('\n'),
  };
};
