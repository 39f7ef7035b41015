/** Cleaning up after a rewrite: what computed a value that nothing uses any more. */
import type { Rewriter, Value } from '@sconv/ir';

/** Ops without effects that a pass leaves behind: of other ops, a call say, it does not know whether they are needed. */
const erasable: ReadonlySet<string> = new Set([
  'affine.apply',
  'affine.max',
  'affine.min',
  'linalg.index',
  'tensor.cast',
  'tensor.collapse_shape',
  'tensor.dim',
  'tensor.empty',
  'tensor.expand_shape',
  'tensor.extract',
  'tensor.extract_slice',
]);

/** All of `arith` is without effects. */
const isErasable = (name: string): boolean => erasable.has(name) || name.startsWith('arith.');

/** Erases the op that defines a value, and then what only that used, as far as they are unused and without effects. */
export const eraseUnused = (rewriter: Rewriter, value: Value): void => {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const definition = rewriter.definingOperation(next);
    if (definition === undefined || !isErasable(definition.name)) continue;
    if (definition.results.some((result) => rewriter.hasUses(result))) continue;
    pending.push(...definition.operands);
    rewriter.eraseOperation(definition);
  }
};
