/** Cleaning up after a rewrite: what computed a value that nothing uses any more. */
import type { Rewriter, Value } from '@sconv/ir';
import { isErasable } from '@sconv/ir';

/** Erases the op that defines a value, and then what only that used, as far as they are unused and nobody would miss them. */
export const eraseUnused = (rewriter: Rewriter, value: Value): void => {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const definition = rewriter.definingOperation(next);
    if (definition === undefined || !isErasable(rewriter.registry, definition)) continue;
    if (definition.results.some((result) => rewriter.hasUses(result))) continue;
    pending.push(...definition.operands);
    rewriter.eraseOperation(definition);
  }
};
