/** Makes a matrix product or a two-dimensional convolution of any contraction, by reshaping its operands. */
import type { AffineMap } from '@sconv/affine';
import { makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Reassociation } from '@sconv/dialects';
import {
  createEmpty,
  createFill,
  createGenericLike,
  createTranspose,
  extractSliceState,
  inferCollapsedType,
  insertSliceState,
  sliceAtOrigin,
} from '@sconv/dialects';
import { fill, isConvertedMultiplyAdd, structured } from '@sconv/dialects/linalg';
import { collapseShape, expandShape } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, tensorType } from '@sconv/ir';
import type { OperandLayout } from './contraction-layout.ts';
import { contractionLayout } from './contraction-layout.ts';
import { contractionOf, factorPositions } from './contraction-of.ts';
import { formMaps } from './convolution-geometry.ts';

type TensorValue = Value<TensorType>;

/**
 * Replaces a contraction without groups by a `linalg.generic` with the maps of a matrix product, or of a
 * `linalg.conv_2d_nchw_fchw`, `conv_2d_nhwc_hwcf` or `conv_2d_nhwc_fhwc` where an operand has windows. Dimensions of
 * one index are dropped, those of a kind fused, missing ones added; an operand whose elements lie otherwise is
 * transposed.
 *
 *     %r = linalg.generic (a, b, d, c) ins(%x: [a, b, c], %y: [c, d]) outs(%z: [a, b, d])
 *     →  %cx = tensor.collapse_shape %x [[0, 1], [2]]    and %cz of %z likewise
 *        %p = linalg.generic (m, n, k) ins(%cx: [m, k], %y: [k, n]) outs(%cz: [m, n])
 *        %r = tensor.expand_shape %p [[0, 1], [2]]
 *
 * Fails with `normalize-contraction/not-a-contraction` for an op of another structure or body.
 */
export const normalizeContractionOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  const view = structured(rewriter.registry, operation);
  const contraction = view && operation.results.length > 0 ? contractionOf(view) : undefined;
  const layout = contraction && contractionLayout(contraction, []);
  if (view === undefined || layout === undefined || !isConvertedMultiplyAdd(bodyOf(operation))) {
    return silenceableError(
      'normalize-contraction/not-a-contraction',
      'expected a sum of products on tensors of static shape, indexed by dimensions, or by windows and their taps, ' +
        'that are not in all operands: tile those that are by 1 first',
      operation,
    );
  }
  const { form, geometry, factors, operands } = layout;
  const [input, filters, output] = operands;
  const positions = factorPositions(view);
  const [data, weights] = factors.map((each) => positions[each]!);
  rewriter.setInsertionPointBefore(operation);
  const sum = view.outputs[0] as TensorValue;
  const operandsOf = <T>(ofInput: T, ofFilters: T): readonly T[] =>
    form.operands[0] === 0 ? [ofInput, ofFilters] : [ofFilters, ofInput];
  const others = view.inputs.flatMap((_, i) => (positions.includes(i) ? [] : [i]));
  const [inputMap, filtersMap, outputMap] = formMaps(form, geometry);
  const made = createGenericLike(rewriter, operation, {
    inputs: [
      ...operandsOf(
        reshaped(rewriter, view.inputs[data!] as TensorValue, input),
        reshaped(rewriter, view.inputs[weights!] as TensorValue, filters),
      ),
      ...others.map((i) => view.inputs[i]!),
    ],
    outputs: [reshaped(rewriter, sum, output)],
    indexingMaps: [...operandsOf(inputMap, filtersMap), ...others.map(() => scalarMap(outputMap)), outputMap],
    iteratorTypes: Array.from({ length: outputMap.numDims }, (_, i) =>
      i < form.output.length ? 'parallel' : 'reduction',
    ),
  });
  const body = bodyOf(operation);
  // Where each argument of the old body is among those of the new one.
  const from = [...operandsOf(data!, weights!), ...others, view.inputs.length];
  const block = rewriter.createBlock(
    made.regions[0]!,
    from.map((position) => body.arguments[position]!.type),
  );
  rewriter.setInsertionPointToEnd(block);
  rewriter.inlineBlock(
    body,
    body.arguments.map((_, position) => block.arguments[from.indexOf(position)]!),
  );
  rewriter.setInsertionPointAfter(made);
  const result = restored(rewriter, made.results[0] as TensorValue, sum, output);
  rewriter.replaceOperation(operation, [result], [made]);
  return success(made);
};

/** The map of a scalar operand beside others. */
const scalarMap = ({ numDims }: AffineMap): AffineMap => makeMap(numDims, 0, []);

/** The dimensions of an operand that are kept, in its own order. */
const keptDimensions = ({ order }: OperandLayout): readonly number[] => order.toSorted((a, b) => a - b);

/** Whether all of an operand is kept. */
const isWhole = ({ shape }: TensorType, { sizes, order }: OperandLayout): boolean =>
  order.length === shape.length && sizes.every((size, i) => size === shape[i]);

/** The permutation that brings what is kept into the order of the letters. */
const permutationOf = (layout: OperandLayout): readonly number[] => {
  const kept = keptDimensions(layout);
  return layout.order.map((position) => kept.indexOf(position));
};

/** The groups of fused dimensions, of those that there are. */
const fusions = ({ fused }: OperandLayout): Reassociation => {
  let next = 0;
  return fused.filter((count) => count > 0).map((count) => Array.from({ length: count }, () => next++));
};

/** The groups of dimensions, of which one at most has several indices, that missing ones are added to. */
const additions = ({ fused }: OperandLayout): Reassociation => {
  const groups: number[][] = [];
  const first = fused.findIndex((count) => count > 0);
  if (first < 0) return [];
  for (const [i, count] of fused.entries())
    if (i === first) groups.push(Array.from({ length: i + 1 }, (_, each) => each));
    else if (i > first && count > 0) groups.push([i]);
    else groups.at(-1)?.push(i);
  return groups;
};

const isFused = ({ fused }: OperandLayout): boolean => fused.some((count) => count > 1);
const lacksSome = ({ fused }: OperandLayout): boolean => fused.includes(0);

/** An operand in the layout of a form. */
const reshaped = (rewriter: Rewriter, operand: TensorValue, layout: OperandLayout): TensorValue => {
  const { elementType } = operand.type;
  const scalar = rewriter.definingOperation(operand);
  const isFilled = layout.isTransposed && scalar !== undefined && fill.is(scalar);
  const { sizes, order } = layout;
  const inOrder = order.map((position) => sizes[position]!);
  let value = operand;
  if (isFilled) {
    const init = createEmpty(rewriter, inOrder, elementType);
    value = createFill(rewriter, scalar.operands[0]!, init, scalar.location).results[0] as TensorValue;
  } else {
    if (!isWhole(operand.type, layout)) {
      const type = tensorType(
        keptDimensions(layout).map((position) => sizes[position]!),
        elementType,
      );
      value = rewriter.createValue(extractSliceState(value, sliceAtOrigin(sizes), type)) as TensorValue;
    }
    if (layout.isTransposed) {
      const init = createEmpty(rewriter, inOrder, elementType);
      value = createTranspose(rewriter, value, init, permutationOf(layout)).results[0] as TensorValue;
    }
  }
  if (isFused(layout)) value = collapsed(rewriter, value, fusions(layout));
  return lacksSome(layout) ? expanded(rewriter, value, sizesOf(layout), additions(layout)) : value;
};

/** The size of each letter. */
const sizesOf = ({ fused, order, sizes }: OperandLayout): readonly number[] => {
  let next = 0;
  return fused.map((count) => {
    let size = 1;
    for (let i = 0; i < count; i += 1) size *= sizes[order[next++]!]!;
    return size;
  });
};

/** The result in the layout of a form, as it was: `reshaped` backwards, into `destination`. */
const restored = (
  rewriter: Rewriter,
  result: TensorValue,
  destination: TensorValue,
  layout: OperandLayout,
): TensorValue => {
  const { sizes, order } = layout;
  let value = result;
  if (lacksSome(layout)) value = collapsed(rewriter, value, additions(layout));
  if (isFused(layout))
    value = expanded(
      rewriter,
      value,
      order.map((position) => sizes[position]!),
      fusions(layout),
    );
  if (layout.isTransposed) {
    const kept = keptDimensions(layout);
    const init = createEmpty(
      rewriter,
      kept.map((position) => sizes[position]!),
      value.type.elementType,
    );
    const back = kept.map((position) => order.indexOf(position));
    value = createTranspose(rewriter, value, init, back).results[0] as TensorValue;
  }
  if (isWhole(destination.type, layout)) return value;
  return rewriter.createValue(insertSliceState(value, destination, sliceAtOrigin(sizes))) as TensorValue;
};

const collapsed = (rewriter: Rewriter, src: TensorValue, reassociation: Reassociation): TensorValue =>
  rewriter.createValue(
    collapseShape.state({
      operands: { src },
      attributes: { reassociation },
      resultTypes: [inferCollapsedType(src.type, reassociation)],
    }),
  ) as TensorValue;

const expanded = (
  rewriter: Rewriter,
  src: TensorValue,
  sizes: readonly number[],
  reassociation: Reassociation,
): TensorValue =>
  rewriter.createValue(
    expandShape.state({
      operands: { src, outputShape: [] },
      attributes: { reassociation, staticOutputShape: sizes },
      resultTypes: [tensorType(sizes, src.type.elementType)],
    }),
  ) as TensorValue;
