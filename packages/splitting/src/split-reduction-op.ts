/**
 * Splits a reduction into parallel partial reductions and a reduction of their results, like `linalg::splitReduction`.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, identityMap, isFunctionOfDim, makeMap, substitute } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, success, wrongOpKind } from '@sconv/diagnostics';
import {
  allowReordering,
  createConstantValue,
  createDims,
  createEmpty,
  createExpand,
  createFill,
  elementTypeOf,
  indexDimensions,
  neutralElement,
  reductionCombiner,
  sliceOperands,
  isTensorValue,
} from '@sconv/dialects';
import { allocTensor } from '@sconv/dialects/bufferization';
import type { IteratorType, StructuredOp } from '@sconv/dialects/linalg';
import { generic, structured, yieldOp } from '@sconv/dialects/linalg';
import type { Attribute, DraftOperation, Rewriter, TensorType, Type, Value } from '@sconv/ir';
import { bodyOf, DYNAMIC, i1, tensorType } from '@sconv/ir';

/** How a reduction is split. */
export interface ReductionSplit {
  /** Number of parallel reductions; when scaling, the trip count of each. */
  readonly factor: number;
  /** The dimension of the partial results' tensor that indexes the reductions. */
  readonly position: number;
  /** Whether parallel reductions take adjacent elements instead of a contiguous range each. */
  readonly innerParallel: boolean;
  /** Whether to reduce over `k * factor + k'`, which leaves the inputs unchanged. */
  readonly byScaling: boolean;
  /** Whether the partial results get their own buffer. */
  readonly useAlloc: boolean;
}

/** The ops that a split creates. */
export interface SplitReductionResult {
  readonly init: DraftOperation;
  readonly fill: DraftOperation;
  readonly split: DraftOperation;
  readonly combining: DraftOperation;
}

/** A reduction that meets the preconditions of both variants. */
interface Reduction {
  readonly operation: DraftOperation;
  readonly view: StructuredOp;
  /** The split dimension. */
  readonly reduced: number;
  readonly output: Value<TensorType>;
  readonly outputMap: AffineMap;
  readonly combiner: DraftOperation;
  readonly neutral: Attribute;
}

/**
 * Splits a reduction: partial results in a tensor with one more dimension, and a reduction of that tensor.
 *
 * @deviation Refused if the body uses its indices, or if the reduced dimension indexes the output: there upstream
 * miscompiles. When scaling, the partial results are at `position`, whatever the reduced dimension.
 */
export const splitReductionOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: ReductionSplit,
): Diagnosed<SplitReductionResult> =>
  andThen(reductionOf(rewriter, operation, options), (reduction) => {
    if (options.byScaling) return success(createByScaling(rewriter, reduction, options));
    const { indexingMaps, iteratorTypes } = reduction.view;
    if (iteratorTypes.filter((type) => type === 'reduction').length > 1)
      return failed('split-reduction/dimensions', 'there are several reduction dimensions', operation);
    if (!indexingMaps.every(({ results }) => results.every(({ kind }) => kind === 'dim')))
      return failed('split-reduction/map', 'an operand is not indexed by dimensions only', operation);
    if (hasDynamicSize(reduction)) {
      const reason = `the size of an operand along reduction dimension ${reduction.reduced} is dynamic`;
      return failed('split-reduction/factor', reason, operation);
    }
    return success(createByExpansion(rewriter, reduction, options));
  });

const failed = (code: string, reason: string, operation: DraftOperation) =>
  definite(error(code, `failed to apply: ${reason}`, operation.location));

const reductionOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { factor, position, innerParallel, byScaling }: ReductionSplit,
): Diagnosed<Reduction> => {
  const view = structured(rewriter.registry, operation);
  if (view === undefined) return wrongOpKind('split-reduction/not-structured', operation);
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges } = view;
  const reduced = iteratorTypes.indexOf('reduction');
  const [output, ...others] = outputs;
  if (reduced < 0)
    return failed('split-reduction/no-reduction', 'there is no reduction dimension', operation);
  if (output === undefined || others.length > 0 || !isTensorValue(output))
    return failed('split-reduction/output', 'there is not exactly one output, a tensor', operation);
  const size = loopRanges[reduced]!;
  if (!Number.isSafeInteger(factor) || factor <= 1 || size < 0 || size % factor !== 0) {
    const reason = `reduction dimension ${reduced} is not known to be divisible by split factor ${factor}`;
    return failed('split-reduction/factor', reason, operation);
  }
  if (!Number.isSafeInteger(position) || position < 0 || position > output.type.shape.length) {
    const reason = `the partial results have no dimension ${position}`;
    return failed('split-reduction/position', reason, operation);
  }
  if (byScaling && innerParallel)
    return failed('split-reduction/inner-parallel', 'scaling makes outer reductions parallel', operation);
  const outputMap = indexingMaps[inputs.length]!;
  if (
    outputMap.results.some((expr) => isFunctionOfDim(expr, reduced)) ||
    !outputMap.results.every(({ kind }) => kind === 'dim')
  )
    return failed(
      'split-reduction/output-map',
      'the output is not indexed by other dimensions alone',
      operation,
    );
  if (indexDimensions(operation).length > 0)
    return failed('split-reduction/index', 'the body uses linalg.index', operation);
  const combiner = reductionCombiner(rewriter, bodyOf(operation), inputs.length, 0);
  const neutral = combiner === undefined ? undefined : neutralElement(rewriter.registry, combiner);
  if (combiner === undefined || neutral === undefined) {
    const reason = 'the body does not combine values with a single operation that has a neutral element';
    return failed('split-reduction/combiner', reason, operation);
  }
  return success({ operation, view, reduced, output, outputMap, combiner, neutral });
};

/** Whether an input has a dynamic size along the split dimension, which another input may have as a static one. */
const hasDynamicSize = ({ view: { inputs, indexingMaps }, reduced }: Reduction): boolean =>
  inputs.some(
    ({ type }, i) =>
      type.kind === 'tensor' &&
      indexingMaps[i]!.results.some(
        (expr, at) => expr.kind === 'dim' && expr.position === reduced && type.shape[at] === DYNAMIC,
      ),
  );

/** Expands each operand, splitting the reduced dimension into two. */
const createByExpansion = (
  rewriter: Rewriter,
  reduction: Reduction,
  { factor, position, innerParallel, useAlloc }: ReductionSplit,
): SplitReductionResult => {
  const { operation, view, reduced, outputMap } = reduction;
  rewriter.setInsertionPointBefore(operation);
  const inserted = innerParallel ? reduced + 1 : position;
  const shifted = (dimension: number): AffineExpr => dim(dimension < inserted ? dimension : dimension + 1);
  const numDims = view.iteratorTypes.length + 1;
  const inputs = view.inputs.map((input, i) => {
    const shape = isTensorValue(input) ? input.type.shape : [];
    const parts = view.indexingMaps[i]!.results.map((expr, at) => {
      const dimension = expr.kind === 'dim' ? expr.position : -1;
      const size = shape[at]!;
      if (dimension !== reduced) return [{ size, expr: shifted(dimension) }];
      const parallel = { size: factor, expr: dim(inserted) };
      const rest = { size: size / factor, expr: shifted(dimension) };
      return innerParallel ? [rest, parallel] : [parallel, rest];
    });
    let next = 0;
    const reassociation = parts.map((group) => group.map(() => next++));
    const isWhole = parts.every((group) => group.length === 1);
    const sizes = parts.flatMap((group) => group.map(({ size }) => size));
    return {
      value: isWhole || !isTensorValue(input) ? input : createExpand(rewriter, input, sizes, reassociation),
      map: makeMap(
        numDims,
        0,
        parts.flatMap((group) => group.map(({ expr }) => expr)),
      ),
    };
  });
  const outer = outputMap.results.map((expr) => shifted(expr.kind === 'dim' ? expr.position : -1));
  const filled = createPartial(rewriter, reduction, position, factor, useAlloc);
  return withCombination(rewriter, reduction, position, filled, {
    inputs: inputs.map(({ value }) => value),
    maps: [...inputs.map(({ map }) => map), makeMap(numDims, 0, outer.toSpliced(position, 0, dim(inserted)))],
    iteratorTypes: view.iteratorTypes.toSpliced(inserted, 0, 'parallel'),
    added: [],
  });
};

/** Replaces the reduced dimension `k` by `k * factor + k'`, with an extra input that provides the sizes of both. */
const createByScaling = (
  rewriter: Rewriter,
  reduction: Reduction,
  { factor, position, useAlloc }: ReductionSplit,
): SplitReductionResult => {
  const { operation, view, reduced, outputMap } = reduction;
  rewriter.setInsertionPointBefore(operation);
  const numDims = view.iteratorTypes.length + 1;
  const parts = view.loopRanges[reduced]! / factor;
  const scaled = view.iteratorTypes.map((_, dimension) => {
    if (dimension === reduced)
      return dim(reduced)
        .mul(factor)
        .add(dim(reduced + 1));
    return dim(dimension < reduced ? dimension : dimension + 1);
  });
  const over = (map: AffineMap): AffineMap => substitute(map, { dims: scaled, numDims });
  const filled = createPartial(rewriter, reduction, position, parts, useAlloc);
  const sizes = createEmpty(rewriter, [parts, factor], i1);
  const results = over(outputMap).results.toSpliced(position, 0, dim(reduced));
  return withCombination(rewriter, reduction, position, filled, {
    inputs: [...view.inputs, sizes],
    maps: [
      ...view.indexingMaps.slice(0, view.inputs.length).map(over),
      makeMap(numDims, 0, [dim(reduced), dim(reduced + 1)]),
      makeMap(numDims, 0, results),
    ],
    iteratorTypes: view.iteratorTypes.toSpliced(reduced, 0, 'parallel'),
    added: [i1],
  });
};

/** The tensor of partial results. */
interface Partial {
  readonly init: Value<TensorType>;
  readonly fill: DraftOperation;
}

/** Partial results: the output with a dimension of `size` at `position`, filled with the neutral element. */
const createPartial = (
  rewriter: Rewriter,
  { operation, output, combiner, neutral }: Reduction,
  position: number,
  size: number,
  useAlloc: boolean,
): Partial => {
  allowReordering(rewriter, combiner);
  const { elementType } = output.type;
  const sizes = createDims(rewriter, output).toSpliced(position, 0, size);
  const init = useAlloc
    ? (rewriter.createValue(
        allocTensor.state({
          operands: { dynamicSizes: sliceOperands(sizes).dynamic },
          resultTypes: [tensorType(sliceOperands(sizes).static, elementType)],
        }),
      ) as Value<TensorType>)
    : createEmpty(rewriter, sizes, elementType);
  const value = createConstantValue(rewriter, neutral, elementType);
  return { init, fill: createFill(rewriter, value, init, operation.location) };
};

/** The generic op with the body of the reduction. */
interface PartialReduction {
  readonly inputs: readonly Value[];
  readonly maps: readonly AffineMap[];
  readonly iteratorTypes: readonly IteratorType[];
  /** Types of the arguments added after the inputs. */
  readonly added: readonly Type[];
}

const withCombination = (
  rewriter: Rewriter,
  { operation, view, output, combiner }: Reduction,
  position: number,
  { init, fill }: Partial,
  { inputs, maps, iteratorTypes, added }: PartialReduction,
): SplitReductionResult => {
  const [partial] = fill.results;
  if (partial === undefined) throw new Error('a fill of a tensor has a result');
  const { location } = operation;
  const { elementType } = output.type;
  const split = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs, outputs: [partial] },
      attributes: { indexingMaps: maps, iteratorTypes },
      location,
      bodies: [
        {
          argumentTypes: [...view.inputs.map(({ type }) => elementTypeOf(type)), ...added, elementType],
          build: (body, ...values) => {
            body.inlineBlock(bodyOf(operation), values.toSpliced(view.inputs.length, added.length));
          },
        },
      ],
    }),
  );
  const { shape } = init.type;
  const whole = identityMap(shape.length);
  const combining = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: split.results, outputs: [output] },
      attributes: {
        indexingMaps: [whole, makeMap(shape.length, 0, whole.results.toSpliced(position, 1))],
        iteratorTypes: shape.map((_, i) => (i === position ? 'reduction' : 'parallel')),
      },
      location,
      bodies: [
        {
          argumentTypes: [elementType, elementType],
          build: (body, ...values) => {
            const copy = body.clone(combiner);
            body.setOperands(copy, values);
            body.create(yieldOp.state({ operands: { values: copy.results } }));
          },
        },
      ],
    }),
  );
  rewriter.replaceOperation(operation, combining.results, [split, combining]);
  const definition = rewriter.definingOperation(init);
  if (definition === undefined) throw new Error('partial results are made by an op');
  return { init: definition, fill, split, combining };
};
