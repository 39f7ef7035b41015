/** Lowers 2d convolutions and poolings with a single row or column to 1d ones (upstream's `Downscale…`). */
import type { Diagnosed } from '@sconv/diagnostics';
import { failedWhenApplied, success } from '@sconv/diagnostics';
import type { MixedSlice } from '@sconv/dialects';
import {
  createNamed,
  createSize,
  extractSliceState,
  insertSliceState,
  sliceAtOrigin,
  isTensorValue,
} from '@sconv/dialects';
import * as linalg from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { denseElementsAttribute, i64, tensorType, vectorType } from '@sconv/ir';

/** The row and column dimensions of input, kernel and output. */
type Axes = readonly (readonly [row: number, column: number])[];

const channelsLast: Axes = [
  [1, 2],
  [0, 1],
  [1, 2],
];
const channelsFirst: Axes = [
  [2, 3],
  [2, 3],
  [2, 3],
];
const pooledChannelsFirst: Axes = [
  [2, 3],
  [0, 1],
  [2, 3],
];
const plain: Axes = [
  [0, 1],
  [0, 1],
  [0, 1],
];

const smaller = [
  { from: linalg.conv2dNhwcHwcf, to: linalg.conv1dNwcWcf, axes: channelsLast },
  { from: linalg.conv2dNchwFchw, to: linalg.conv1dNcwFcw, axes: channelsFirst },
  { from: linalg.depthwiseConv2dNhwcHwc, to: linalg.depthwiseConv1dNwcWc, axes: channelsLast },
  { from: linalg.conv2d, to: linalg.conv1d, axes: plain },
  { from: linalg.poolingNhwcSum, to: linalg.poolingNwcSum, axes: channelsLast },
  { from: linalg.poolingNchwSum, to: linalg.poolingNcwSum, axes: pooledChannelsFirst },
  { from: linalg.poolingNhwcMax, to: linalg.poolingNwcMax, axes: channelsLast },
  { from: linalg.poolingNhwcMaxUnsigned, to: linalg.poolingNwcMaxUnsigned, axes: channelsLast },
  { from: linalg.poolingNhwcMin, to: linalg.poolingNwcMin, axes: channelsLast },
  { from: linalg.poolingNhwcMinUnsigned, to: linalg.poolingNwcMinUnsigned, axes: channelsLast },
  { from: linalg.poolingNchwMax, to: linalg.poolingNcwMax, axes: pooledChannelsFirst },
];

/** Replaces a 2d convolution or pooling whose kernel and output have one row or column by a 1d one on slices. */
export const decomposeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const found = smaller.find(({ from }) => from.is(operation));
  const tensors = operation.operands.filter(isTensorValue);
  const [input, kernel, output] = tensors;
  const axis = [0, 1].find((each) =>
    [1, 2].every((i) => tensors[i]?.type.shape[found?.axes[i]![each] ?? 0] === 1),
  );
  if (
    found === undefined ||
    axis === undefined ||
    input === undefined ||
    kernel === undefined ||
    output === undefined
  ) {
    return failedWhenApplied(
      'decompose/target',
      'transform.structured.decompose failed to apply: expected a convolution or pooling of tensors ' +
        'with one row or column',
      operation,
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const [inputs, outputs] = [[input, kernel], [output]].map((values, group) =>
    values.map((value, i) => createRow(rewriter, value, found.axes[group * 2 + i]![axis]!)),
  );
  const created = createNamed(rewriter, operation, found.to, {
    inputs: inputs!,
    outputs: outputs!,
    attributes: {
      ...factorOf(operation, found.from, 'dilations', axis),
      ...factorOf(operation, found.from, 'strides', axis),
    },
  });
  const dropped = found.axes[2]![axis]!;
  const inserted = rewriter.createValue(
    insertSliceState(created.results[0]!, output, rowOf(rewriter, output, dropped)),
  );
  rewriter.replaceOperation(operation, [inserted], [created]);
  return success(created);
};

/** The slice of a tensor at index 0 of dimension `dropped`. */
const rowOf = (rewriter: Rewriter, value: Value<TensorType>, dropped: number): MixedSlice =>
  sliceAtOrigin(
    value.type.shape.map((_, dimension) =>
      dimension === dropped ? 1 : createSize(rewriter, value, dimension),
    ),
  );

const createRow = (rewriter: Rewriter, value: Value<TensorType>, dropped: number): Value => {
  const { shape, elementType } = value.type;
  const type = tensorType(shape.toSpliced(dropped, 1), elementType);
  return rewriter.createValue(extractSliceState(value, rowOf(rewriter, value, dropped), type));
};

/** Strides or dilations without the dropped axis, as a vector. */
const factorOf = (
  operation: DraftOperation,
  definition: (typeof smaller)[number]['from'],
  name: 'strides' | 'dilations',
  axis: number,
) => {
  const values = (definition.attributes(operation) as Partial<Record<typeof name, readonly number[]>>)[name];
  if (values === undefined) return {};
  const rest = values.toSpliced(axis, 1).map(BigInt);
  return { [name]: denseElementsAttribute(rest, vectorType([rest.length], i64)) };
};
