/** Makes a module smaller while it shows the same fault. */
import type { Module, Registry, Value } from '@sconv/ir';
import { edit, typeEquals, verify, walk } from '@sconv/ir';

/** Tries at most; each runs the whole oracle. */
const maxAttempts = 400;

/** The module without one op, whose results become other values in scope; undefined if that is impossible. */
const without = (module: Module, registry: Registry, id: number): Module | undefined => {
  try {
    const edited = edit(module, { registry }, (rewriter) => {
      for (const operation of rewriter.walk(rewriter.root)) {
        if (operation.id !== id) continue;
        const values: Value[] = [...operation.operands];
        const { block } = operation;
        if (block !== undefined) {
          values.push(...block.arguments);
          for (const before of block.operations) {
            if (before === operation) break;
            values.push(...before.results);
          }
        }
        for (const result of operation.results) {
          const other = values.find(({ type }) => typeEquals(type, result.type));
          if (other !== undefined) rewriter.replaceAllUsesWith(result, other);
        }
        rewriter.eraseOperation(operation);
        break;
      }
    }).module;
    return edited !== module && verify(edited, registry).length === 0 ? edited : undefined;
  } catch {
    // Its results are used.
    return undefined;
  }
};

/** A smaller module for which `shows` holds, by greedy search; ids stay. */
export const reduceModule = (
  module: Module,
  registry: Registry,
  shows: (smaller: Module) => boolean,
): Module => {
  let best = module;
  let attempts = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const { id } of [...walk(best.root)].reverse()) {
      if (attempts >= maxAttempts) return best;
      const smaller = without(best, registry, id);
      if (smaller === undefined) continue;
      attempts += 1;
      if (!shows(smaller)) continue;
      best = smaller;
      isSmaller = true;
    }
  }
  return best;
};
