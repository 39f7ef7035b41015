/** Turns a grouped convolution with one group into a plain one, on rank-reduced slices. */
import { makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createGenericLike, createNamed, createSizes, sliceArguments, takeBody } from '@sconv/dialects';
import type { MixedSlice } from '@sconv/dialects';
import {
  conv2dNchwFchw,
  conv2dNgchwFgchw,
  conv2dNgchwGfchw,
  conv2dNgchwGfchwQ,
} from '@sconv/dialects/linalg';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { printType, tensorType } from '@sconv/ir';

/** The position of the group dimension in the filters; in input and output it follows the batch dimension. */
const grouped = [
  { definition: conv2dNgchwFgchw, ofFilters: 1 },
  { definition: conv2dNgchwGfchw, ofFilters: 0 },
  { definition: conv2dNgchwGfchwQ, ofFilters: 0 },
] as const;

const ofImages = 1;

const isTensor = (value: Value | undefined): value is Value<TensorType> => value?.type.kind === 'tensor';

/**
 * Replaces a grouped convolution with one group by a `linalg.conv_2d_nchw_fchw` on slices of its operands; returns
 * it. linalg has no quantized op with this layout: a `linalg.generic` replaces that.
 */
export const dropUnitGroupOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const form = grouped.find(({ definition }) => definition.is(operation));
  const [input, filters] = operation.operands;
  const zeroPoints = operation.operands.slice(2, -1);
  const output = operation.operands.at(-1);
  if (form === undefined || !isTensor(input) || !isTensor(filters) || !isTensor(output)) {
    return silenceableError(
      'drop-unit-group/not-grouped',
      `expected a linalg.conv_2d_ngchw_fgchw, conv_2d_ngchw_gfchw or conv_2d_ngchw_gfchw_q on tensors, got '${operation.name}'`,
      operation,
    );
  }
  const positions = [ofImages, form.ofFilters, ofImages];
  const several = [input, filters, output].find(({ type }, i) => type.shape[positions[i]!] !== 1);
  if (several !== undefined) {
    return silenceableError(
      'drop-unit-group/groups',
      `expected one group, got ${printType(several.type)}: tile the groups by 1 first`,
      operation,
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const slices = [input, filters, output].map((value): MixedSlice => ({
    offsets: value.type.shape.map(() => 0),
    sizes: createSizes(rewriter, value),
    strides: value.type.shape.map(() => 1),
  }));
  const [image, kernels, initial] = [input, filters, output].map((source, i): Value => {
    const { operands, attributes } = sliceArguments(slices[i]!);
    const shape = source.type.shape.toSpliced(positions[i]!, 1);
    return rewriter.createValue(
      extractSlice.state({
        operands: { source, ...operands },
        attributes,
        resultTypes: [tensorType(shape, source.type.elementType)],
        location: operation.location,
      }),
    );
  });
  const plain =
    zeroPoints.length === 0
      ? createNamed(rewriter, operation, conv2dNchwFchw, { inputs: [image!, kernels!], outputs: [initial!] })
      : createQuantized(rewriter, operation, [image!, kernels!, ...zeroPoints], initial!);
  const { operands, attributes } = sliceArguments(slices[2]!);
  const inserted = rewriter.create(
    insertSlice.state({
      operands: { source: plain.results[0]!, dest: output, ...operands },
      attributes,
      resultTypes: [output.type],
      location: operation.location,
    }),
  );
  rewriter.replaceOperation(operation, inserted.results, [plain]);
  return success(plain);
};

/** A quantized `linalg.conv_2d_nchw_fchw` as a generic, with the body of a grouped one. */
const createQuantized = (
  rewriter: Rewriter,
  operation: DraftOperation,
  inputs: readonly Value[],
  initial: Value,
): DraftOperation => {
  const { structure } = conv2dNchwFchw;
  const iteratorTypes = structure.iteratorTypes(4);
  const maps = structure.indexingMaps([], operation.attributes);
  const scalars = inputs.slice(2).map(() => makeMap(iteratorTypes.length, 0, []));
  const plain = createGenericLike(rewriter, operation, {
    inputs,
    outputs: [initial],
    indexingMaps: maps.toSpliced(2, 0, ...scalars),
    iteratorTypes,
  });
  takeBody(rewriter, operation, plain);
  return plain;
};
