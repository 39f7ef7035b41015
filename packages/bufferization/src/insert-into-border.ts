/**
 * A padded tensor as its border, in slabs, and what it is padded around:
 *
 *                                      %whole = tensor.empty()
 *     %p = tensor.pad %a { %v }   →    %1 = tensor.insert_slice %a into %whole[low] …
 *                                      %top = linalg.fill ins(%v) outs(tensor.empty())
 *                                      %2 = tensor.insert_slice %top into %1[0] …
 */
import type { MixedSlice } from '@sconv/dialects';
import { createConstantValue, insertSliceState } from '@sconv/dialects';
import { fill, namedOpBody } from '@sconv/dialects/linalg';
import { empty, pad } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { constantValueOf, isStaticShape, tensorType } from '@sconv/ir';

/** Rewrites a `tensor.pad` of static sizes by one value; leaves any other. */
export const insertIntoBorder = (rewriter: Rewriter, operation: DraftOperation): void => {
  const type = operation.results[0]!.type as TensorType;
  const { source } = pad.operands(operation);
  const { staticLow, staticHigh } = pad.attributes(operation);
  const amounts = [...staticLow, ...staticHigh];
  const isBorder = amounts.every((each) => each >= 0) && amounts.some((each) => each > 0);
  const isKnown = operation.operands.length === 1 && isStaticShape(type) && isBorder;
  rewriter.setInsertionPointBefore(operation);
  const value = isKnown ? paddingValue(rewriter, operation) : undefined;
  if (value === undefined) return;
  const filled = (shape: readonly number[]): Value => {
    const part = tensorType(shape, type.elementType);
    const dest = rewriter.createValue(empty.state({ resultTypes: [part] }));
    const bodies = [namedOpBody(fill, [value, dest])];
    const operands = { inputs: [value], outputs: [dest] };
    return rewriter.createValue(fill.state<Rewriter>({ operands, resultTypes: [part], bodies }));
  };
  const inner = source.type.shape;
  const whole = rewriter.createValue(empty.state({ resultTypes: [type] }));
  const padded = slabsOf(inner, staticLow, staticHigh).reduce(
    (dest, slab) => rewriter.createValue(insertSliceState(filled(slab.sizes), dest, sliceOf(slab))),
    rewriter.createValue(insertSliceState(source, whole, sliceOf({ offsets: staticLow, sizes: inner }))),
  );
  rewriter.replaceOperation(operation, [padded]);
};

/** The value of all of a padding, if it is a constant or made outside of its body. */
const paddingValue = (rewriter: Rewriter, operation: DraftOperation): Value | undefined => {
  const value = operation.regions[0]!.blocks[0]!.last!.operands[0]!;
  if (rewriter.isDefinedOutside(value, operation)) return value;
  const definition = rewriter.definingOperation(value);
  const constant = definition && constantValueOf(rewriter.registry, definition);
  return constant && createConstantValue(rewriter, constant, value.type);
};

interface Box {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
}

/** What of a border is before and after the middle, by dimension: within it along those before. */
const slabsOf = (inner: readonly number[], low: readonly number[], high: readonly number[]): readonly Box[] =>
  inner.flatMap((size, d) =>
    [
      { offset: 0, extent: low[d]! },
      { offset: low[d]! + size, extent: high[d]! },
    ].flatMap(({ offset, extent }) => {
      if (extent === 0) return [];
      const along = <T>(middle: readonly T[], own: T, rest: (i: number) => T): readonly T[] =>
        middle.map((each, i) => (i < d ? each : i === d ? own : rest(i)));
      return [
        {
          offsets: along(low, offset, () => 0),
          sizes: along(inner, extent, (i) => low[i]! + inner[i]! + high[i]!),
        },
      ];
    }),
  );

const sliceOf = ({ offsets, sizes }: Box): MixedSlice => ({ offsets, sizes, strides: sizes.map(() => 1) });
