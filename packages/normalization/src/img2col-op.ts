/**
 * Convolutions as matrix products: a `linalg.generic` gathers each window into a row (or column) of a matrix, and a
 * second one multiplies it with the filters (upstream's `rewriteInIm2Col`).
 *
 * Expanded, the first one has a dimension for each of image, channel, row and column of the taps, and row and column of
 * the windows, and is collapsed to the matrix: it computes no indices, and copies rows, or channels, as they lie.
 *
 * @deviation Also accepts dilated convolutions, and depthwise ones with several images, for which upstream creates a
 * product with mismatched operands.
 */
import type { AffineMap } from '@sconv/affine';
import { affineMap, dim, identityMap, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { failedWhenApplied, success } from '@sconv/diagnostics';
import {
  applyFolded,
  createCollapse,
  createEmpty,
  createExpand,
  indexValue,
  isStaticTensorValue,
} from '@sconv/dialects';
import type { IteratorType } from '@sconv/dialects/linalg';
import {
  batchMatvec,
  copyBody,
  conv2dNchwFchw,
  conv2dNhwcFhwc,
  conv2dNhwcHwcf,
  depthwiseConv2dNhwcHwc,
  generic,
  index,
  multiplyThenAdd,
  scalarBody,
  yieldOp,
} from '@sconv/dialects/linalg';
import type { MixedIndex } from '@sconv/dialects/tensor';
import { extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { builder, elementCount } from '@sconv/ir';
import { delinearized } from './delinearized.ts';

/** The op that gathers the windows, and the op that computes the result. */
export interface Img2colResult {
  readonly windows: DraftOperation;
  readonly result: DraftOperation;
}

/** The operands of a convolution, with strides and dilations along height and width. */
interface Convolution {
  readonly input: Value<TensorType>;
  readonly filter: Value<TensorType>;
  readonly output: Value<TensorType>;
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
}

/** How the windows are gathered. */
export interface Img2colOptions {
  /** By a dimension for each index instead of by index arithmetic on those of the matrix. */
  readonly expanded?: boolean;
}

/** Upstream's message where the op does not apply. */
const refused = (code: string, operation: DraftOperation, reason: string) =>
  failedWhenApplied(
    code,
    `transform.structured.convert_conv2d_to_img2col failed to apply: ${reason}`,
    operation,
  );

/**
 * Rewrites a `linalg.conv_2d_nhwc_hwcf`, `conv_2d_nhwc_fhwc`, `conv_2d_nchw_fchw` or `depthwise_conv_2d_nhwc_hwc` on
 * tensors of static shape as a matrix product. Of an expanded convolution of one tap whose windows are next to each
 * other, the matrix is the input: nothing is copied.
 */
export const img2colOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { expanded = false }: Img2colOptions = {},
): Diagnosed<Img2colResult> => {
  const lower = lowerings.find(({ definition }) => definition.is(operation));
  if (lower === undefined) {
    return refused(
      'img2col/not-a-convolution',
      operation,
      'expected a 2d convolution of one of four layouts',
    );
  }
  const { inputs, outputs } = lower.definition.operands(operation);
  const tensors = [...inputs, ...outputs].filter(isStaticTensorValue);
  const [input, filter, output] = tensors;
  if (input === undefined || filter === undefined || output === undefined) {
    return refused('img2col/shape', operation, 'expected tensors of static shape');
  }
  if (
    tensors.some(({ type: { shape } }) => shape.includes(0) || !Number.isSafeInteger(elementCount(shape)))
  ) {
    return refused('img2col/shape', operation, 'expected sizes of at least 1, of fewer than 2^53 elements');
  }
  const { strides, dilations } = lower.definition.attributes(operation);
  rewriter.setInsertionPointBefore(operation);
  const { windows, result } = lower.rewrite(
    rewriter,
    { input, filter, output, strides, dilations },
    expanded,
  );
  rewriter.replaceOperation(operation, [result], [rewriter.definingOperation(result)!]);
  return success({ windows, result: rewriter.definingOperation(result)! });
};

interface Lowered {
  readonly windows: DraftOperation;
  readonly result: Value;
}

const parallel = (count: number): readonly IteratorType[] => Array.from({ length: count }, () => 'parallel');

/** The input row or column read by filter tap `tap` of window `window`. */
const convolved = (
  rewriter: Rewriter,
  window: MixedIndex,
  tap: MixedIndex,
  stride: number,
  dilation: number,
): MixedIndex =>
  applyFolded(rewriter, makeMap(2, 0, [dim(0).mul(stride).add(dim(1).mul(dilation))]), [window, tap]);

/**
 * How the three dimensions of the matrix (image, then `windows` and `taps` in either order) enumerate windows and
 * taps.
 */
interface WindowMatrix {
  /** The dimension that enumerates windows (output rows and columns); the other enumerates taps (`tapSizes`). */
  readonly windowDimension: 1 | 2;
  readonly outputSizes: readonly number[];
  readonly tapSizes: readonly number[];
  /** The positions of channel, row and column of the filter in `tapSizes`. */
  readonly taps: { readonly channel: number; readonly row: number; readonly column: number };
  readonly isChannelFirst: boolean;
}

/** The matrix of windows, and the op that gathers them. */
interface Windows {
  readonly gathering: DraftOperation;
  readonly matrix: Value;
}

/** Gathers each window of the input into a row or column of a matrix. */
const createWindows = (
  rewriter: Rewriter,
  convolution: Convolution,
  matrix: WindowMatrix,
  expanded: boolean,
): Windows => {
  if (expanded) return createExpandedWindows(rewriter, convolution, matrix);
  const gathering = createGather(rewriter, convolution, matrix);
  return { gathering, matrix: gathering.results[0]! };
};

/** A copy with a dimension for each index, collapsed. */
const createExpandedWindows = (
  rewriter: Rewriter,
  { input, strides, dilations }: Convolution,
  { windowDimension, outputSizes, tapSizes, taps, isChannelFirst }: WindowMatrix,
): Windows => {
  const { shape } = input.type;
  const isInPlace =
    tapSizes[taps.row] === 1 &&
    tapSizes[taps.column] === 1 &&
    strides.every((stride) => stride === 1) &&
    outputSizes.every((size, i) => size === shape[isChannelFirst ? 2 + i : 1 + i]);
  if (isInPlace) {
    const matrix = createCollapse(rewriter, input, isChannelFirst ? [[0], [1], [2, 3]] : [[0], [1, 2], [3]]);
    return { gathering: rewriter.definingOperation(matrix)!, matrix };
  }
  const windowsFirst = windowDimension === 1;
  const [firstWindow, firstTap] = windowsFirst ? [1, 3] : [4, 1];
  const position = (axis: 0 | 1, tap: number) =>
    dim(firstWindow + axis)
      .mul(strides[axis]!)
      .add(dim(firstTap + tap).mul(dilations[axis]!));
  const [row, column, channel] = [
    position(0, taps.row),
    position(1, taps.column),
    dim(firstTap + taps.channel),
  ];
  const gathering = createCopy(
    rewriter,
    input,
    [shape[0]!, ...(windowsFirst ? [...outputSizes, ...tapSizes] : [...tapSizes, ...outputSizes])],
    makeMap(6, 0, isChannelFirst ? [dim(0), channel, row, column] : [dim(0), row, column, channel]),
  );
  const groups = windowsFirst ? [[0], [1, 2], [3, 4, 5]] : [[0], [1, 2, 3], [4, 5]];
  return {
    gathering,
    matrix: createCollapse(rewriter, gathering.results[0]! as Value<TensorType>, groups),
  };
};

/** The op that gathers each window by its index in the matrix. */
const createGather = (
  rewriter: Rewriter,
  { input, strides, dilations }: Convolution,
  matrix: WindowMatrix,
): DraftOperation => {
  const { windowDimension, outputSizes, tapSizes, taps, isChannelFirst } = matrix;
  const counts = [elementCount(outputSizes), elementCount(tapSizes)];
  const shape = [input.type.shape[0]!, ...(windowDimension === 1 ? counts : counts.toReversed())];
  const { elementType } = input.type;
  const empty = createEmpty(rewriter, shape, elementType);
  const build = (body: Rewriter): void => {
    const [image, second, third] = [0, 1, 2].map((dimension) =>
      body.createValue(index.state({ attributes: { dim: dimension } })),
    );
    const pairs = [
      [second!, windowDimension === 1 ? outputSizes : tapSizes],
      [third!, windowDimension === 1 ? tapSizes : outputSizes],
    ] as const;
    const positions = pairs.map(([value, sizes]) => delinearized(body, value, sizes));
    const [window, tap] = windowDimension === 1 ? positions : positions.toReversed();
    const row = convolved(body, window![0]!, tap![taps.row]!, strides[0]!, dilations[0]!);
    const column = convolved(body, window![1]!, tap![taps.column]!, strides[1]!, dilations[1]!);
    const channel = tap![taps.channel]!;
    const at = isChannelFirst ? [image!, channel, row, column] : [image!, row, column, channel];
    const indices = at.map((position) => indexValue(body, position));
    const element = body.createValue(
      extract.state({ operands: { tensor: input, indices }, resultTypes: [elementType] }),
    );
    body.create(yieldOp.state({ operands: { values: [element] } }));
  };
  return rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [], outputs: [empty] },
      attributes: { indexingMaps: [identityMap(3)], iteratorTypes: parallel(3) },
      bodies: [{ argumentTypes: [elementType], build }],
    }),
  );
};

const imageProduct = {
  rows: affineMap('(d0, d1, d2, d3) -> (d0, d1, d3)'),
  filterLast: affineMap('(d0, d1, d2, d3) -> (d3, d2)'),
  filterFirst: affineMap('(d0, d1, d2, d3) -> (d2, d3)'),
  filterRows: affineMap('(d0, d1, d2, d3) -> (d1, d3)'),
  columns: affineMap('(d0, d1, d2, d3) -> (d0, d3, d2)'),
  output: affineMap('(d0, d1, d2, d3) -> (d0, d1, d2)'),
};

/** A matrix product per image, accumulated into `output`. */
const createProduct = (
  rewriter: Rewriter,
  operands: readonly (readonly [Value, AffineMap])[],
  output: Value<TensorType>,
): Value<TensorType> => {
  const inputs = operands.map(([value]) => value);
  const created = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs, outputs: [output] },
      attributes: {
        indexingMaps: [...operands.map(([, map]) => map), imageProduct.output],
        iteratorTypes: [...parallel(3), 'reduction'],
      },
      bodies: [scalarBody([...inputs, output], multiplyThenAdd)],
    }),
  );
  return created.results[0]! as Value<TensorType>;
};

const nhwc =
  (isFilterFirst: boolean) =>
  (rewriter: Rewriter, convolution: Convolution, expanded: boolean): Lowered => {
    const { filter, output } = convolution;
    const [filterHeight, filterWidth, channels] = isFilterFirst
      ? filter.type.shape.slice(1)
      : filter.type.shape;
    const grouped = isFilterFirst ? [[0], [1, 2, 3]] : [[0, 1, 2], [3]];
    const filters = createCollapse(rewriter, filter, grouped);
    const spatial = [[0], [1, 2], [3]];
    const sums = createCollapse(rewriter, output, spatial);
    const windows = createWindows(
      rewriter,
      convolution,
      {
        windowDimension: 1,
        outputSizes: output.type.shape.slice(1, 3),
        tapSizes: [filterHeight!, filterWidth!, channels!],
        taps: { row: 0, column: 1, channel: 2 },
        isChannelFirst: false,
      },
      expanded,
    );
    const multiplied = createProduct(
      rewriter,
      [
        [windows.matrix, imageProduct.rows],
        [filters, isFilterFirst ? imageProduct.filterFirst : imageProduct.filterLast],
      ],
      sums,
    );
    const result = createExpand(rewriter, multiplied, output.type.shape, spatial);
    return { windows: windows.gathering, result };
  };

const nchw = (rewriter: Rewriter, convolution: Convolution, expanded: boolean): Lowered => {
  const { filter, output } = convolution;
  const filters = createCollapse(rewriter, filter, [[0], [1, 2, 3]]);
  const spatial = [[0], [1], [2, 3]];
  const sums = createCollapse(rewriter, output, spatial);
  const windows = createWindows(
    rewriter,
    convolution,
    {
      windowDimension: 2,
      outputSizes: output.type.shape.slice(2),
      tapSizes: filter.type.shape.slice(1),
      taps: { channel: 0, row: 1, column: 2 },
      isChannelFirst: true,
    },
    expanded,
  );
  const multiplied = createProduct(
    rewriter,
    [
      [filters, imageProduct.filterRows],
      [windows.matrix, imageProduct.columns],
    ],
    sums,
  );
  const result = createExpand(rewriter, multiplied, output.type.shape, spatial);
  return { windows: windows.gathering, result };
};

/** A `linalg.generic` that copies: element `i` of a tensor of this shape is element `map(i)` of the source. */
const createCopy = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  shape: readonly number[],
  map: AffineMap,
): DraftOperation => {
  const empty = createEmpty(rewriter, shape, source.type.elementType);
  return rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [source], outputs: [empty] },
      attributes: {
        indexingMaps: [map, identityMap(shape.length)],
        iteratorTypes: parallel(shape.length),
      },
      bodies: [scalarBody([source, empty], copyBody)],
    }),
  );
};

/** Dimension `i` of the result is dimension `order[i]` of the source. */
const transposed = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  order: readonly number[],
): Value<TensorType> => {
  const shape = order.map((position) => source.type.shape[position]!);
  const results = order.map((_, position) => dim(order.indexOf(position)));
  return createCopy(rewriter, source, shape, makeMap(order.length, 0, results))
    .results[0]! as Value<TensorType>;
};

/** A matrix-vector product per channel, with the channel dimension moved to the front. */
const depthwise = (rewriter: Rewriter, convolution: Convolution): Lowered => {
  const { strides, dilations } = convolution;
  const input = transposed(rewriter, convolution.input, [0, 3, 1, 2]);
  const filter = transposed(rewriter, convolution.filter, [2, 0, 1]);
  const output = transposed(rewriter, convolution.output, [0, 3, 1, 2]);
  const [images, channels, height, width] = output.type.shape as [number, number, number, number];
  const taps = filter.type.shape.slice(1);
  const position = (axis: 0 | 1) =>
    dim(2 + axis)
      .mul(strides[axis]!)
      .add(dim(4 + axis).mul(dilations[axis]!));
  const windows = createCopy(
    rewriter,
    input,
    [images, channels, height, width, ...taps],
    makeMap(6, 0, [dim(0), dim(1), position(0), position(1)]),
  );
  const gathered = windows.results[0]! as Value<TensorType>;
  const matrices = createCollapse(rewriter, gathered, [
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  const perImage =
    images === 1
      ? createCollapse(rewriter, filter, [[0], [1, 2]])
      : createCollapse(
          rewriter,
          createCopy(rewriter, filter, [images, channels, ...taps], makeMap(4, 0, [dim(1), dim(2), dim(3)]))
            .results[0]! as Value<TensorType>,
          [
            [0, 1],
            [2, 3],
          ],
        );
  const planes = [
    [0, 1],
    [2, 3],
  ];
  const sums = createCollapse(rewriter, output, planes);
  const [multiplied] = builder(rewriter)(batchMatvec, { inputs: [matrices, perImage], outputs: [sums] });
  const expanded = createExpand(rewriter, multiplied!, [images, channels, height, width], planes);
  return { windows, result: transposed(rewriter, expanded, [0, 2, 3, 1]) };
};

const lowerings = [
  { definition: conv2dNhwcHwcf, rewrite: nhwc(false) },
  { definition: conv2dNhwcFhwc, rewrite: nhwc(true) },
  { definition: conv2dNchwFchw, rewrite: nchw },
  { definition: depthwiseConv2dNhwcHwc, rewrite: depthwise },
];
