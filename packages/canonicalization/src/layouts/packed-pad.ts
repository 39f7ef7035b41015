/** `tensor.pad` of a packed tensor. */
import type { PackTiling } from '@sconv/dialects';
import { indexNumber, permuted, sliceOperands } from '@sconv/dialects';
import type { MixedPadding } from '@sconv/dialects/tensor';
import { mixedPadding, pad, paddedShape, yieldOp } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, indexType, tensorType, terminatorOf } from '@sconv/ir';

/** What a padded tensor that is packed is padded by, in the dimensions of its tiles. */
interface PackedPadding extends MixedPadding {
  readonly value: Value;
}

/** Undefined if a tiled dimension is padded, or if the padding is not one value. */
export const packedPadding = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { innerDimsPos, outerDimsPerm }: PackTiling,
): PackedPadding | undefined => {
  const { low, high } = mixedPadding(operation);
  const isPadded = (dimension: number): boolean =>
    [low, high].some((sizes) => indexNumber(rewriter, sizes[dimension]!) !== 0);
  const [value] = terminatorOf(bodyOf(operation)).operands;
  if (value === undefined || !rewriter.isDefinedOutside(value, operation)) return undefined;
  if (innerDimsPos.some(isPadded)) return undefined;
  const inTiles = innerDimsPos.map(() => 0);
  return {
    low: [...permuted(low, outerDimsPerm), ...inTiles],
    high: [...permuted(high, outerDimsPerm), ...inTiles],
    value,
  };
};

/** The type of a padded packed tensor. */
export const packedPadType = ({ shape, elementType }: TensorType, padding: PackedPadding): TensorType =>
  tensorType(paddedShape(shape, padding), elementType);

/** A `tensor.pad` like `operation` of a packed tensor. */
export const createPackedPad = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: Value<TensorType>,
  padding: PackedPadding,
): Value<TensorType> => {
  const [low, high] = [sliceOperands(padding.low), sliceOperands(padding.high)];
  return rewriter.createValue(
    pad.state<Rewriter>({
      operands: { source, low: low.dynamic, high: high.dynamic },
      attributes: {
        staticLow: low.static,
        staticHigh: high.static,
        nofold: pad.attributes(operation).nofold,
      },
      resultTypes: [packedPadType(source.type, padding)],
      bodies: [
        {
          argumentTypes: padding.low.map(() => indexType),
          build: (body) => body.create(yieldOp.state({ operands: { value: padding.value } })),
        },
      ],
    }),
  ) as Value<TensorType>;
};
