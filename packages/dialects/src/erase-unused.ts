/** Dead code elimination after a rewrite. */
import type { Rewriter, Value } from '@sconv/ir';
import { isErasable } from '@sconv/ir';

/** Erases the op that defines a value, then its producers, as far as they are unused and side-effect free. */
export const eraseUnused = (rewriter: Rewriter, value: Value): void => {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const definition = rewriter.definingOperation(next);
    if (definition === undefined || definition.results.some((result) => rewriter.hasUses(result))) continue;
    if (!isErasable(rewriter.registry, definition)) continue;
    pending.push(...definition.operands);
    rewriter.eraseOperation(definition);
  }
};
