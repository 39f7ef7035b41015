/** Turns a grouped convolution with one group into a plain one, on rank-reduced slices. */
import type { AffineMap } from '@sconv/affine';
import { constant, dim, makeMap, substitute } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import {
  createGenericLike,
  createIndex,
  createNamed,
  createSizes,
  extractSliceState,
  insertSliceState,
  sliceAtOrigin,
  takeBody,
  isTensorValue,
} from '@sconv/dialects';
import {
  conv2dNchwFchw,
  conv2dNgchwFgchw,
  conv2dNgchwGfchw,
  conv2dNgchwGfchwQ,
  generic,
  genericView,
  index,
} from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, printType, tensorType } from '@sconv/ir';
import { formedConvolution } from './convolution-geometry.ts';

/** The position of the group dimension in the filters; in input and output it follows the batch dimension. */
const grouped = [
  { definition: conv2dNgchwFgchw, ofFilters: 1 },
  { definition: conv2dNgchwGfchw, ofFilters: 0 },
  { definition: conv2dNgchwGfchwQ, ofFilters: 0 },
] as const;

const ofImages = 1;

/** The position of the group dimension in the filters of a grouped convolution; undefined for other ops. */
const filterGroups = (operation: DraftOperation): number | undefined => {
  if (!generic.is(operation)) return grouped.find(({ definition }) => definition.is(operation))?.ofFilters;
  const form = formedConvolution(genericView(operation))?.form;
  return form?.kind === 'grouped' ? form.filters.indexOf('g') : undefined;
};

/**
 * Replaces a grouped convolution with one group by a `linalg.conv_2d_nchw_fchw` on slices of its operands; returns
 * it. linalg has no quantized op with this layout: a `linalg.generic` replaces that, as it does a `linalg.generic`.
 */
export const dropUnitGroupOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const ofFilters = filterGroups(operation);
  const [input, filters] = operation.operands;
  const zeroPoints = operation.operands.slice(2, -1);
  const output = operation.operands.at(-1);
  if (ofFilters === undefined || !isTensorValue(input) || !isTensorValue(filters) || !isTensorValue(output)) {
    return silenceableError(
      'drop-unit-group/not-grouped',
      'expected a linalg.conv_2d_ngchw_fgchw, conv_2d_ngchw_gfchw or conv_2d_ngchw_gfchw_q on ' +
        `tensors, or a linalg.generic with their maps, got '${operation.name}'`,
      operation,
    );
  }
  const positions = [ofImages, ofFilters, ofImages];
  const several = [input, filters, output].find(({ type }, i) => type.shape[positions[i]!] !== 1);
  if (several !== undefined) {
    return silenceableError(
      'drop-unit-group/groups',
      `expected one group, got ${printType(several.type)}: tile the groups by 1 first`,
      operation,
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const slices = [input, filters, output].map((value) => sliceAtOrigin(createSizes(rewriter, value)));
  const [image, kernels, initial] = [input, filters, output].map((source, i) => {
    const type = tensorType(source.type.shape.toSpliced(positions[i]!, 1), source.type.elementType);
    const state = extractSliceState(source, slices[i]!, type);
    return rewriter.createValue({ ...state, location: operation.location });
  });
  const inputs = [image!, kernels!, ...zeroPoints];
  const plain = createPlain(rewriter, operation, inputs, initial!, positions);
  const inserted = rewriter.create(
    insertSliceState(plain.results[0]!, output, slices[2]!),
    operation.location,
  );
  rewriter.replaceOperation(operation, inserted.results, [plain]);
  return success(plain);
};

/** The named op, or, for a quantized convolution or a generic, a generic with the same body. */
const createPlain = (
  rewriter: Rewriter,
  operation: DraftOperation,
  inputs: readonly Value[],
  initial: Value,
  positions: readonly number[],
): DraftOperation => {
  if (!generic.is(operation) && inputs.length === 2)
    return createNamed(rewriter, operation, conv2dNchwFchw, { inputs, outputs: [initial] });
  const { structure } = conv2dNchwFchw;
  const iteratorTypes = structure.iteratorTypes(4);
  const maps = generic.is(operation)
    ? genericView(operation)
        .indexingMaps.filter((_, i, all) => i < 2 || i === all.length - 1)
        .map((map, i) => withoutGroup(map, positions[i]!))
    : structure.indexingMaps([], operation.attributes);
  const scalars = inputs.slice(2).map(() => makeMap(iteratorTypes.length, 0, []));
  const plain = createGenericLike(rewriter, operation, {
    inputs,
    outputs: [initial],
    indexingMaps: maps.toSpliced(2, 0, ...scalars),
    iteratorTypes,
  });
  takeBody(rewriter, operation, plain);
  rewriter.scoped(() => {
    renumberIndices(rewriter, plain);
  });
  return plain;
};

/** The iteration dimension of the groups. */
const groupDimension = 1;

/** In the body, the index of the group is 0, and the dimensions behind it have moved up. */
const renumberIndices = (rewriter: Rewriter, plain: DraftOperation): void => {
  for (const inner of [...bodyOf(plain).operations]) {
    if (!index.is(inner)) continue;
    const { dim: position } = index.attributes(inner);
    if (position < groupDimension) continue;
    rewriter.setInsertionPointBefore(inner);
    const renumbered =
      position === groupDimension
        ? createIndex(rewriter, 0)
        : rewriter.createValue(index.state({ attributes: { dim: position - 1 } }));
    rewriter.replaceOperation(inner, [renumbered]);
  }
};

/** A map without the group, which is 0, and without the result at `position`. */
const withoutGroup = ({ numDims, results }: AffineMap, position: number): AffineMap => {
  const dims = Array.from({ length: numDims }, (_, i) => {
    if (i === groupDimension) return constant(0);
    return dim(i > groupDimension ? i - 1 : i);
  });
  return makeMap(
    numDims - 1,
    0,
    results.toSpliced(position, 1).map((result) => substitute(result, { dims })),
  );
};
