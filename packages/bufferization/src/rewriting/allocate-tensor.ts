/** Creates `bufferization.alloc_tensor` of the size of another tensor, at the insertion point. */
import { add, constant as constantExpr, makeMap, symbol } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import {
  createDim,
  createDynamicSizes,
  createIndex,
  indexNumber,
  mixedSlice,
  rankReductionMask,
} from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { allocTensor } from '@sconv/dialects/bufferization';
import { empty, extractSlice, generate, mixedPadding, pad, splat } from '@sconv/dialects/tensor';
import type { Attribute, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, indexType } from '@sconv/ir';
import type { BufferTypes } from './buffer-types.ts';
import { fail } from '../failure.ts';

/** The sum of values and a constant, as one `affine.apply` with the values as symbols. */
const createSum = (rewriter: Rewriter, terms: readonly MixedIndex[]): Value => {
  const known = terms.map((term) => indexNumber(rewriter, term));
  const values = terms.filter((_, i) => known[i] === undefined) as readonly Value[];
  const sum = known.reduce<number>((total, term) => total + (term ?? 0), 0);
  const [first] = values;
  if (first === undefined) return createIndex(rewriter, sum);
  const symbols = values.map((_, i) => symbol(i)).reduce((left, right) => add(left, right));
  if (sum === 0 && values.length === 1) return first;
  const map = makeMap(0, values.length, [sum === 0 ? symbols : add(symbols, constantExpr(sum))]);
  return rewriter.createValue(
    apply.state({ operands: { mapOperands: values }, attributes: { map }, resultTypes: [indexType] }),
  );
};

/** The size of a dimension; as upstream, a constant for a static one, besides that of the dimension's index. */
const createSizeValue = (rewriter: Rewriter, source: Value, dimension: number): Value => {
  const size = (source.type as TensorType).shape[dimension]!;
  if (size === DYNAMIC) return createDim(rewriter, source, dimension);
  createIndex(rewriter, dimension);
  return createIndex(rewriter, size);
};

/** The dynamic sizes of a padded tensor, with the ops that compute them. */
const paddedSizes = (rewriter: Rewriter, operation: DraftOperation): readonly Value[] => {
  const { low, high } = mixedPadding(operation);
  const { shape } = operation.results[0]!.type as TensorType;
  return shape.flatMap((size, i) =>
    size === DYNAMIC
      ? [createSum(rewriter, [low[i]!, high[i]!, createSizeValue(rewriter, operation.operands[0]!, i)])]
      : [],
  );
};

const dynamicIn = (shape: readonly number[], sizes: readonly MixedIndex[]): readonly Value[] =>
  shape.flatMap((size, i) => {
    const value = sizes[i]!;
    return size === DYNAMIC && typeof value !== 'number' ? [value] : [];
  });

/** The dynamic sizes of a result, derived from the operands of its op; undefined if that is impossible. */
const sizesFromOperands = (
  rewriter: Rewriter,
  { shape }: TensorType,
  operation: DraftOperation,
): readonly Value[] | undefined => {
  if (empty.is(operation) || generate.is(operation)) return operation.operands;
  if (splat.is(operation)) return operation.operands.slice(1);
  if (pad.is(operation)) return paddedSizes(rewriter, operation);
  if (allocTensor.is(operation)) {
    const { copy, dynamicSizes } = allocTensor.operands(operation);
    return copy === undefined ? dynamicSizes : undefined;
  }
  if (!extractSlice.is(operation)) return undefined;
  const { sizes } = mixedSlice(operation);
  const fixed = sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
  const dropped = rankReductionMask(fixed, shape);
  return dynamicIn(
    shape,
    sizes.filter((_, i) => dropped?.has(i) !== true),
  );
};

/** The dynamic sizes of a tensor. */
export const dynamicSizes = (rewriter: Rewriter, tensor: Value): readonly Value[] => {
  const type = tensor.type as TensorType;
  const operation = rewriter.definingOperation(tensor);
  const known = operation === undefined ? undefined : sizesFromOperands(rewriter, type, operation);
  return known ?? createDynamicSizes(rewriter, tensor);
};

/** A new tensor like another, with or without its contents, created for `user`. */
export const allocateTensor = (
  types: BufferTypes,
  tensor: Value,
  hasContent: boolean,
  user: DraftOperation,
): Value => {
  const { rewriter } = types;
  const { type } = tensor;
  if (type.kind !== 'tensor') {
    return fail('bufferize/unranked-copy', 'copying of unranked tensors is not implemented', user);
  }
  const create = (operands: { dynamicSizes?: readonly Value[]; copy?: Value }, memorySpace?: Attribute) =>
    rewriter.createValue(
      allocTensor.state({
        operands: { dynamicSizes: [], ...operands },
        attributes: memorySpace === undefined ? {} : { memorySpace },
        resultTypes: [type],
        location: user.location,
      }),
    );
  if (hasContent) return create({ copy: tensor });
  return create({ dynamicSizes: dynamicSizes(rewriter, tensor) }, types.spaceOf(tensor));
};
