/**
 * Convolutions as Winograd's minimal filtering: the transforms of filter and input, a product per element of a tile,
 * and the transform of the output (upstream's `winogradConv2D`).
 *
 * @deviation The product starts from zeros, where upstream accumulates onto an uninitialized tensor; and what the
 * output held is added to the result, where upstream overwrites it, unless it held zeros.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import {
  createCollapse,
  createConstantValue,
  createEmpty,
  createExpand,
  createFill,
  createPad,
  extractSliceState,
  sliceAtOrigin,
  zeroOf,
  isStaticTensorValue,
} from '@sconv/dialects';
import {
  add,
  batchMatmul,
  conv2dNhwcFhwc,
  fill,
  winogradFilterTransform,
  winogradInputTransform,
  winogradMatrices,
  winogradOutputTransform,
} from '@sconv/dialects/linalg';
import { empty } from '@sconv/dialects/tensor';
import type { DraftOperation, OpDefinition, Rewriter, TensorType, Type, Value } from '@sconv/ir';
import { builder, constantValueOf, i64, integerAttribute, tensorType } from '@sconv/ir';

/** A tensor of this type, of zeros. */
export const createZeroTensor = (
  rewriter: Rewriter,
  { shape, elementType }: TensorType,
  { location }: DraftOperation,
): Value<TensorType> => {
  const zero = createConstantValue(rewriter, zeroOf(elementType)!, elementType);
  return createFill(rewriter, zero, createEmpty(rewriter, shape, elementType), location)
    .results[0] as Value<TensorType>;
};

/** Whether a tensor is known to hold zeros, or nothing that was written. */
const holdsNothing = (rewriter: Rewriter, value: Value): boolean => {
  const source = rewriter.definingOperation(value);
  if (source === undefined || !fill.is(source)) return source !== undefined && empty.is(source);
  const constant = rewriter.definingOperation(source.operands[0]!);
  const filled = constant && constantValueOf(rewriter.registry, constant);
  return filled?.kind === 'float' && filled.value === 0;
};

/** F(m × m, r × r). */
interface Minimal {
  /** The size of a tile of the output. */
  readonly m: number;
  /** The size of the filter. */
  readonly r: number;
}

/** One spatial dimension of the convolution, in tiles. */
interface Tiling {
  readonly tiles: number;
  /** The size of a tile of the input. */
  readonly alpha: number;
  readonly alignedInput: number;
  readonly alignedOutput: number;
}

const tilingOf = (output: number, filter: number, { m, r }: Minimal): Tiling => {
  const [step, taps] = filter === 1 ? [1, 1] : [m, r];
  const tiles = Math.ceil(output / step);
  return {
    tiles,
    alpha: step + taps - 1,
    alignedInput: tiles * step + taps - 1,
    alignedOutput: tiles * step,
  };
};

/** Why a convolution is not rewritten; undefined if it can be. */
const refusal = (operation: DraftOperation, { m, r }: Minimal): string | undefined => {
  const tensors = operation.operands.filter(isStaticTensorValue);
  const [input, filter] = tensors.map(({ type }) => type.shape);
  if (tensors.length < 3) return 'expected tensors of static shape';
  if (tensors.some(({ type }) => type.elementType.kind !== 'float'))
    return 'expected floating-point elements';
  if (tensors.some(({ type: { shape } }) => !Number.isSafeInteger(shape.reduce((a, b) => a * b, 1))))
    return 'expected fewer than 2^53 elements';
  const { strides, dilations } = conv2dNhwcFhwc.attributes(operation);
  if (dilations.some((step) => step !== 1)) return 'expected all ones for dilations';
  if (strides.some((step) => step !== 1)) return 'expected all ones for strides';
  const window = filter!.slice(1, 3);
  if (!window.includes(r) || window.some((size) => size !== r && size !== 1))
    return 'only support filter (r x r), (r x 1) or (1 x r)';
  // The transform of the input takes its direction from the sizes of the input: upstream makes invalid operations.
  if (window.some((size, i) => size === 1 && input![i + 1] !== 1))
    return 'expected an input of one row or column for a filter of one row or column';
  if (winogradMatrices(m, r) === undefined) return 'only support F(2, 3), F(4, 3) and F(2, 5)';
  return undefined;
};

/** One of the three transforms, into `output`. */
const createTransform = (
  rewriter: Rewriter,
  { location }: DraftOperation,
  { name }: OpDefinition,
  [source, output]: readonly [Value<TensorType>, Value<TensorType>],
  { m, r }: Minimal,
): Value<TensorType> =>
  rewriter.createValue({
    name,
    operands: [source, output],
    resultTypes: [output.type],
    attributes: { m: integerAttribute(m, i64), r: integerAttribute(r, i64) },
    location,
  }) as Value<TensorType>;

/** The batched product of a tile's elements: `[alphaH, alphaW, tileH, tileW, N, F]`. */
const createProduct = (
  rewriter: Rewriter,
  operation: DraftOperation,
  filter: Value<TensorType>,
  input: Value<TensorType>,
  elementType: Type,
): Value<TensorType> => {
  const filters = createCollapse(rewriter, filter, [[0, 1], [2], [3]]);
  const inputs = createCollapse(rewriter, input, [[0, 1], [2, 3, 4], [5]]);
  const [elements, windows] = inputs.type.shape as readonly [number, number];
  const filtersCount = filter.type.shape[3]!;
  const type = tensorType([elements, windows, filtersCount], elementType);
  const zeros = createZeroTensor(rewriter, type, operation);
  const [product] = builder(rewriter)(
    batchMatmul,
    { inputs: [inputs, filters], outputs: [zeros] },
    { resultTypes: [type] },
  );
  const shape = [...input.type.shape.slice(0, 5), filtersCount];
  return createExpand(rewriter, product!, shape, [[0, 1], [2, 3, 4], [5]]);
};

/** Zeros after the last row and column, up to these sizes. */
const padded = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  shape: readonly number[],
): Value<TensorType> => {
  const high = shape.map((size, i) => size - source.type.shape[i]!);
  if (high.every((size) => size === 0)) return source;
  const { elementType } = source.type;
  const zero = createConstantValue(rewriter, zeroOf(elementType)!, elementType);
  return createPad(rewriter, source, high, zero, shape);
};

/**
 * Rewrites a `linalg.conv_2d_nhwc_fhwc` on tensors of static shape, with unit strides and dilations, by
 * F(m × m, r × r), F(m × 1, r × 1) or F(1 × m, 1 × r). Returns the op that computes the result.
 */
export const winogradConv2dOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  minimal: Minimal,
): Diagnosed<DraftOperation> => {
  if (!conv2dNhwcFhwc.is(operation))
    return silenceableError(
      'winograd-conv2d/target',
      'this operation is not supported to convert to Winograd Conv2D',
      operation,
    );
  const reason = refusal(operation, minimal);
  if (reason !== undefined)
    return silenceableError('winograd-conv2d/shape', `apply Winograd Conv2D failed: ${reason}`, operation);
  const [input, filter, output] = operation.operands as readonly Value<TensorType>[] as readonly [
    Value<TensorType>,
    Value<TensorType>,
    Value<TensorType>,
  ];
  const [filters, height, width, channels] = filter.type.shape as readonly [number, number, number, number];
  const [images, outputHeight, outputWidth] = output.type.shape as readonly [number, number, number];
  const vertical = tilingOf(outputHeight, height, minimal);
  const horizontal = tilingOf(outputWidth, width, minimal);
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);

  // 1. The filters, the input and their product.
  const alphas = [vertical.alpha, horizontal.alpha];
  const filterInit = createEmpty(rewriter, [...alphas, channels, filters], filter.type.elementType);
  const newFilter = createTransform(
    rewriter,
    operation,
    winogradFilterTransform,
    [filter, filterInit],
    minimal,
  );
  const whole = [images, vertical.alignedInput, horizontal.alignedInput, channels];
  const aligned = padded(rewriter, input, whole);
  const tiles = [vertical.tiles, horizontal.tiles];
  const inputInit = createEmpty(rewriter, [...alphas, ...tiles, images, channels], input.type.elementType);
  const newInput = createTransform(
    rewriter,
    operation,
    winogradInputTransform,
    [aligned, inputInit],
    minimal,
  );
  const value = createProduct(rewriter, operation, newFilter, newInput, output.type.elementType);

  // 2. The output, without the rows and columns that only fill its tiles.
  const destination = padded(rewriter, output, [
    images,
    vertical.alignedOutput,
    horizontal.alignedOutput,
    filters,
  ]);
  let result: Value = createTransform(
    rewriter,
    operation,
    winogradOutputTransform,
    [value, destination],
    minimal,
  );
  if (destination !== output) {
    const { type } = output;
    result = rewriter.createValue(extractSliceState(result, sliceAtOrigin(type.shape), type));
  }

  // 3. What the output held.
  if (!holdsNothing(rewriter, output)) {
    const sum = b(add, { inputs: [result, output], outputs: [output] }, { resultTypes: [output.type] });
    result = (sum as readonly Value[])[0]!;
  }
  const created = rewriter.definingOperation(result)!;
  rewriter.replaceOperation(operation, [result], [created]);
  return success(created);
};
