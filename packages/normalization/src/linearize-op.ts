/**
 * Linearization (ST §5.1, task 1b): the spatial dimensions of input and output are collapsed, so that output positions
 * (windows) form one dimension that can be tiled across rows.
 *
 * @deviation The reference implementation divides the window index by the output *height*; row and column of a window
 * come from the output *width*, which shows where the output is not square.
 */
import type { AffineMap } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, silenceableError } from '@sconv/diagnostics';
import { createGenericLike, indexDimensions, tryAffine } from '@sconv/dialects';
import { generic, genericView } from '@sconv/dialects/linalg';
import { collapseShape, expandShape } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { tensorType } from '@sconv/ir';
import { dimensions } from '@sconv/packing-equations';
import { convolutionGeometry } from './convolution-geometry.ts';
import type { ConvolutionGeometry } from './convolution-geometry.ts';

/** `[[0], [1], [2, 3]]`: (N, C, H, W) to (N, C, H·W). */
const spatial = [[0], [1], [2, 3]];

const { batch, filter, window, channel, filterRow, filterColumn } = dimensions;

/** The map of the input over (N, F, windows, C, FH, FW) into (N, C, I_h·I_w), as in ST's Listing 2. */
const linearizedInputMap = ({ outputWidth, inputWidth, strides, dilations }: ConvolutionGeometry) => {
  const row = dim(window).floorDiv(outputWidth).mul(strides.h).add(dim(filterRow).mul(dilations.h));
  const column = dim(window).mod(outputWidth).mul(strides.w).add(dim(filterColumn).mul(dilations.w));
  return makeMap(6, 0, [dim(batch), dim(channel), row.mul(inputWidth).add(column)]);
};

const linearizedFilterMap = makeMap(6, 0, [dim(filter), dim(channel), dim(filterRow), dim(filterColumn)]);

const linearizedOutputMap = makeMap(6, 0, [dim(batch), dim(filter), dim(window)]);

/**
 * Collapses H and W of a generic convolution's input and output. The result is expanded again after the op, so that the
 * IR around it does not change.
 */
export const linearizeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const geometry = generic.is(operation) ? convolutionGeometry(genericView(operation)) : undefined;
  if (geometry === undefined) {
    return silenceableError(
      'linearize/not-a-convolution',
      'expected a linalg.generic with the maps of a conv_2d_nchw_fchw on tensors of static shape',
      operation,
    );
  }
  // N and F keep their positions, and their indices.
  const renumbered = indexDimensions(operation).find((position) => position > filter);
  if (renumbered !== undefined) {
    return silenceableError(
      'linearize/index',
      `the body uses linalg.index ${renumbered}, which would count something else`,
      operation,
    );
  }
  const { inputs, outputs } = genericView(operation);
  const collapsed = [inputs[0]!, outputs[0]!].map(({ type }) => collapsedType(type as TensorType));
  if (!collapsed.flatMap(({ shape }) => shape).every(Number.isSafeInteger)) {
    return silenceableError(
      'linearize/arithmetic',
      'height times width of an operand is beyond 2^53',
      operation,
    );
  }
  return mapSuccess(
    tryAffine(operation, 'linearize/arithmetic', () => linearizedInputMap(geometry)),
    (inputMap) => createLinear(rewriter, operation, inputMap),
  );
};

/** The convolution on collapsed tensors, and the expansion of its result. */
const createLinear = (rewriter: Rewriter, operation: DraftOperation, inputMap: AffineMap): DraftOperation => {
  const { inputs, outputs } = genericView(operation);
  rewriter.setInsertionPointBefore(operation);
  const collapse = (value: Value): Value =>
    rewriter.createValue(
      collapseShape.state({
        operands: { src: value },
        attributes: { reassociation: spatial },
        resultTypes: [collapsedType(value.type as TensorType)],
        location: operation.location,
      }),
    );
  const output = outputs[0]!;
  const collapsedOutput = collapse(output);
  const linear = createGenericLike(rewriter, operation, {
    inputs: [collapse(inputs[0]!), inputs[1]!],
    outputs: [collapsedOutput],
    indexingMaps: [inputMap, linearizedFilterMap, linearizedOutputMap],
    iteratorTypes: ['parallel', 'parallel', 'parallel', 'reduction', 'reduction', 'reduction'],
  });
  rewriter.moveRegion(operation.regions[0]!, linear.regions[0]!);
  const expanded = rewriter.create(
    expandShape.state({
      operands: { src: linear.results[0]!, outputShape: [] },
      attributes: { reassociation: spatial, staticOutputShape: (output.type as TensorType).shape },
      resultTypes: [output.type],
      location: operation.location,
    }),
  );
  rewriter.replaceOperation(operation, expanded.results, [linear]);
  return linear;
};

const collapsedType = ({ shape, elementType }: TensorType): TensorType =>
  tensorType([shape[0]!, shape[1]!, shape[2]! * shape[3]!], elementType);
