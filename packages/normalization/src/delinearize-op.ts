/**
 * Delinearization (ST §5.4, task 4c): reads of the linearised input become reads of the original tensor, by row and
 * column. The collapsed input and its slices become dead.
 *
 *     %linear = tensor.collapse_shape %image [[0], [1], [2, 3]]
 *     linalg.generic { … tensor.extract %linear[%n, %c, (%w floordiv 6 + %fh) * 8 + %w mod 6 + %fw] … }
 *     →
 *     linalg.generic { … tensor.extract %image[%n, %c, %w floordiv 6 + %fh, %w mod 6 + %fw] … }
 *
 * A linear index is divided by the input width I_w; since it was built as `row * I_w + column` with the column below
 * I_w, simplification under the loop bounds recovers row and column without a division by I_w.
 */
import type { AffineExpr, Bounds } from '@sconv/affine';
import { constant, simplify } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, mapSuccess, silenceableError } from '@sconv/diagnostics';
import { behindSlices, constantIndexOf, elementSource, loopOfVariable, tryAffine } from '@sconv/dialects';
import type { ElementSource } from '@sconv/dialects';
import { generic, genericView } from '@sconv/dialects/linalg';
import { forBounds } from '@sconv/dialects/scf';
import { collapseShape, extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, isStaticShape } from '@sconv/ir';
import { createIndices, readElement } from './element-reads.ts';

/** Rewrites every `tensor.extract` of a collapsed tensor in the body of `operation` to read the original tensor. */
export const delinearizeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<undefined> => {
  if (!generic.is(operation)) {
    return silenceableError(
      'delinearize/not-generic',
      `expected a linalg.generic, got '${operation.name}': generalize it first`,
      operation,
    );
  }
  const rank = genericView(operation).iteratorTypes.length;
  const elements = rewriter.walk(operation).filter((inner) => extract.is(inner));
  const sources = collect(elements, (element) =>
    tryAffine(operation, 'delinearize/arithmetic', () => {
      const linear = elementSource(rewriter, operation, element);
      const original = expandedSource(rewriter, behindSlices(rewriter, rank, linear));
      return original === undefined
        ? undefined
        : { element, original: simplified(rewriter, operation, original) };
    }),
  );
  return mapSuccess(sources, (found) => {
    for (const source of found) {
      if (source === undefined) continue;
      const { element, original } = source;
      const indices = createIndices(rewriter, operation, element, original);
      readElement(rewriter, element, original.tensor, indices);
    }
    return undefined;
  });
};

/**
 * The source before its dimensions were collapsed; undefined if they were not, or have dynamic sizes or no elements.
 */
const expandedSource = (rewriter: Rewriter, source: ElementSource): ElementSource | undefined => {
  const collapse = rewriter.definingOperation(source.tensor);
  if (collapse === undefined || !collapseShape.is(collapse)) return undefined;
  const original = collapseShape.operands(collapse).src;
  const type = original.type as TensorType;
  if (!isStaticShape(type) || type.shape.includes(0)) return undefined;
  const { shape } = type;
  const { reassociation } = collapseShape.attributes(collapse);
  // A rank-0 tensor has no groups to locate its only element.
  const indices =
    reassociation.length === 0
      ? shape.map(() => constant(0))
      : reassociation.flatMap((group, i) =>
          splitIndex(
            source.indices[i]!,
            group.map((dimension) => shape[dimension]!),
          ),
        );
  return { tensor: original, indices, outer: source.outer };
};

/** Delinearizes a row-major index into a group of dimensions. */
const splitIndex = (linear: AffineExpr, sizes: readonly number[]): readonly AffineExpr[] => {
  const [size, ...inner] = sizes;
  if (size === undefined || inner.length === 0) return [linear];
  const stride = inner.reduce((product, each) => product * each, 1);
  return [linear.floorDiv(stride), ...splitIndex(linear.mod(stride), inner)];
};

/** The source with its indices simplified under the loop bounds. */
const simplified = (rewriter: Rewriter, operation: DraftOperation, source: ElementSource): ElementSource => {
  const bounds = [
    ...genericView(operation).loopRanges.map((extent): Bounds => [0, extent === DYNAMIC ? Infinity : extent]),
    ...source.outer.map((value) => boundsOf(rewriter, value)),
  ];
  // Code that never runs may read anywhere.
  const dims = bounds.some(([lo, hi]) => lo >= hi) ? [] : bounds;
  return { ...source, indices: source.indices.map((expr) => simplify(expr, { dims })) };
};

/** The range of an induction variable. */
const boundsOf = (rewriter: Rewriter, value: Value): Bounds => {
  const loop = loopOfVariable(rewriter, value);
  if (loop === undefined) return unbounded;
  const { lower, upper } = forBounds(loop);
  return [constantIndexOf(rewriter, lower) ?? unbounded[0], constantIndexOf(rewriter, upper) ?? unbounded[1]];
};

const unbounded: Bounds = [-Infinity, Infinity];
