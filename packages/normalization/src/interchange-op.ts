/** Interchanges the loops of a generic op. */
import { compose, inversePermutation, permutationMap, subMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success, wrongOpKind } from '@sconv/diagnostics';
import { mayRunInBlocks } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { generic, genericView, index, iteratorAttribute } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { affineMapAttribute, arrayAttribute, bodyOf } from '@sconv/ir';

/**
 * Interchanges the loops of a `linalg.generic`: the new loop `i` is the old loop `order[i]`. An empty order is the
 * identity. Updates the op in place. Throws a `RangeError` if `order` has the right length but is no permutation.
 *
 * @deviation Upstream interchanges reductions whatever the body does, which changes what it computes unless that is
 * a sum, a maximum or the like.
 */
export const interchangeOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  order: readonly number[],
): Diagnosed<DraftOperation> => {
  if (!generic.is(operation)) return wrongOpKind('interchange/not-generic', operation);
  if (order.length === 0) return success(operation);
  const { iteratorTypes, indexingMaps } = genericView(operation);
  const loops = iteratorTypes.length;
  if (order.length !== loops) {
    const message =
      `iterator_interchange has length (${order.length}) different from the number of loops in the ` +
      `target operation (${loops})`;
    return silenceableError('interchange/length', message, operation);
  }
  if (order.toSorted((a, b) => a - b).some((loop, i) => loop !== i))
    throw new RangeError(`[${order.join(', ')}] is not a permutation of ${loops} loops`);
  if (!mayRunInBlocks(rewriter.registry, operation, order, () => false)) {
    const message = 'iterations would run in another order, which may change the result';
    return silenceableError('interchange/order', message, operation);
  }
  // 1. The map from new loops to old ones.
  const old = inversePermutation(permutationMap(order))!;
  // 2. Indexing maps and iterator types.
  rewriter.setAttribute(
    operation,
    'indexing_maps',
    arrayAttribute(indexingMaps.map((map) => affineMapAttribute(compose(map, old)))),
  );
  rewriter.setAttribute(
    operation,
    'iterator_types',
    arrayAttribute(order.map((loop) => iteratorAttribute(iteratorTypes[loop]!))),
  );
  // 3. `linalg.index` in the body.
  for (const each of bodyOf(operation).operations) {
    if (!index.is(each)) continue;
    const { dim } = index.attributes(each);
    rewriter.setInsertionPointBefore(each);
    const places = order.map((_, loop) => rewriter.createValue(index.state({ attributes: { dim: loop } })));
    rewriter.replaceWith(
      each,
      apply.state({ operands: { mapOperands: places }, attributes: { map: subMap(old, [dim]) } }),
    );
  }
  return success(operation);
};
