/** Folds reshapes, slices and packings of empty tensors: upstream's `populateFoldTensorEmptyPatterns`. */
import { constant, dim as dimension, makeMap, symbol } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import {
  applyExpression,
  applyFolded,
  castTo,
  createDim,
  createEmpty,
  createIndex,
  createSize,
  indexValue,
} from '@sconv/dialects';
import {
  collapseShape,
  concat,
  empty,
  expandShape,
  extractSlice,
  pack,
  unpack,
} from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { definedBy, hasOneUse, onOp } from '../match.ts';
import { tensorCast } from './tensor-cast.ts';

/** The sizes of a reshape; dynamic ones are computed from its source. */
const reshapedSizes = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: Value<TensorType>,
  shape: readonly number[],
): readonly MixedIndex[] => {
  if (collapseShape.is(operation)) {
    const { reassociation } = collapseShape.attributes(operation);
    return shape.map((size, i) => {
      if (size !== DYNAMIC) return size;
      const sizes = reassociation[i]!.map((dimension) => createSize(rewriter, source, dimension));
      const product = sizes.map((_, at) => symbol(at)).reduce((all, each) => all.mul(each));
      return applyExpression(rewriter, product, sizes);
    });
  }
  const { reassociation } = expandShape.attributes(operation);
  return shape.map((size, i) => {
    if (size !== DYNAMIC) return size;
    const from = reassociation.findIndex((group) => group.includes(i));
    const known = reassociation[from]!.reduce((all, at) => (at === i ? all : all * shape[at]!), 1);
    const whole = createDim(rewriter, source, from);
    return applyExpression(rewriter, symbol(0).floorDiv(constant(known)), [whole]);
  });
};

const reshapeOfEmpty = (singleUse: boolean): readonly RewritePattern[] =>
  [collapseShape, expandShape].map((definition) =>
    onOp(definition, 'reshape-of-empty', (rewriter, operation) => {
      const source = definedBy(rewriter, operation.operands[0], empty)?.results[0];
      const { type } = operation.results[0]!;
      if (source?.type.kind !== 'tensor' || type.kind !== 'tensor') return;
      if (singleUse && !hasOneUse(rewriter, source)) return;
      const sizes = reshapedSizes(rewriter, operation, source as Value<TensorType>, type.shape);
      const made = createEmpty(rewriter, sizes, type.elementType);
      rewriter.replaceOperation(operation, [castTo(rewriter, made, type, tensorCast)]);
    }),
  );

const sliceOfEmpty = (singleUse: boolean): RewritePattern =>
  onOp(extractSlice, 'slice-of-empty', (rewriter, operation) => {
    const { source, sizes } = extractSlice.operands(operation);
    if (definedBy(rewriter, source, empty) === undefined) return;
    if (singleUse && !hasOneUse(rewriter, source)) return;
    const resultTypes = operation.results.map(({ type }) => type);
    rewriter.replaceWith(operation, empty.state({ operands: { dynamicSizes: sizes }, resultTypes }));
  });

/** Without padding, the packed tensor is empty too. */
const packOfEmpty = onOp(pack, 'pack-of-empty', (rewriter, operation) => {
  const { source, dest, paddingValue } = pack.operands(operation);
  if (paddingValue !== undefined || definedBy(rewriter, source, empty) === undefined) return;
  rewriter.replaceOperation(operation, [dest]);
});

const unpackOfEmpty = onOp(unpack, 'unpack-of-empty', (rewriter, operation) => {
  const { source, dest } = unpack.operands(operation);
  if (definedBy(rewriter, source, empty) !== undefined) rewriter.replaceOperation(operation, [dest]);
});

const concatOfEmpty = onOp(concat, 'concat-of-empty', (rewriter, operation) => {
  const { inputs } = concat.operands(operation);
  const [first] = inputs;
  if (first === undefined || !inputs.every((input) => definedBy(rewriter, input, empty) !== undefined))
    return;
  const sizes = concatSizes(rewriter, operation);
  const { type } = operation.results[0]!;
  const made = createEmpty(rewriter, sizes, (type as TensorType).elementType);
  rewriter.replaceOperation(operation, [castTo(rewriter, made, type, tensorCast)]);
});

/** The sizes of a concatenation: numbers where the result type is static. */
export const concatSizes = (rewriter: Rewriter, operation: DraftOperation): readonly MixedIndex[] => {
  const { inputs } = concat.operands(operation);
  const { dim: at } = concat.attributes(operation);
  const { shape } = operation.results[0]!.type as TensorType;
  const sizes = shape.map((size, i): MixedIndex => {
    if (size !== DYNAMIC || i === at) return size;
    const known = inputs.map(({ type }) => type.shape[i]!).find((each) => each !== DYNAMIC);
    return known === undefined ? createDim(rewriter, inputs[0]!, i) : createIndex(rewriter, known);
  });
  if (shape[at] === DYNAMIC) {
    const parts = inputs.map((input) => createSize(rewriter, input, at));
    const sum = parts.map((_, i) => dimension(i)).reduce((all, each) => all.add(each));
    sizes[at] = indexValue(rewriter, applyFolded(rewriter, makeMap(parts.length, 0, [sum]), parts));
  }
  return sizes;
};

/** With `singleUse`, reshapes and slices fold only if the empty tensor has no other users. */
export const foldEmptyPatterns = (singleUse: boolean): readonly RewritePattern[] => [
  sliceOfEmpty(singleUse),
  ...reshapeOfEmpty(singleUse),
  concatOfEmpty,
  packOfEmpty,
  unpackOfEmpty,
];
