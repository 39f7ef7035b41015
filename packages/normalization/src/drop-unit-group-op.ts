/** Turns a grouped convolution with one group, or a batch of one matrix product, into a plain one, on slices. */
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
import { conv2dNchwFchw, generic, genericView, index, structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, printType, tensorType } from '@sconv/ir';
import { convolutionForms, formedConvolution, isProductForm } from './convolution-geometry.ts';
import type { ConvolutionForm } from './convolution-geometry.ts';

/** The form of a grouped convolution, or of a batch of matrix products; undefined for other ops. */
const groupedForm = (operation: DraftOperation): ConvolutionForm | undefined => {
  const form = generic.is(operation)
    ? formedConvolution(genericView(operation))?.form
    : convolutionForms.find(
        ({ definition, quantized }) =>
          definition?.is(operation) === true || quantized?.is(operation) === true,
      );
  return form?.kind === 'grouped' ? form : undefined;
};

/**
 * Replaces a grouped convolution with one group by a `linalg.conv_2d_nchw_fchw` on slices of its operands; returns
 * it. linalg has no quantized op with this layout: a `linalg.generic` replaces that, as it does a `linalg.generic` and
 * a batch of one matrix product.
 */
export const dropUnitGroupOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const form = groupedForm(operation);
  const [input, filters] = operation.operands;
  const zeroPoints = operation.operands.slice(2, -1);
  const output = operation.operands.at(-1);
  if (form === undefined || !isTensorValue(input) || !isTensorValue(filters) || !isTensorValue(output)) {
    return silenceableError(
      'drop-unit-group/not-grouped',
      'expected a linalg.conv_2d_ngchw_fgchw, conv_2d_ngchw_gfchw or conv_2d_ngchw_gfchw_q on ' +
        `tensors, or a batch_matmul, or a linalg.generic with their maps, got '${operation.name}'`,
      operation,
    );
  }
  const [first, second] = form.operands[0] === 0 ? [form.input, form.filters] : [form.filters, form.input];
  const positions = [first, second, form.output].map((letters) => letters.indexOf('g'));
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
  const plain = createPlain(rewriter, operation, form, inputs, initial!);
  const inserted = rewriter.create(
    insertSliceState(plain.results[0]!, output, slices[2]!),
    operation.location,
  );
  rewriter.replaceOperation(operation, inserted.results, [plain]);
  return success(plain);
};

/** The named op, or, for any but a plain named convolution, a generic with the same body. */
const createPlain = (
  rewriter: Rewriter,
  operation: DraftOperation,
  form: ConvolutionForm,
  inputs: readonly Value[],
  initial: Value,
): DraftOperation => {
  if (form.definition?.is(operation) === true && !isProductForm(form))
    return createNamed(rewriter, operation, conv2dNchwFchw, { inputs, outputs: [initial] });
  const { indexingMaps, iteratorTypes } = structured(rewriter.registry, operation)!;
  // Outputs are indexed by the parallel dimensions in their order.
  const group = form.output.indexOf('g');
  const plain = createGenericLike(rewriter, operation, {
    inputs,
    outputs: [initial],
    indexingMaps: indexingMaps.map((map) => withoutGroup(map, group)),
    iteratorTypes: iteratorTypes.toSpliced(group, 1),
  });
  takeBody(rewriter, operation, plain);
  rewriter.scoped(() => {
    renumberIndices(rewriter, plain, group);
  });
  return plain;
};

/** In the body, the index of the group is 0, and the dimensions behind it have moved up. */
const renumberIndices = (rewriter: Rewriter, plain: DraftOperation, group: number): void => {
  for (const inner of [...bodyOf(plain).operations]) {
    if (!index.is(inner)) continue;
    const { dim: position } = index.attributes(inner);
    if (position < group) continue;
    rewriter.setInsertionPointBefore(inner);
    const renumbered =
      position === group
        ? createIndex(rewriter, 0)
        : rewriter.createValue(index.state({ attributes: { dim: position - 1 } }));
    rewriter.replaceOperation(inner, [renumbered]);
  }
};

/** A map without the dimension of the group, which is 0, and without the result that is that alone. */
const withoutGroup = ({ numDims, results }: AffineMap, group: number): AffineMap => {
  const dims = Array.from({ length: numDims }, (_, i) => {
    if (i === group) return constant(0);
    return dim(i > group ? i - 1 : i);
  });
  return makeMap(
    numDims - 1,
    0,
    results
      .filter((result) => result.kind !== 'dim' || result.position !== group)
      .map((result) => substitute(result, { dims })),
  );
};
