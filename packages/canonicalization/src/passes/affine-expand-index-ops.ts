/** The pass `affine-expand-index-ops`: expands delinearization to `affine.apply`. */
import { dim, makeMap, symbol } from '@sconv/affine';
import type { AffineExpr } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, indexValue, isSymbol } from '@sconv/dialects';
import { apply, delinearizeIndex } from '@sconv/dialects/affine';
import { mapSuccess } from '@sconv/diagnostics';
import type { Rewriter } from '@sconv/ir';
import { applyPatternsGreedily, defineOperationPass } from '@sconv/ir';
import { definedBy, integerConstant, onOp } from '../match.ts';

const product = makeMap(0, 2, [symbol(0).mul(symbol(1))]);

/** An operation on an index, which may be an `affine.apply`, and a divisor that is a symbol or a number. */
const computed = (
  rewriter: Rewriter,
  operator: (a: AffineExpr, b: AffineExpr) => AffineExpr,
  index: MixedIndex,
  divisor: MixedIndex,
): MixedIndex => {
  const application = typeof index === 'number' ? undefined : definedBy(rewriter, index, apply);
  if (application === undefined)
    return applyFolded(rewriter, makeMap(1, 1, [operator(dim(0), symbol(0))]), [index, divisor]);
  // The operands of the index come first, as in upstream's composition.
  const { map } = apply.attributes(application);
  const result = operator(map.results[0]!, symbol(map.numSymbols));
  return applyFolded(rewriter, makeMap(map.numDims, map.numSymbols + 1, [result]), [
    ...application.operands,
    divisor,
  ]);
};

/** A basis that is neither constant nor a symbol has no affine expression: it stays. */
export const expandDelinearize = onOp(delinearizeIndex, 'expand-delinearize-index', (rewriter, operation) => {
  const { linearIndex, basis } = delinearizeIndex.operands(operation);
  const sizes = basis.slice(1).map((size): MixedIndex => integerConstant(rewriter, size) ?? size);
  if (sizes.some((size) => size === 0 || (typeof size !== 'number' && !isSymbol(rewriter, size)))) return;
  const divisors = sizes.map((_, i) =>
    sizes.slice(i + 1).reduce((all, size) => applyFolded(rewriter, product, [all, size]), sizes[i]!),
  );
  let rest: MixedIndex = linearIndex;
  const digits: MixedIndex[] = [];
  for (const divisor of divisors) {
    digits.push(computed(rewriter, (a, b) => a.floorDiv(b), rest, divisor));
    rest = computed(rewriter, (a, b) => a.mod(b), rest, divisor);
  }
  rewriter.replaceOperation(
    operation,
    [...digits, rest].map((digit) => indexValue(rewriter, digit)),
  );
});

export const affineExpandIndexOps = defineOperationPass({
  name: 'affine-expand-index-ops',
  title: 'AffineExpandIndexOpsPass',
  summary: 'expand delinearize_index to affine.apply',
  runOn: (rewriter, operation) =>
    mapSuccess(applyPatternsGreedily(rewriter, [operation], [expandDelinearize]), () => undefined),
});
