/**
 * Linearization (ST §5.1, task 1b): collapses the spatial dimensions of input and output, so that output positions
 * (windows) form one dimension that can be tiled across rows.
 *
 * @deviation The reference implementation divides the window index by the output *height*; row and column of a window
 * follow from the output *width*, which matters for non-square outputs.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, silenceableError } from '@sconv/diagnostics';
import { createGenericLike, indexDimensions, mayRunInBlocks, tryAffine } from '@sconv/dialects';
import { generic, genericView } from '@sconv/dialects/linalg';
import { collapseShape, expandShape } from '@sconv/dialects/tensor';
import type { DraftBlock, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, tensorType } from '@sconv/ir';
import { dimensions } from '@sconv/packing-equations';
import { formedConvolution } from './convolution-geometry.ts';
import type { ConvolutionForm, ConvolutionGeometry } from './convolution-geometry.ts';

const { batch, filter, window, channel, filterRow, filterColumn } = dimensions;

/**
 * An operand with height and width collapsed: the collapsed dimensions, and its map over the six iteration
 * dimensions.
 */
interface Linearized {
  readonly reassociation: readonly (readonly number[])[];
  readonly map: AffineMap;
}

/** The row and column of the image that a window reads, as one linear index into the image (ST Listing 2). */
const imageIndex = ({ outputWidth, inputWidth, strides, dilations }: ConvolutionGeometry): AffineExpr => {
  const row = dim(window).floorDiv(outputWidth).mul(strides.h).add(dim(filterRow).mul(dilations.h));
  const column = dim(window).mod(outputWidth).mul(strides.w).add(dim(filterColumn).mul(dilations.w));
  return row.mul(inputWidth).add(column);
};

/** An operand with this layout, e.g. `nchw`, indexed by `image` in place of height and width. */
const linearized = (letters: string, image: AffineExpr): Linearized => {
  const names = Array.from(letters);
  const row = names.indexOf('h');
  const positions: Readonly<Record<string, number>> = { n: batch, c: channel, f: filter };
  return {
    reassociation: names.flatMap((letter, i) =>
      letter === 'w' ? [] : letter === 'h' ? [[i, i + 1]] : [[i]],
    ),
    map: makeMap(
      6,
      0,
      names
        .filter((letter) => letter !== 'w')
        .map((letter, i) => (i === row ? image : dim(positions[letter]!))),
    ),
  };
};

/** Filters keep their layout: FCHW, HWCF or FHWC. */
const filtersMap = (letters: string): AffineMap => {
  const positions: Readonly<Record<string, number>> = {
    f: filter,
    c: channel,
    h: filterRow,
    w: filterColumn,
  };
  return makeMap(
    6,
    0,
    Array.from(letters, (letter) => dim(positions[letter]!)),
  );
};

/**
 * Collapses H and W of a generic convolution's input and output. The result is expanded after the op, so the
 * surrounding IR is unchanged:
 *
 *     %r = linalg.generic (n, f, h, w, c, fh, fw) ins(%x: [n, c, h + fh, w + fw], %f: [f, c, fh, fw]) outs(%y)
 *     →  %cx = tensor.collapse_shape %x [[0], [1], [2, 3]]    and %cy of %y likewise
 *        %l = linalg.generic (n, f, win, c, fh, fw)
 *               ins(%cx: [n, c, (win floordiv O_w + fh) * I_w + win mod O_w + fw], %f: [f, c, fh, fw])
 *               outs(%cy: [n, f, win])
 *        %r = tensor.expand_shape %l
 *
 * Channels run before filter rows and columns, whatever the layout. Zero points, scalar operands of quantized
 * convolutions, become outer values that the body uses.
 */
export const linearizeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const formed = generic.is(operation) ? formedConvolution(genericView(operation)) : undefined;
  if (formed?.form.kind !== 'dense') {
    return silenceableError(
      'linearize/not-a-convolution',
      'expected a linalg.generic with the maps of a conv_2d_nchw_fchw, conv_2d_nhwc_hwcf or ' +
        'conv_2d_nhwc_fhwc on tensors of static shape',
      operation,
    );
  }
  const { form, geometry } = formed;
  // N keeps its position and index, and so does F if it comes next.
  const kept = form.output.startsWith('nf') ? filter : batch;
  const renumbered = indexDimensions(operation).find((position) => position > kept);
  if (renumbered !== undefined) {
    return silenceableError(
      'linearize/index',
      `the body uses linalg.index ${renumbered}, which would count something else`,
      operation,
    );
  }
  if (!mayRunInBlocks(rewriter.registry, operation, linearOrder(operation, form), () => false)) {
    return silenceableError(
      'linearize/order',
      'channels would run before filter rows and columns, which may change the result',
      operation,
    );
  }
  const { inputs, outputs } = genericView(operation);
  const output = linearized(form.output, dim(window));
  const collapsed = [
    ...collapsedShape(inputs[0]!.type as TensorType, linearized(form.input, dim(window))),
    ...collapsedShape(outputs[0]!.type as TensorType, output),
  ];
  if (!collapsed.every(Number.isSafeInteger)) {
    return silenceableError(
      'linearize/arithmetic',
      'height times width of an operand is beyond 2^53',
      operation,
    );
  }
  return mapSuccess(
    tryAffine(operation, 'linearize/arithmetic', () => linearized(form.input, imageIndex(geometry))),
    (input) => createLinear(rewriter, operation, input, filtersMap(form.filters), output),
  );
};

/** The dimensions of a convolution in the order in which its linear form runs them. */
const linearOrder = (operation: DraftOperation, { filters, output }: ConvolutionForm): readonly number[] => {
  const [, filtersIndex, outputIndex] = genericView(operation).indexingMaps.filter(
    ({ results }) => results.length > 0,
  );
  const ordered = (letters: string, of: string, map: AffineMap | undefined): readonly number[] =>
    Array.from(letters).flatMap((letter) => {
      const result = map?.results[of.indexOf(letter)];
      return result?.kind === 'dim' ? [result.position] : [];
    });
  return [...ordered('nfhw', output, outputIndex), ...ordered('chw', filters, filtersIndex)];
};

/** The convolution on collapsed tensors, and the expansion of its result. */
const createLinear = (
  rewriter: Rewriter,
  operation: DraftOperation,
  ofInput: Linearized,
  ofFilters: AffineMap,
  ofOutput: Linearized,
): DraftOperation => {
  const { inputs, outputs } = genericView(operation);
  rewriter.setInsertionPointBefore(operation);
  const collapse = (value: Value, as: Linearized): Value =>
    rewriter.createValue(
      collapseShape.state({
        operands: { src: value },
        attributes: { reassociation: as.reassociation },
        resultTypes: [collapsedType(value.type as TensorType, as)],
        location: operation.location,
      }),
    );
  const output = outputs[0]!;
  const collapsedOutput = collapse(output, ofOutput);
  const linear = createGenericLike(rewriter, operation, {
    inputs: [collapse(inputs[0]!, ofInput), inputs[1]!],
    outputs: [collapsedOutput],
    indexingMaps: [ofInput.map, ofFilters, ofOutput.map],
    iteratorTypes: ['parallel', 'parallel', 'parallel', 'reduction', 'reduction', 'reduction'],
  });
  rewriter.moveRegion(operation.regions[0]!, linear.regions[0]!);
  useScalars(rewriter, bodyOf(linear), inputs);
  const expanded = rewriter.create(
    expandShape.state({
      operands: { src: linear.results[0]!, outputShape: [] },
      attributes: {
        reassociation: ofOutput.reassociation,
        staticOutputShape: (output.type as TensorType).shape,
      },
      resultTypes: [output.type],
      location: operation.location,
    }),
  );
  rewriter.replaceOperation(operation, expanded.results, [linear]);
  return linear;
};

/** Makes a body use its scalar inputs, all after the first two, directly instead of through block arguments. */
const useScalars = (rewriter: Rewriter, body: DraftBlock, inputs: readonly Value[]): void => {
  for (let position = inputs.length - 1; position >= 2; position -= 1) {
    rewriter.replaceAllUsesWith(body.arguments[position]!, inputs[position]!);
    rewriter.eraseArgument(body, position);
  }
};

const collapsedType = (type: TensorType, as: Linearized): TensorType =>
  tensorType(collapsedShape(type, as), type.elementType);

const collapsedShape = ({ shape }: TensorType, { reassociation }: Linearized): readonly number[] =>
  reassociation.map((group) => group.reduce((product, i) => product * shape[i]!, 1));
