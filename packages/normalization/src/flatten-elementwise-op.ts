/** Collapses all dimensions of elementwise ops into one: upstream's `collapseOpIterationDims`. */
import { dim, isIdentity, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import {
  createCollapse,
  createExpand,
  createGenericLike,
  createNamed,
  createStructuredLike,
  indexDimensions,
  takeBody,
  isTensorValue,
} from '@sconv/dialects';
import { elementwiseOps, generic, structured, transpose } from '@sconv/dialects/linalg';
import { collapseShape, inferCollapsedType, isContiguous } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { isShaped, isStaticShape } from '@sconv/ir';

/** Whether an operand is contiguous and of static shape. */
const canBeFlat = ({ type }: Value): boolean => {
  if (type.kind === 'tensor') return isStaticShape(type);
  return (
    type.kind === 'memref' &&
    isStaticShape(type) &&
    isContiguous(type) &&
    inferCollapsedType(type, wholeOf(type.shape.length)) !== undefined
  );
};

/** One group of all dimensions. */
const wholeOf = (rank: number): readonly (readonly number[])[] => [Array.from({ length: rank }, (_, i) => i)];

/**
 * Replaces an elementwise op by one on collapsed operands, whose results are expanded again. An op of rank 0 or 1
 * stays. Fails with `flatten-elementwise/target` if an indexing map is not the identity, or an operand cannot be
 * collapsed.
 *
 * @deviation Upstream flattens a transposed operand as well, which reads other elements.
 */
export const flattenElementwiseOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  const refused = (why: string): Diagnosed<DraftOperation> =>
    silenceableError('flatten-elementwise/target', why, operation);
  const view = structured(rewriter.registry, operation);
  if (view === undefined || view.iteratorTypes.some((type) => type !== 'parallel'))
    return refused('only elementwise flattening is supported');
  const rank = view.iteratorTypes.length;
  if (rank <= 1) return success(operation);
  const operands = [...view.inputs, ...view.outputs];
  const fits = operands.every(
    (operand, i) => !isShaped(operand.type) || (isIdentity(view.indexingMaps[i]!) && canBeFlat(operand)),
  );
  // A `linalg.transpose` with identity maps permutes nothing, and has no flat form.
  if (!fits || transpose.is(operation) || indexDimensions(operation).length > 0)
    return refused('attempted to flatten, but failed: operands are not read element after element');
  const all = wholeOf(rank);
  rewriter.setInsertionPointBefore(operation);
  const flat = (value: Value): Value => {
    if (isTensorValue(value)) return createCollapse(rewriter, value, all);
    if (value.type.kind !== 'memref') return value;
    return rewriter.createValue(
      collapseShape.state({
        operands: { src: value },
        attributes: { reassociation: all },
        resultTypes: [inferCollapsedType(value.type, all)!],
      }),
    );
  };
  const [inputs, outputs] = [view.inputs.map(flat), view.outputs.map(flat)];
  const made = createFlat(rewriter, operation, inputs, outputs);
  rewriter.setInsertionPointAfter(made);
  const results = made.results.map((result, i) => {
    const { shape } = operation.results[i]!.type as TensorType;
    return createExpand(rewriter, result as Value<TensorType>, shape, all);
  });
  rewriter.replaceOperation(operation, results, [made]);
  return success(made);
};

const createFlat = (
  rewriter: Rewriter,
  operation: DraftOperation,
  inputs: readonly Value[],
  outputs: readonly Value[],
): DraftOperation => {
  const indexingMaps = [...inputs, ...outputs].map(({ type }) =>
    makeMap(1, 0, isShaped(type) ? [dim(0)] : []),
  );
  if (generic.is(operation)) {
    const parts = { inputs, outputs, indexingMaps, iteratorTypes: ['parallel' as const] };
    const made = createGenericLike(rewriter, operation, parts);
    takeBody(rewriter, operation, made);
    return made;
  }
  const named = elementwiseOps.find((definition) => definition.is(operation));
  return named === undefined
    ? createStructuredLike(rewriter, operation, { inputs, outputs, indexingMaps })
    : createNamed(rewriter, operation, named, { inputs, outputs });
};
