/** Packs a contraction so that a matrix product of given sizes is innermost (upstream's `packMatmulGreedily`). */
import { ceilDiv, dim, makeMap, mul, symbol } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, createSize } from '@sconv/dialects';
import { contractionDimensions, structured } from '@sconv/dialects/linalg';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { isShaped } from '@sconv/ir';
import { generalizeOp, interchangeOp } from '@sconv/normalization';
import { packStructuredOp } from '@sconv/packing';

/** The innermost product; entries 0, 1 and 2 are for m, n and k. */
export interface ProductOptions {
  readonly sizes: readonly MixedIndex[];
  /** For a size of 0: pack the dimension as one tile, rounded up to this multiple; 0 for none. */
  readonly multiples?: readonly number[];
  /** The position of m, n and k among the three innermost loops. */
  readonly order: readonly number[];
}

/**
 * Packs a structured op by the innermost m, n and k dimensions of a contraction; returns the packed op. Other ops
 * stay.
 */
export const packGreedilyOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { sizes, multiples = [], order }: ProductOptions,
): Diagnosed<DraftOperation> => {
  const view = structured(rewriter.registry, operation);
  const found = view && contractionDimensions(view);
  const [m, n, k] = [found?.m.at(-1), found?.n.at(-1), found?.k.at(-1)];
  if (view === undefined || m === undefined || n === undefined || k === undefined) return success(operation);
  const outer = view.iteratorTypes.length - order.length;
  // 1. Interchange: m, n and k innermost in their order, the other loops before them.
  const inner = order.map((_, place) => [m, n, k][order.indexOf(place)]!);
  const others = view.iteratorTypes.flatMap((_, loop) => (inner.includes(loop) ? [] : [loop]));
  const ordered = andThen(generalizeOp(rewriter, operation), (general) =>
    interchangeOp(rewriter, general, [...others, ...inner]),
  );
  return andThen(ordered, (general) => {
    // 2. The packing sizes.
    rewriter.setInsertionPointBefore(general);
    const extents = loopExtents(rewriter, structured(rewriter.registry, general)!);
    const tiles = order.map((_, place) => {
      const i = order.indexOf(place);
      const multiple = multiples[i] ?? 0;
      if (multiple === 0) return sizes[i]!;
      const rounded = makeMap(1, 1, [mul(ceilDiv(dim(0), symbol(0)), symbol(0))]);
      return applyFolded(rewriter, rounded, [extents[outer + place]!, multiple]);
    });
    const packed = packStructuredOp(rewriter, general, [...others.map(() => 0), ...tiles]);
    return andThen(packed, (result) => success(result.packed));
  });
};

/** The extent of each loop, from the first operand that has it; creates ops for every dynamic size, as upstream. */
const loopExtents = (
  rewriter: Rewriter,
  { inputs, outputs, indexingMaps, iteratorTypes }: StructuredOp,
): readonly MixedIndex[] => {
  const sizes = [...inputs, ...outputs].map((operand) => {
    const { type } = operand;
    if (!isShaped(type)) return [];
    return type.shape.map((_, position) => createSize(rewriter, operand, position));
  });
  return iteratorTypes.map((_, loop) => {
    for (const [operand, { results }] of indexingMaps.entries()) {
      const position = results.findIndex((result) => result.kind === 'dim' && result.position === loop);
      const size = sizes[operand]?.[position];
      if (size !== undefined) return size;
    }
    throw new Error('each loop of a contraction is an index of an operand');
  });
};
