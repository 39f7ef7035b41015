/**
 * `edit`: the only way to a new module. It thaws a draft, lets a rewriter change it, and freezes the result.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import { Draft, findFrozen } from './draft.ts';
import type { Forward } from './forward.ts';
import type { Id, Module, Operation } from './operation.ts';
import type { Registry } from './registry.ts';
import { Rewriter } from './rewriter.ts';

/** A new module, what the edit returned, and what became of what it changed. */
export interface Edit<R> {
  readonly module: Module;
  readonly results: R;
  readonly forward: Forward;
}

/** What an edit works with. */
export interface EditOptions {
  /** What is known of the operations in the module; of an op that it does not hold nothing is assumed. */
  readonly registry: Registry;
}

/** The draft of the newest module, so that the next edit of it need not thaw again. */
const drafts = new WeakMap<Module, Draft>();

const draftOf = (module: Module, { registry }: EditOptions): Draft => {
  const kept = drafts.get(module);
  // Taken, not shared: once it changes it is no longer the draft of this module.
  drafts.delete(module);
  return kept?.registry === registry ? kept : new Draft(module, registry);
};

/**
 * The operation of a module with this id, if there is one. The id has to be of this module or of one that it was made from:
 * two edits of one module give the same ids to what they create, so that an id of the other may be something else here.
 *
 * Found at once in the newest module of a chain of edits, through an index of each function in others.
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
  let forward: Forward | undefined;
  return {
    module: after,
    results,
    // A pass is asked for its module only.
    get forward() {
      return (forward ??= recorded());
    },
  };
};

/** Makes a new module by changing a draft of `module`; an edit that changes nothing returns `module` itself. */
export const edit = <R>(
  module: Module,
  options: EditOptions,
  rewrite: (rewriter: Rewriter) => R,
): Edit<R> => {
  const draft = draftOf(module, options);
  const rewriter = new Rewriter(draft);
  return finish(module, draft, rewriter, rewrite(rewriter));
};

/** Like `edit` for a change that may fail; after a failure the draft is dropped and `module` stands as it was. */
export const tryEdit = <R>(
  module: Module,
  options: EditOptions,
  rewrite: (rewriter: Rewriter) => Diagnosed<R>,
): Diagnosed<Edit<R>> => {
  const draft = draftOf(module, options);
  const rewriter = new Rewriter(draft);
  const result = rewrite(rewriter);
  if (result.status !== 'success') {
    rewriter.close();
    if (rewriter.changeCount === 0) drafts.set(module, draft);
    return result;
  }
  return success(finish(module, draft, rewriter, result.value), result.diagnostics);
};
