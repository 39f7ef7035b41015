/** Slices of tensors: extraction, insertion, and parallel insertion. */
import type { Folder, Operation, TensorType, VerifyProblem } from '@sconv/ir';
import {
  bare,
  defineOp,
  DYNAMIC,
  i64ArrayAttribute,
  index,
  isStaticShape,
  one,
  tensorType,
  typeEquals,
  typesMatchWith,
  unitAttributeKind,
  variadic,
} from '@sconv/ir';
import { rankedTensor } from './constraints.ts';
import type { MixedIndex, SliceOperands } from './mixed-indices.ts';
import { allStatic, dynamicIndexList, mixedIndices, mixedSlice } from './mixed-indices.ts';
import { firstBlockOf, yieldsFirst } from './region-edges.ts';
import { inferExtractSliceType, rankReductionMask } from './slice-types.ts';
import { listError, sliceListErrors } from './slice-verify.ts';
import { ofSlice, withPadding } from './speculatable-models.ts';
import { addSizes } from './strided-layout.ts';
import { typeText } from './type-text.ts';

const sliceAttributes = {
  staticOffsets: i64ArrayAttribute,
  staticSizes: i64ArrayAttribute,
  staticStrides: i64ArrayAttribute,
};
const sliceOperandGroups = {
  offsets: variadic(index),
  sizes: variadic(index),
  strides: variadic(index),
};
const sliceLists =
  'custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes, ' +
  '$static_sizes) custom<DynamicIndexList>($strides, $static_strides)';
const directives = { DynamicIndexList: dynamicIndexList };

/** Whether the slice covers a whole tensor of this type. */
const isWhole = (operation: Operation, whole: TensorType): boolean => {
  const { offsets, sizes, strides } = mixedSlice(operation);
  return (
    offsets.every((offset) => offset === 0) &&
    strides.every((stride) => stride === 1) &&
    allStatic(sizes) &&
    sizes.every((size, i) => size === whole.shape[i])
  );
};

/** A slice of a whole tensor folds to that tensor. */
const foldExtract: Folder = (operation) => {
  const [source] = operation.operands;
  const [result] = operation.results;
  if (source?.type.kind !== 'tensor' || result === undefined) return undefined;
  return typeEquals(source.type, result.type) && isWhole(operation, source.type) ? [source] : undefined;
};

/** An insertion that overwrites a whole tensor folds to its source. */
const foldInsert: Folder = (operation) => {
  const [source, dest] = operation.operands;
  if (source === undefined || dest?.type.kind !== 'tensor') return undefined;
  return typeEquals(source.type, dest.type) && isWhole(operation, dest.type) ? [source] : undefined;
};

/**
 * Padding that adds nothing folds to its source, unless it is to stay.
 *
 * @deviation Upstream compares the types only, so `low[-1] high[1]`, which shifts, folds there, too.
 */
const foldPad: Folder = (operation) => {
  const { operands, results, attributes } = operation;
  const [source, result] = [operands[0], results[0]];
  if (source === undefined || result?.type.kind !== 'tensor' || !isStaticShape(result.type)) return undefined;
  const isKept =
    mayShift(mixedPadding(operation)) ||
    attributes['nofold'] !== undefined ||
    !typeEquals(source.type, result.type);
  return isKept ? undefined : [source];
};

/** Upstream's error for a type that is neither that of the slice nor a rank-reduced form of it. */
function* sliceTypeErrors(expected: TensorType, given: TensorType): Generator<string> {
  if (given.shape.length > expected.shape.length) {
    yield 'expected rank to be smaller or equal to the other rank. ';
  } else if (rankReductionMask(expected.shape, given.shape) === undefined) {
    yield `expected type to be '${typeText(expected)}' or a rank-reduced version. (size mismatch) `;
  } else if (!typeEquals(expected.elementType, given.elementType)) {
    yield `expected element type to be '${typeText(expected.elementType)}'`;
  }
}

/** Errors of a slice of type `slice` of a tensor of type `whole`. */
function* sliceErrors(operation: Operation, whole: TensorType, slice: TensorType): Generator<string> {
  const errors = [...sliceListErrors(operation, whole.shape.length)];
  yield* errors;
  if (errors.length === 0)
    yield* sliceTypeErrors(inferExtractSliceType(whole, mixedSlice(operation).sizes), slice);
}

/** `tensor.extract_slice %t[0, %i] [1, 16] [1, 1] : tensor<4x64xf32> to tensor<1x16xf32>`. */
export const extractSlice = defineOp({
  name: 'tensor.extract_slice',
  interfaces: [ofSlice(0)],
  summary: 'a slice of a tensor, as a tensor of its own',
  operands: { source: one(rankedTensor), ...sliceOperandGroups },
  results: { result: one(rankedTensor) },
  attributes: sliceAttributes,
  traits: ['pure'],
  assembly: {
    format: `$source \`\` ${sliceLists} attr-dict \`:\` type($source) \`to\` type($result)`,
    directives,
  },
  inferResultTypes: (operands, attributes) => {
    const source = operands[0]?.type;
    const sizes = attributes['static_sizes'];
    if (source?.kind !== 'tensor' || sizes?.kind !== 'dense-array') return undefined;
    return [inferExtractSliceType(source, sizes.values.map(Number))];
  },
  verify: ({ operation, operands: { source }, results: { result } }) =>
    bare(sliceErrors(operation, source.type, result.type)),
  fold: foldExtract,
  resultName: () => 'extracted_slice',
});

/** `tensor.insert_slice %s into %t[0, %i] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<4x64xf32>`. */
export const insertSlice = defineOp({
  name: 'tensor.insert_slice',
  interfaces: [ofSlice(1)],
  summary: 'a tensor with a slice replaced',
  operands: { source: one(rankedTensor), dest: one(rankedTensor), ...sliceOperandGroups },
  results: { result: one(rankedTensor) },
  attributes: sliceAttributes,
  traits: ['pure'],
  destinations: 'dest',
  typeRelations: [
    typesMatchWith('expected result type to match dest type', 'dest', 'result', (type) => type),
  ],
  assembly: {
    format: `$source \`into\` $dest \`\` ${sliceLists} attr-dict \`:\` type($source) \`into\` type($dest)`,
    directives,
  },
  verify: ({ operation, operands: { source, dest } }) => bare(sliceErrors(operation, dest.type, source.type)),
  fold: foldInsert,
  resultName: () => 'inserted_slice',
});

/** `tensor.parallel_insert_slice`, in `scf.forall.in_parallel`. */
export const parallelInsertSlice = defineOp({
  name: 'tensor.parallel_insert_slice',
  summary: 'the slice that an iteration of `scf.forall` contributes',
  operands: { source: one(rankedTensor), dest: one(rankedTensor), ...sliceOperandGroups },
  attributes: sliceAttributes,
  assembly: {
    format: `$source \`into\` $dest \`\` ${sliceLists} attr-dict \`:\` type($source) \`into\` type($dest)`,
    directives,
  },
  *verify({ operation, operands: { source, dest } }, context) {
    if (context.ancestors[0]?.name !== 'scf.forall.in_parallel') {
      yield 'expected ParallelCombiningOpInterface parent';
    } else yield* bare(sliceErrors(operation, dest.type, source.type));
  },
});

function* padErrors(
  operation: Operation,
  { source, result }: { readonly source: TensorType; readonly result: TensorType },
  low: SliceOperands,
  high: SliceOperands,
): Generator<VerifyProblem> {
  const { length: rank } = source.shape;
  const wrong =
    listError('low padding', low.static, low.dynamic, rank) ??
    listError('high padding', high.static, high.dynamic, rank);
  if (wrong !== undefined) {
    yield* bare([wrong]);
    return;
  }
  const shape = source.shape.map((size, i) => addSizes(size, addSizes(low.static[i]!, high.static[i]!)));
  const fits =
    result.shape.length === rank && shape.every((size, i) => size === DYNAMIC || size === result.shape[i]);
  if (!fits) {
    const expected = tensorType(shape, source.elementType, source.encoding);
    yield* bare([
      `specified type '${typeText(result)}' does not match the inferred type '${typeText(expected)}'`,
    ]);
    return;
  }
  const body = firstBlockOf(operation);
  const indices = body.arguments;
  const notIndex = indices.findIndex(({ type }) => type.kind !== 'index');
  if (indices.length !== rank) yield* bare([`expected the block to have ${rank} arguments`]);
  else if (notIndex >= 0) yield* bare([`expected block argument ${notIndex + 1} to be an index`]);
  else if (!yieldsFirst(body, result.elementType)) yield 'expected yield type to match shape element type';
}

/** `tensor.pad %t low[0, 1] high[0, 1] { ^bb0(%i: index, %j: index): tensor.yield %v : f32 } : … to …`. */
export const pad = defineOp({
  name: 'tensor.pad',
  interfaces: [withPadding],
  summary: 'a tensor with a margin around it',
  operands: { source: one(rankedTensor), low: variadic(index), high: variadic(index) },
  results: { result: one(rankedTensor) },
  attributes: {
    staticLow: i64ArrayAttribute,
    staticHigh: i64ArrayAttribute,
    nofold: unitAttributeKind,
  },
  regions: ['region'],
  bodies: ['region'],
  traits: ['pure', 'single-block'],
  assembly: {
    format:
      '$source (`nofold` $nofold^)? `low` `` custom<DynamicIndexList>($low, $static_low) `high` `` ' +
      'custom<DynamicIndexList>($high, $static_high) $region attr-dict `:` type($source) `to` ' +
      'type($result)',
    directives,
  },
  verify: ({ operation, operands: { source, low, high }, results: { result }, attributes }) =>
    padErrors(
      operation,
      { source: source.type, result: result.type },
      { dynamic: low, static: attributes.staticLow },
      { dynamic: high, static: attributes.staticHigh },
    ),
  fold: foldPad,
  resultName: () => 'padded',
});

/** The low and high padding of a tensor, by dimension. */
export interface MixedPadding {
  readonly low: readonly MixedIndex[];
  readonly high: readonly MixedIndex[];
}

/** Whether padding that keeps all sizes may move elements, as `low[-1] high[1]` does. */
export const mayShift = ({ low, high }: MixedPadding): boolean =>
  low.some((size, i) => (typeof size === 'number' ? size !== 0 : high[i] !== 0));

/** The low and high padding of `tensor.pad`, by dimension. */
export const mixedPadding = (operation: Operation): MixedPadding => {
  const { low, high } = pad.operands(operation);
  const { staticLow, staticHigh } = pad.attributes(operation);
  return { low: mixedIndices(low, staticLow), high: mixedIndices(high, staticHigh) };
};

/** The shape of a padded tensor; `DYNAMIC` where a size or the padding is not known. */
export const paddedShape = (shape: readonly number[], { low, high }: MixedPadding): readonly number[] =>
  shape.map((size, i) => {
    const [before, after] = [low[i]!, high[i]!];
    return typeof before === 'number' && typeof after === 'number' ? addSizes(size, before + after) : DYNAMIC;
  });
