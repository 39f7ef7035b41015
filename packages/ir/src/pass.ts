/** Passes: named steps from module to module, and pipelines of them. */
import { expectModule, expectRegistry } from './check-module.ts';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { collect, definite, expectList, expectObject, mapSuccess, success } from '@sconv/diagnostics';
import type { DraftOperation } from './draft.ts';
import { tryEdit } from './edit.ts';
import type { Module } from './operation.ts';
import type { Registry } from './registry.ts';
import { hasTrait } from './registry.ts';
import type { Rewriter } from './rewriter.ts';
import { verify } from './verifier.ts';

/** What a pass can use besides the module. */
export interface PassContext {
  readonly registry: Registry;
}

/** A transformation of a module: `pass.run(module, { registry })` gives the new one. */
export interface Pass {
  /** kebab-case: the flag, and the name in a pipeline: `canonicalize`. */
  readonly name: string;
  /** Upstream's name when printing the IR: `Canonicalizer`; the name by default. */
  readonly title?: string;
  /** One sentence for `--help`. */
  readonly summary: string;
  /** Its options as text, by kebab-case name. */
  readonly options?: Readonly<Record<string, string>>;
  /** Returns the new module: the same object if nothing changed. */
  run(module: Module, context: PassContext): Diagnosed<Module>;
  /** The same on one operation, in an edit; only for passes that can run on operations other than modules. */
  readonly runOn?: (rewriter: Rewriter, operation: DraftOperation) => Diagnosed<unknown>;
}

/** Runs `pass` on `operation` in an edit of its own. */
const runOnOperations = (
  module: Module,
  { registry }: PassContext,
  runOn: NonNullable<Pass['runOn']>,
  select: (root: DraftOperation) => readonly DraftOperation[],
): Diagnosed<Module> =>
  mapSuccess(
    tryEdit(module, { registry }, (rewriter) =>
      collect(select(rewriter.root), (operation) => runOn(rewriter, operation)),
    ),
    (edited) => edited.module,
  );

/** `run` for a pass with `runOn`: runs it on the module itself. */
export const runOnModule =
  (runOn: NonNullable<Pass['runOn']>): Pass['run'] =>
  (module, context) =>
    runOnOperations(module, context, runOn, (root) => [root]);

/**
 * `pass` on the operations that a nested pipeline anchors on: `['func.func']` for `builtin.module(func.func(…))`;
 * `any` matches every operation that is isolated from above. Undefined for a module pass.
 */
export const nestPass = (pass: Pass, anchors: readonly string[]): Pass | undefined => {
  expectObject('a pass', pass);
  expectList('a list of names of operations', anchors);
  const { runOn } = pass;
  if (anchors.length === 0) return pass;
  if (runOn === undefined) return undefined;
  return {
    ...pass,
    run: (module, context) =>
      runOnOperations(module, context, runOn, (root) =>
        anchors.reduce<readonly DraftOperation[]>(
          (operations, anchor) =>
            operations.flatMap((operation) =>
              operation.regions
                .flatMap(({ blocks }) => blocks.flatMap((block) => block.operations))
                .filter((child) =>
                  anchor === 'any'
                    ? hasTrait(context.registry, child, 'isolated-from-above')
                    : child.name === anchor,
                ),
            ),
          [root],
        ),
      ),
  };
};

/** A completed run of a pass. */
export interface PassRun {
  readonly pass: Pass;
  readonly before: Module;
  /** Undefined if the pass failed, or its result does not verify. */
  readonly after: Module | undefined;
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a pipeline runs with. */
export interface PipelineOptions extends PassContext {
  /** Whether to verify after each pass; true by default. */
  readonly verifyEach?: boolean;
  readonly allowUnregisteredDialects?: boolean;
  readonly onBeforePass?: (pass: Pass, module: Module) => void;
  readonly onAfterPass?: (run: PassRun) => void;
  /** A clock in milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

/**
 * Runs passes one after another and collects their diagnostics; a failure of either mode ends the pipeline and
 * becomes definite.
 */
export const runPipeline = (
  module: Module,
  passes: readonly Pass[],
  options: PipelineOptions,
): Diagnosed<Module> => {
  expectModule('what the passes run on', module);
  expectList('a list of passes', passes, (pass) => typeof pass === 'object' && pass !== null);
  expectRegistry('runPipeline', options);
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
  // An unchanged module has been verified before.
  const isVerified =
    options.verifyEach === false || result.status !== 'success' || result.value.root === module.root;
  if (isVerified) return result;
  const errors = verify(result.value, options.registry, {
    allowUnregisteredDialects: options.allowUnregisteredDialects ?? false,
  });
  return errors.length === 0 ? result : definite(...result.diagnostics, ...errors);
};
