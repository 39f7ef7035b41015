/** `edit`: the only way to make a new module. It thaws a draft, lets a rewriter change it, and freezes the result. */
import type { Diagnosed } from '@sconv/diagnostics';
import { expectDiagnosed, success } from '@sconv/diagnostics';
import { expectModule, expectRegistry } from './check-module.ts';
import { Draft, findFrozen } from './draft.ts';
import { failingInexact } from './exact-arithmetic.ts';
import type { Forward } from './forward.ts';
import type { Id, Module, Operation } from './operation.ts';
import type { Registry } from './registry.ts';
import { Rewriter } from './rewriter.ts';

/** A new module, the result of the callback, and what became of the changed operations and values. */
export interface Edit<R> {
  readonly module: Module;
  readonly results: R;
  readonly forward: Forward;
}

/** What an edit works with. */
export interface EditOptions {
  /** Contains the definitions of the module's operations; nothing is assumed about others. */
  readonly registry: Registry;
}

/** The draft of the newest module, so that the next edit need not thaw it again. */
const drafts = new WeakMap<Module, Draft>();

const draftOf = (functionName: string, module: Module, options: EditOptions): Draft => {
  expectModule('what is edited', module);
  expectRegistry(functionName, options);
  const { registry } = options;
  const kept = drafts.get(module);
  // Taken, not shared: once changed, it is no longer the draft of this module.
  drafts.delete(module);
  return kept?.registry === registry ? kept : new Draft(module, registry);
};

/**
 * The operation of a module with this id, if there is one. The id must come from this module or one that it derives
 * from: two edits of one module assign the same ids, so an id of the other may refer to something else here.
 *
 * Immediate in the newest module of a chain of edits; uses an index per function in others.
 */
export const findOperation = (module: Module, id: Id, registry: Registry): Operation | undefined => {
  const draft = drafts.get(module);
  return draft === undefined ? findFrozen(registry, module.root, id) : draft.findFrozen(id);
};

const finish = <R>(module: Module, draft: Draft, rewriter: Rewriter, results: R): Edit<R> => {
  const { recorded } = rewriter;
  rewriter.close();
  const after = rewriter.changeCount === 0 ? module : draft.freeze();
  drafts.set(after, draft);
  return new FinishedEdit(after, results, recorded);
};

/** Its `forward` is lazy: most passes only need the module. */
class FinishedEdit<R> implements Edit<R> {
  readonly module: Module;
  readonly results: R;
  private readonly recorded: () => Forward;
  private composed: Forward | undefined;

  constructor(module: Module, results: R, recorded: () => Forward) {
    this.module = module;
    this.results = results;
    this.recorded = recorded;
  }

  get forward(): Forward {
    return (this.composed ??= this.recorded());
  }
}

/** Makes a new module by changing a draft of `module`; returns `module` itself if nothing changes. */
export const edit = <R>(
  module: Module,
  options: EditOptions,
  rewrite: (rewriter: Rewriter) => R,
): Edit<R> => {
  const draft = draftOf('edit', module, options);
  const rewriter = new Rewriter(draft);
  return finish(module, draft, rewriter, rewrite(rewriter));
};

/**
 * Like `edit`, for changes that may fail; on failure the draft is dropped and `module` is unchanged. `edit/arithmetic`
 * (silenceable): numbers of the module pass 2^53 on the way.
 */
export const tryEdit = <R>(
  module: Module,
  options: EditOptions,
  rewrite: (rewriter: Rewriter) => Diagnosed<R>,
): Diagnosed<Edit<R>> => {
  const draft = draftOf('tryEdit', module, options);
  const rewriter = new Rewriter(draft);
  const result = failingInexact('edit/arithmetic', module.root.location, () => rewrite(rewriter));
  expectDiagnosed('tryEdit', result);
  if (result.status !== 'success') {
    rewriter.close();
    if (rewriter.changeCount === 0) drafts.set(module, draft);
    return result;
  }
  return success(finish(module, draft, rewriter, result.value), result.diagnostics);
};
