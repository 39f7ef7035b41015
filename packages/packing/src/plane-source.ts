/** What the planes of an operand are packed from: the tensor before its padding. */
import { affineMap } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, createConstantValue, mixedSlice, zeroOf } from '@sconv/dialects';
import { extractSlice, mixedPadding, pad } from '@sconv/dialects/tensor';
import type { Attribute, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, constantValueOf, isStaticShape, terminatorOf } from '@sconv/ir';

/** A tensor of images x channels x rows x columns within a margin. */
export interface PlaneSource {
  readonly tensor: Value<TensorType>;
  /** The slices of it whose planes are meant, outermost first: their images and channels begin at the sum of these. */
  readonly offsets: readonly (readonly [MixedIndex, MixedIndex])[];
  /** Rows above it, and columns before it. */
  readonly low: readonly [number, number];
  /** What is in the margin; undefined where there is none. */
  readonly padding: Value | Attribute | undefined;
}

/** The source of an operand: the tensor that it pads, or pads and slices, with a margin of known size, or itself. */
export const planeSource = (rewriter: Rewriter, operand: Value<TensorType>): PlaneSource => {
  const offsets: (readonly [MixedIndex, MixedIndex])[] = [];
  let definition = rewriter.definingOperation(operand);
  while (definition !== undefined && extractSlice.is(definition)) {
    const { source } = extractSlice.operands(definition);
    const slice = mixedSlice(definition);
    const [image, channel, ...plane] = slice.offsets;
    const isWhole =
      source.type.shape.length === 4 &&
      extractSlice.results(definition).result.type.shape.length === 4 &&
      slice.strides.every((stride) => stride === 1) &&
      plane.every((offset, i) => offset === 0 && slice.sizes[i + 2] === source.type.shape[i + 2]);
    if (!isWhole) break;
    offsets.unshift([image!, channel!]);
    definition = rewriter.definingOperation(source);
  }
  return (definition && paddedSource(rewriter, definition, offsets)) ?? unpadded(operand);
};

const unpadded = (tensor: Value<TensorType>): PlaneSource => ({
  ...{ tensor, offsets: [], low: [0, 0], padding: undefined },
});

const paddedSource = (
  rewriter: Rewriter,
  definition: DraftOperation,
  offsets: PlaneSource['offsets'],
): PlaneSource | undefined => {
  if (!pad.is(definition)) return undefined;
  const { source } = pad.operands(definition);
  const { low, high } = mixedPadding(definition);
  const [image, channel, row, column] = low;
  const isOfPlanes = [image, channel, ...high.slice(0, 2)].every((size) => size === 0);
  const areKnown = typeof row === 'number' && typeof column === 'number' && row >= 0 && column >= 0;
  if (!isOfPlanes || !areKnown || source.type.shape.length !== 4 || !isStaticShape(source.type))
    return undefined;
  if (high.some((size) => typeof size !== 'number' || size < 0)) return undefined;
  const yielded = terminatorOf(bodyOf(definition)).operands[0]!;
  const value = rewriter.definingOperation(yielded);
  const padding = rewriter.isDefinedOutside(yielded, definition)
    ? yielded
    : value && constantValueOf(rewriter.registry, value);
  return padding && { tensor: source, offsets, low: [row, column], padding };
};

/** What is in the margin, as a value; zeros where there is none. */
export const paddingOf = (rewriter: Rewriter, { padding, tensor }: PlaneSource): Value => {
  if (padding !== undefined && 'id' in padding) return padding;
  const { elementType } = tensor.type;
  return createConstantValue(rewriter, padding ?? zeroOf(elementType)!, elementType);
};

const sum = affineMap('()[s0, s1] -> (s0 + s1)');

/** An image and a channel of an operand as those of its source. */
export const placeInSource = (
  rewriter: Rewriter,
  { offsets }: PlaneSource,
  at: readonly [MixedIndex, MixedIndex],
): readonly [MixedIndex, MixedIndex] =>
  offsets.reduce<readonly [MixedIndex, MixedIndex]>(
    ([image, channel], [ofImage, ofChannel]) => [
      applyFolded(rewriter, sum, [image, ofImage]),
      applyFolded(rewriter, sum, [channel, ofChannel]),
    ],
    at,
  );
