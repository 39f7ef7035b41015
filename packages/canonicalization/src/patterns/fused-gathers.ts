/**
 * Elements of tensors that are gathered, or reshaped, from where they come from: a packing of a column matrix (IREE
 * slides, "Implicit GEMM Codegen") becomes a packing of the image, and the matrix is never made.
 *
 *     %matrix = linalg.generic outs(%empty) {          linalg.generic … {
 *       %element = tensor.extract %image[…]              …
 *       linalg.yield %element }                     →    %element = tensor.extract %image[…]
 *     linalg.generic … {                                 …
 *       %element = tensor.extract %matrix[%i, %j] }    }
 *
 * An element that is read more than once is computed each time.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, isPermutation, makeMap, rowMajorIndices, rowMajorPosition } from '@sconv/affine';
import { applyComposed, isTensorValue, mixedSlice, rankReductionMask } from '@sconv/dialects';
import { generic, genericView, index } from '@sconv/dialects/linalg';
import { collapseShape, expandShape, extract, extractSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, DYNAMIC, effectsOf, isStaticShape, terminatorOf } from '@sconv/ir';
import { definedBy, onOp } from '../match.ts';

/** Replaces an extraction by one from another tensor. */
const extractFrom = (
  rewriter: Rewriter,
  operation: DraftOperation,
  tensor: Value,
  indices: readonly Value[],
): void => {
  rewriter.replaceOperation(operation, [
    rewriter.createValue(
      extract.state({ operands: { tensor, indices }, resultTypes: [operation.results[0]!.type] }),
    ),
  ]);
};

const shapeOf = ({ type }: Value): readonly number[] => (type as TensorType).shape;

/** An expression over these values, which is a constant or one of them if it can be. */
const indexOf = (rewriter: Rewriter, expr: AffineExpr, values: readonly Value[]): Value =>
  applyComposed(rewriter, makeMap(values.length, 0, [expr]), values);

const isStaticTensor = (value: Value): boolean => isTensorValue(value) && isStaticShape(value.type);

/** The row-major position in dimensions of these sizes. */
const joined = (sizes: readonly number[], first: number): AffineExpr =>
  rowMajorPosition(
    sizes.map((_, i) => dim(first + i)),
    sizes,
  );

/** The index in each of these dimensions of a row-major position. */
const apart = (sizes: readonly number[], position: AffineExpr): readonly AffineExpr[] =>
  rowMajorIndices(position, sizes).map((index, i) => (sizes[i] === 1 ? constant(0) : index));

const ofExpanded = onOp(extract, 'extract-of-expanded', (rewriter, operation) => {
  const [tensor, ...indices] = operation.operands;
  const reshaped = definedBy(rewriter, tensor, expandShape);
  if (reshaped === undefined || !isStaticTensor(tensor!)) return;
  const shape = shapeOf(tensor!);
  const { reassociation } = expandShape.attributes(reshaped);
  const places = reassociation.map((group) =>
    indexOf(
      rewriter,
      joined(
        group.map((each) => shape[each]!),
        group[0] ?? 0,
      ),
      indices,
    ),
  );
  extractFrom(rewriter, operation, reshaped.operands[0]!, places);
});

const ofCollapsed = onOp(extract, 'extract-of-collapsed', (rewriter, operation) => {
  const [tensor, ...indices] = operation.operands;
  const reshaped = definedBy(rewriter, tensor, collapseShape);
  const source = reshaped?.operands[0];
  if (reshaped === undefined || source === undefined || !isStaticTensor(source)) return;
  const shape = shapeOf(source);
  const { reassociation } = collapseShape.attributes(reshaped);
  const places = reassociation.flatMap((group, i) =>
    apart(
      group.map((each) => shape[each]!),
      dim(i),
    ).map((expr) => indexOf(rewriter, expr, indices)),
  );
  // Dimensions of size 1 of a tensor of rank 0 are in no group.
  if (places.length === shape.length) extractFrom(rewriter, operation, source, places);
});

const ofSlice = onOp(extract, 'extract-of-slice', (rewriter, operation) => {
  const [tensor, ...indices] = operation.operands;
  const slice = definedBy(rewriter, tensor, extractSlice);
  if (slice === undefined) return;
  const { offsets, sizes, strides } = mixedSlice(slice);
  const dropped = rankReductionMask(
    sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC)),
    shapeOf(tensor!),
  );
  const steps = strides.flatMap((stride) => (typeof stride === 'number' ? [stride] : []));
  if (dropped === undefined || steps.length < strides.length) return;
  let next = 0;
  const places = offsets.map((offset, i) => {
    const own = dropped.has(i) ? [] : [indices[next++]!];
    const moved = dropped.has(i) ? constant(0) : dim(0).mul(steps[i]!);
    const start = typeof offset === 'number' ? constant(offset) : dim(own.push(offset) - 1);
    return indexOf(rewriter, add(moved, start), own);
  });
  extractFrom(rewriter, operation, slice.operands[0]!, places);
});

/** An element of a tensor that a `linalg.generic` makes of one element of each operand, or of others that it reads. */
const ofGather = onOp(extract, 'extract-of-gather', (rewriter, operation) => {
  const [tensor, ...indices] = operation.operands;
  const source = definedBy(rewriter, tensor, generic);
  if (source?.results.length !== 1) return;
  const { inputs, indexingMaps, iteratorTypes } = genericView(source);
  const body = bodyOf(source);
  const last = terminatorOf(body);
  const written = indexingMaps.at(-1)!;
  const readsOutput = body.operations.some(({ operands }) =>
    operands.some(({ id }) => id === body.arguments.at(-1)!.id),
  );
  if (readsOutput || iteratorTypes.some((type) => type !== 'parallel') || !isPermutation(written)) return;
  if (!inputs.every((input) => isTensorValue(input))) return;
  const isCheap = body.operations.every(
    (inner) =>
      inner.regions.length === 0 &&
      (inner === last ||
        index.is(inner) ||
        extract.is(inner) ||
        effectsOf(rewriter.registry, inner)?.length === 0),
  );
  const reads = body.operations.filter((inner) => extract.is(inner)).length + inputs.length;
  if (!isCheap || reads > 1) return;
  // 1. The point of the iteration space that writes the element.
  const point = iteratorTypes.map(
    (_, loop) => indices[written.results.findIndex((expr) => expr.kind === 'dim' && expr.position === loop)]!,
  );
  // 2. What its body computes there.
  const mapping = new Map<Value['id'], Value>();
  inputs.forEach((input, i) => {
    const places = indexingMaps[i]!.results.map((expr) => indexOf(rewriter, expr, point));
    mapping.set(
      body.arguments[i]!.id,
      rewriter.createValue(
        extract.state({
          operands: { tensor: input, indices: places },
          resultTypes: [input.type.elementType],
        }),
      ),
    );
  });
  for (const inner of body.operations) {
    if (inner === last) continue;
    if (index.is(inner)) mapping.set(inner.results[0]!.id, point[index.attributes(inner).dim]!);
    else rewriter.clone(inner, mapping);
  }
  const [value] = last.operands;
  rewriter.replaceOperation(operation, [mapping.get(value!.id) ?? value!]);
});

/** Reads elements of gathered and reshaped tensors where they come from. */
export const fusedGatherPatterns: readonly RewritePattern[] = [ofExpanded, ofCollapsed, ofSlice, ofGather];
