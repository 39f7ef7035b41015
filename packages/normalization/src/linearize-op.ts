/**
 * Linearization (ST §5.1, task 1b): collapses the spatial dimensions of input and output, so that output positions
 * (windows) form one dimension that can be tiled across rows.
 *
 * @deviation The reference implementation divides the window index by the output *height*; row and column of a window
 * follow from the output *width*, which matters for non-square outputs.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, makeMap, usedDims } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, silenceableError } from '@sconv/diagnostics';
import {
  createGenericLike,
  indexDimensions,
  inferCollapsedType,
  mayRunInBlocks,
  tryAffine,
} from '@sconv/dialects';
import type { Reassociation } from '@sconv/dialects';
import { generic, genericView } from '@sconv/dialects/linalg';
import { collapseShape, expandShape } from '@sconv/dialects/tensor';
import type { DraftBlock, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, tensorType } from '@sconv/ir';
import { dimensions, openPositions } from '@sconv/packing-equations';
import { formedConvolution, isProductForm } from './convolution-geometry.ts';
import type { ConvolutionForm, ConvolutionGeometry } from './convolution-geometry.ts';

const { batch, filter, window, channel, filterRow, filterColumn } = dimensions;

/**
 * An operand with height and width collapsed, or, of a matrix product, with the unit dimensions that it lacks: between
 * which dimensions, and its map over the six iteration dimensions.
 */
interface Linearized {
  readonly reshape: 'collapse' | 'expand' | undefined;
  readonly reassociation: Reassociation;
  readonly map: AffineMap;
}

/** The row and column of the image that a window reads, as one linear index into the image (ST Listing 2). */
const imageIndex = ({ outputWidth, inputWidth, strides, dilations }: ConvolutionGeometry): AffineExpr => {
  // Where each row of windows begins a stride behind the last one of the row above, all are at equal distances.
  if (strides.h * inputWidth === strides.w * outputWidth) {
    const tap = dim(filterRow)
      .mul(dilations.h * inputWidth)
      .add(dim(filterColumn).mul(dilations.w));
    return dim(window).mul(strides.w).add(tap);
  }
  const row = dim(window).floorDiv(outputWidth).mul(strides.h).add(dim(filterRow).mul(dilations.h));
  const column = dim(window).mod(outputWidth).mul(strides.w).add(dim(filterColumn).mul(dilations.w));
  return row.mul(inputWidth).add(column);
};

/** The iteration dimension of each letter of a layout; `h` stands for the collapsed rows and columns of an image. */
const positions: Readonly<Record<string, number>> = { n: batch, c: channel, f: filter, h: window };

/** An operand with this layout, e.g. `nchw`, indexed by `image` in place of height and width. */
const linearized = (letters: string, image: AffineExpr): Linearized => {
  const names = Array.from(letters);
  const kept = names.filter((letter) => letter !== 'w');
  return {
    reshape: 'collapse',
    reassociation: names.flatMap((letter, i) =>
      letter === 'w' ? [] : letter === 'h' ? [[i, i + 1]] : [[i]],
    ),
    map: makeMap(
      6,
      0,
      kept.map((letter) => (letter === 'h' ? image : dim(positions[letter]!))),
    ),
  };
};

/** Filters keep their layout: FCHW, HWCF or FHWC. */
const filtersMap = (letters: string): AffineMap => {
  const ofFilters: Readonly<Record<string, number>> = { ...positions, h: filterRow, w: filterColumn };
  return makeMap(
    6,
    0,
    Array.from(letters, (letter) => dim(ofFilters[letter]!)),
  );
};

/** An operand of a matrix product over the iteration dimensions that each letter stands for, all but one of size 1. */
const expanded = (letters: string, several: Readonly<Record<string, readonly number[]>>): Linearized => {
  const groups = Array.from(letters, (letter) => several[letter] ?? [positions[letter]!]);
  let count = 0;
  return {
    reshape: 'expand',
    reassociation: groups.map((group) => group.map(() => count++)),
    map: makeMap(
      6,
      0,
      groups.flat().map((position) => dim(position)),
    ),
  };
};

/** Input, filters and output in a linear form. */
interface LinearOperands {
  readonly input: Linearized;
  readonly filters: Linearized;
  readonly output: Linearized;
}

/** Those of a convolution. */
const collapsedOperands = (form: ConvolutionForm, geometry: ConvolutionGeometry): LinearOperands => ({
  input: linearized(form.input, imageIndex(geometry)),
  filters: { reshape: undefined, reassociation: [], map: filtersMap(form.filters) },
  output: linearized(form.output, dim(window)),
});

/** Those of a convolution whose rows and columns stay apart. */
const openOperands = (form: ConvolutionForm, { strides, dilations }: ConvolutionGeometry): LinearOperands => {
  const at = Object.fromEntries(
    Object.entries(openPositions).map(([name, position]) => [name, dim(position)]),
  ) as Readonly<Record<keyof typeof openPositions, AffineExpr>>;
  const common = { n: at.batch, c: at.channels, f: at.filters };
  const operand = (letters: string, h: AffineExpr, w: AffineExpr): Linearized => {
    const index: Readonly<Record<string, AffineExpr>> = { ...common, h, w };
    const results = Array.from(letters, (letter) => index[letter]!);
    return { reshape: undefined, reassociation: [], map: makeMap(Object.keys(at).length, 0, results) };
  };
  const row = at.rows.mul(strides.h).add(at.tapRows.mul(dilations.h));
  const column = at.columns.mul(strides.w).add(at.tapColumns.mul(dilations.w));
  return {
    input: operand(form.input, row, column),
    filters: operand(form.filters, at.tapRows, at.tapColumns),
    output: operand(form.output, at.rows, at.columns),
  };
};

/** Those of a matrix product: there is one image, and one filter row and column. */
const expandedOperands = ({ input, filters, output }: ConvolutionForm): LinearOperands => ({
  input: expanded(input, { [input[0]!]: [batch, positions[input[0]!]!] }),
  filters: expanded(filters, { c: [channel, filterRow, filterColumn] }),
  output: expanded(output, { f: [batch, filter] }),
});

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
 * The operands of a matrix product change places, and get the unit dimensions that they lack:
 *
 *     %r = linalg.generic (m, n, k) ins(%a: [m, k], %b: [k, n]) outs(%c: [m, n])
 *     →  %l = linalg.generic (1, m, n, k, 1, 1) ins(%eb: [1, k, n], %ea: [m, k, 1, 1]) outs(%ec: [1, m, n])
 *
 * With `apart`, rows and columns stay two dimensions, and tensors their shape; a matrix product has none.
 *
 * Channels run before filter rows and columns, whatever the layout. Zero points, scalar operands of quantized
 * convolutions, become outer values that the body uses.
 */
export const linearizeOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  apart = false,
): Diagnosed<DraftOperation> => {
  const formed = generic.is(operation) ? formedConvolution(genericView(operation)) : undefined;
  if (formed?.form.kind !== 'dense' || (apart && isProductForm(formed.form))) {
    return silenceableError(
      'linearize/not-a-convolution',
      'expected a linalg.generic with the maps of a conv_2d_nchw_fchw, conv_2d_nhwc_hwcf or ' +
        `conv_2d_nhwc_fhwc${apart ? '' : ', or of a matmul,'} on tensors of static shape`,
      operation,
    );
  }
  const { form, geometry } = formed;
  // N keeps its position and index, and so does F if it comes next. A matrix product has no N.
  const kept = ['n', 'f'].filter((letter, position) => form.output[position] === letter);
  const renumbered = indexDimensions(operation).find((position) => position >= kept.length);
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
  const { inputHeight, inputWidth, outputHeight, outputWidth } = geometry;
  if (![inputHeight * inputWidth, outputHeight * outputWidth].every(Number.isSafeInteger)) {
    return silenceableError(
      'linearize/arithmetic',
      'height times width of an operand is beyond 2^53',
      operation,
    );
  }
  return mapSuccess(
    tryAffine(operation, 'linearize/arithmetic', () =>
      apart
        ? openOperands(form, geometry)
        : isProductForm(form)
          ? expandedOperands(form)
          : collapsedOperands(form, geometry),
    ),
    (linear) => createLinear(rewriter, operation, form, linear),
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

/** The convolution on reshaped tensors, and its result in the shape that it had. */
const createLinear = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { operands: [first, second] }: ConvolutionForm,
  { input, filters, output }: LinearOperands,
): DraftOperation => {
  const { inputs, outputs } = genericView(operation);
  const { location } = operation;
  rewriter.setInsertionPointBefore(operation);
  const reshaped = (value: Value, as: Linearized): Value => {
    const { reshape, reassociation } = as;
    if (reshape === undefined) return value;
    const type = value.type as TensorType;
    const state =
      reshape === 'collapse'
        ? collapseState(value, inferCollapsedType(type, reassociation), reassociation)
        : expandState(value, expandedType(type, as), reassociation);
    return rewriter.createValue({ ...state, location });
  };
  const linearOutput = reshaped(outputs[0]!, output);
  const linear = createGenericLike(rewriter, operation, {
    inputs: [reshaped(inputs[first]!, input), reshaped(inputs[second]!, filters)],
    outputs: [linearOutput],
    indexingMaps: [input.map, filters.map, output.map],
    iteratorTypes: Array.from({ length: output.map.numDims }, (_, position) =>
      position < output.map.numDims - 3 ? 'parallel' : 'reduction',
    ),
  });
  useScalars(rewriter, bodyOf(operation), inputs);
  if (first === 0) rewriter.moveRegion(operation.regions[0]!, linear.regions[0]!);
  else {
    const [a, b, sum] = bodyOf(operation).arguments;
    const types = [b!, a!, sum!].map(({ type }) => type);
    const block = rewriter.createBlock(linear.regions[0]!, types);
    rewriter.setInsertionPointToEnd(block);
    const [x, y, out] = block.arguments;
    rewriter.inlineBlock(bodyOf(operation), [y!, x!, out!]);
  }
  rewriter.setInsertionPointAfter(linear);
  const [result] = linear.results as [Value];
  if (output.reshape === undefined) {
    rewriter.replaceOperation(operation, [result], [linear]);
    return linear;
  }
  const back = output.reshape === 'expand' ? collapseState : expandState;
  const reshapedBack = rewriter.create(
    back(result, outputs[0]!.type as TensorType, output.reassociation),
    location,
  );
  rewriter.replaceOperation(operation, reshapedBack.results, [linear]);
  return linear;
};

const collapseState = (src: Value, type: TensorType, reassociation: Reassociation) =>
  collapseShape.state({ operands: { src }, attributes: { reassociation }, resultTypes: [type] });

const expandState = (src: Value, type: TensorType, reassociation: Reassociation) =>
  expandShape.state({
    operands: { src, outputShape: [] },
    attributes: { reassociation, staticOutputShape: type.shape },
    resultTypes: [type],
  });

/** The dimensions that operands of a matrix product lack. */
const units: ReadonlySet<number> = new Set([batch, filterRow, filterColumn]);

/** The type of an expanded operand of a matrix product. */
const expandedType = ({ shape, elementType }: TensorType, { reassociation, map }: Linearized): TensorType =>
  tensorType(
    reassociation.flatMap((group, i) =>
      group.map((each) => (units.has(usedDims(map.results[each]!)[0]!) ? 1 : shape[i]!)),
    ),
    elementType,
  );

/** Makes a body use its scalar inputs, all after the first two, directly instead of through block arguments. */
const useScalars = (rewriter: Rewriter, body: DraftBlock, inputs: readonly Value[]): void => {
  for (let position = inputs.length - 1; position >= 2; position -= 1) {
    rewriter.replaceAllUsesWith(body.arguments[position]!, inputs[position]!);
    rewriter.eraseArgument(body, position);
  }
};
