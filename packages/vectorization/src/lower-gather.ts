/**
 * Lowers gathers to a conditional load per element: upstream's `populateVectorGatherLoweringPatterns`.
 *
 * @deviation A gather from a column of a matrix is one from the whole matrix only if the column is the first one, of a
 * contiguous matrix: upstream drops the offset of the column, and begins as many elements, not rows, into the matrix. A
 * distance beyond the end of a row continues in the next one: upstream's index leaves the row, and the buffer or
 * tensor. Distances times the length of a row are of type `index`: upstream's wrap in their own type.
 */
import { affineMap, dim, makeMap } from '@sconv/affine';
import { definedBy, integerConstant, onOp } from '@sconv/canonicalization/matching';
import type { MixedIndex } from '@sconv/dialects';
import {
  applyFolded,
  createConstantValue,
  indexValue,
  mixedSlice,
  sizeOrDim,
  uniformConstant,
} from '@sconv/dialects';
import { addi, indexCast, muli } from '@sconv/dialects/arith';
import { collapseShape, isContiguous, stridedLayoutOf, subview } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import { extract as extractElement } from '@sconv/dialects/tensor';
import { gather, isMasked, load } from '@sconv/dialects/vector';
import type { MemRefType, RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, DYNAMIC, indexType, memrefType, vectorType } from '@sconv/ir';
import { createZeros, partOf, withoutLeading, withPart } from './vector-parts.ts';

/** Row by row. */
const flattenGather = onOp(gather, 'flatten-gather', (rewriter, operation) => {
  const type = operation.results[0]!.type as VectorType;
  if (type.shape.length < 2 || type.scalable[0] === true || isMasked(operation)) return;
  const { base, indices, index_vec: distances, mask, pass_thru: passThru } = gather.operands(operation);
  let all = createZeros(rewriter, type);
  const b = builder(rewriter);
  for (let row = 0; row < type.shape[0]!; row++) {
    const [index_vec, chosen, pass_thru] = [distances, mask, passThru].map((operand) =>
      partOf(rewriter, operand, [row]),
    );
    const part: Value = b(
      gather,
      { base, indices, index_vec: index_vec!, mask: chosen!, pass_thru: pass_thru! },
      { resultTypes: [withoutLeading(type)] },
    );
    all = withPart(rewriter, part, all, [row]);
  }
  rewriter.replaceOperation(operation, [all]);
});

/** The matrix whose first column is `column`, if that is a view. */
const matrixOf = (rewriter: Rewriter, column: Value): Value<MemRefType> | undefined => {
  const view = definedBy(rewriter, column, subview);
  if (view === undefined || column.type.kind !== 'memref') return undefined;
  const { source } = subview.operands(view);
  const { strides } = stridedLayoutOf(column.type) ?? {};
  const isFirst = mixedSlice(view).offsets.every((offset) => offset === 0);
  return isFirst &&
    column.type.layout !== undefined &&
    strides?.length === 1 &&
    source.type.shape.length === 2 &&
    strides[0] === source.type.shape[1] &&
    strides[0] !== DYNAMIC &&
    isContiguous(source.type)
    ? source
    : undefined;
};

/** Distances as `index`: what is computed from them may exceed their own type. */
const asIndices = (rewriter: Rewriter, distances: Value<VectorType>): Value => {
  const { elementType, shape, scalable } = distances.type;
  return elementType.kind === 'index'
    ? distances
    : builder(rewriter)(
        indexCast,
        { in: distances },
        { resultTypes: [vectorType(shape, indexType, scalable)] },
      );
};

const gatherFromColumn = onOp(gather, 'gather-from-column', (rewriter, operation) => {
  const { base, ...others } = gather.operands(operation);
  const matrix = isMasked(operation) ? undefined : matrixOf(rewriter, base);
  if (matrix === undefined) return;
  const [rows = 0, columns = 0] = matrix.type.shape;
  const b = builder(rewriter);
  const whole = memrefType(
    [rows < 0 ? rows : rows * columns],
    matrix.type.elementType,
    undefined,
    matrix.type.memorySpace,
  );
  const flat: Value = b(collapseShape, { src: matrix, reassociation: [[0, 1]] }, { resultTypes: [whole] });
  const distances = asIndices(rewriter, others.index_vec);
  const type = distances.type as VectorType;
  const stride = createConstantValue(rewriter, uniformConstant(BigInt(columns), type)!, type);
  const index_vec: Value = b(muli, { lhs: distances, rhs: stride });
  const indices = others.indices.map((at) =>
    indexValue(rewriter, applyFolded(rewriter, makeMap(1, 0, [dim(0).mul(columns)]), [at])),
  );
  rewriter.replaceOperation(operation, [
    b(
      gather,
      { ...others, base: flat, indices, index_vec },
      { resultTypes: operation.results.map((result) => result.type) },
    ),
  ]);
});

/** `a + b`, or `b` if `a` is zero. */
const sum = (rewriter: Rewriter, a: Value, b: Value): Value =>
  integerConstant(rewriter, a) === 0 ? b : builder(rewriter)(addi, { lhs: a, rhs: b });

const row = affineMap('(d0, d1)[s0] -> (d0 + d1 floordiv s0)');
const column = affineMap('(d0)[s0] -> (d0 mod s0)');

/** The indices of an element at `end` in the row of `indices`, which may be in another one. */
const placeOf = (
  rewriter: Rewriter,
  indices: readonly Value[],
  sizes: readonly MixedIndex[],
  end: Value,
): readonly Value[] => {
  const place = [...indices];
  let last: MixedIndex = end;
  for (let at = indices.length - 1; at > 0; at--) {
    const size = sizes[at]!;
    if (size === 0) return indices;
    place[at] = indexValue(rewriter, applyFolded(rewriter, column, [last, size]));
    last = applyFolded(rewriter, row, [indices[at - 1]!, last, size]);
  }
  return [indexValue(rewriter, last), ...place.slice(1)];
};

const gatherByElement = onOp(gather, 'gather-by-element', (rewriter, operation) => {
  const { base, indices, index_vec: distances, mask, pass_thru: passThru } = gather.operands(operation);
  const type = operation.results[0]!.type as VectorType;
  if (type.shape.length !== 1 || type.scalable[0] === true || isMasked(operation)) return;
  if (base.type.kind === 'memref' && stridedLayoutOf(base.type)?.strides.at(-1) !== 1) return;
  const places = asIndices(rewriter, distances);
  // That of the first dimension does not matter.
  const sizes = indices.map((_, at) => (at === 0 ? 0 : sizeOrDim(rewriter, base, at)));
  let result: Value = passThru;
  for (let at = 0; at < type.shape[0]!; at++) {
    const condition = partOf(rewriter, mask, [at]);
    const end = sum(rewriter, indices.at(-1)!, partOf(rewriter, places, [at]));
    const before = result;
    const read = {
      build: (inner: Rewriter): void => {
        const c = builder(inner);
        // Only here: sizes may be 0 if nothing is read.
        const position = placeOf(inner, indices, sizes, end);
        const element: Value =
          base.type.kind === 'memref'
            ? partOf(
                inner,
                c(load, { base, indices: position }, { resultTypes: [vectorType([1], type.elementType)] }),
                [0],
              )
            : c(extractElement, { tensor: base, indices: position });
        c(yieldOp, { results: [withPart(inner, element, before, [at])] });
      },
    };
    const keep = {
      build: (inner: Rewriter): void => {
        builder(inner)(yieldOp, { results: [before] });
      },
    };
    const made = rewriter.create(
      ifOp.state<Rewriter>({ operands: { condition }, resultTypes: [type], bodies: [read, keep] }),
    );
    result = made.results[0]!;
  }
  rewriter.replaceOperation(operation, [result]);
});

export const gatherPatterns: readonly RewritePattern[] = [flattenGather, gatherFromColumn, gatherByElement];
