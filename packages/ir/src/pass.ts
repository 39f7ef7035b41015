/**
 * Passes: named steps from module to module, and pipelines of them.
 */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, success } from '@sconv/diagnostics';
import type { Module } from './operation.ts';
import type { Registry } from './registry.ts';
import { verify } from './verifier.ts';

/** What a pass may use besides the module. */
export interface PassContext {
  readonly registry: Registry;
}

export interface Pass {
  /** kebab-case; the flag and the name in a pipeline: `canonicalize`. */
  readonly name: string;
  /** As upstream calls it where it prints the IR: `Canonicalizer`; the name if not given. */
  readonly title?: string;
  /** One sentence for `--help`. */
  readonly summary: string;
  /** The options that it runs with, as a pipeline's text has them; by name in kebab-case. */
  readonly options?: Readonly<Record<string, string>>;
  /** The module afterwards: the same object if nothing changed. */
  run(module: Module, context: PassContext): Diagnosed<Module>;
}

/** One pass that ran. */
export interface PassRun {
  readonly pass: Pass;
  readonly before: Module;
  /** Undefined if the pass failed, or if what it made does not verify. */
  readonly after: Module | undefined;
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface PipelineOptions extends PassContext {
  /** Verify after each pass; true by default. */
  readonly verifyEach?: boolean;
  readonly allowUnregisteredDialects?: boolean;
  readonly onBeforePass?: (pass: Pass, module: Module) => void;
  readonly onAfterPass?: (run: PassRun) => void;
  /** A clock in milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

/**
 * Runs passes one after another. The diagnostics of all of them are kept; a failure of either mode ends the pipeline
 * and is definite.
 */
export const runPipeline = (
  module: Module,
  passes: readonly Pass[],
  options: PipelineOptions,
): Diagnosed<Module> => {
  const now = options.now ?? Date.now;
  const diagnostics: Diagnostic[] = [];
  let current = module;
  for (const pass of passes) {
    options.onBeforePass?.(pass, current);
    const start = now();
    const result = runPass(pass, current, options);
    diagnostics.push(...result.diagnostics);
    options.onAfterPass?.({
      pass,
      before: current,
      after: result.status === 'success' ? result.value : undefined,
      milliseconds: now() - start,
      diagnostics: result.diagnostics,
    });
    if (result.status !== 'success') return definite(...diagnostics);
    current = result.value;
  }
  return success(current, diagnostics);
};

const runPass = (pass: Pass, module: Module, options: PipelineOptions): Diagnosed<Module> => {
  const result = pass.run(module, { registry: options.registry });
  // What a pass left as it was has been verified before.
  const isVerified =
    options.verifyEach === false || result.status !== 'success' || result.value.root === module.root;
  if (isVerified) return result;
  const errors = verify(result.value, options.registry, {
    allowUnregisteredDialects: options.allowUnregisteredDialects ?? false,
  });
  return errors.length === 0 ? result : definite(...result.diagnostics, ...errors);
};
