/** Slices of tensors: extracting, inserting, and inserting in parallel. */
import type { Folder, Operation, TensorType, Type } from '@sconv/ir';
import {
  defineOp,
  DYNAMIC,
  i64ArrayAttribute,
  index,
  one,
  tensorType,
  typeEquals,
  typesMatchWith,
  unitAttributeKind,
  variadic,
} from '@sconv/ir';
import { rankedTensor } from './constraints.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { allStatic, dynamicIndexList, mixedIndices, mixedSlice, numbersOf } from './mixed-indices.ts';
import { yieldedBy } from './region-edges.ts';
import { segments } from './segments.ts';
import { inferExtractSliceType, rankReductionMask, staticSizes } from './slice-types.ts';
import { listError, sliceListErrors } from './slice-verify.ts';
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
  'custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)';
const directives = { DynamicIndexList: dynamicIndexList };

/** Whether the slice is the whole of a tensor of this type. */
const isWhole = (operation: Operation, whole: TensorType): boolean => {
  const { offsets, sizes, strides } = mixedSlice(operation);
  return (
    offsets.every((offset) => offset === 0) &&
    strides.every((stride) => stride === 1) &&
    allStatic(sizes) &&
    sizes.every((size, i) => size === whole.shape[i])
  );
};

/** The slice of a whole tensor is that tensor. */
const foldExtract: Folder = (operation) => {
  const [source] = operation.operands;
  const [result] = operation.results;
  if (source?.type.kind !== 'tensor' || result === undefined) return undefined;
  return typeEquals(source.type, result.type) && isWhole(operation, source.type) ? [source] : undefined;
};

/** A whole tensor that is overwritten is what overwrites it. */
const foldInsert: Folder = (operation) => {
  const [source, dest] = operation.operands;
  if (source === undefined || dest?.type.kind !== 'tensor') return undefined;
  return typeEquals(source.type, dest.type) && isWhole(operation, dest.type) ? [source] : undefined;
};

/** Upstream's words for a type that is not that of the slice, nor a rank-reduced form of it. */
function* sliceTypeErrors(expected: TensorType, given: Type): Generator<string> {
  if (given.kind !== 'tensor') return;
  if (given.shape.length > expected.shape.length) {
    yield 'expected rank to be smaller or equal to the other rank. ';
  } else if (rankReductionMask(expected.shape, given.shape) === undefined) {
    yield `expected type to be '${typeText(expected)}' or a rank-reduced version. (size mismatch) `;
  } else if (!typeEquals(expected.elementType, given.elementType)) {
    yield `expected element type to be '${typeText(expected.elementType)}'`;
  }
}

/** `tensor.extract_slice %t[0, %i] [1, 16] [1, 1] : tensor<4x64xf32> to tensor<1x16xf32>`. */
export const extractSlice = defineOp({
  name: 'tensor.extract_slice',
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
  *verify({ operation }) {
    const source = operation.operands[0]?.type;
    const result = operation.results[0]?.type;
    if (source?.kind !== 'tensor' || result === undefined) return;
    const errors = [...sliceListErrors(operation, source.shape.length)];
    yield* errors;
    if (errors.length === 0) {
      yield* sliceTypeErrors(inferExtractSliceType(source, mixedSlice(operation).sizes), result);
    }
  },
  fold: foldExtract,
  resultName: () => 'extracted_slice',
});

function* verifyInsertion(operation: Operation): Generator<string> {
  const [source, dest] = operation.operands.map((operand) => operand.type);
  if (source === undefined || dest?.kind !== 'tensor') return;
  const errors = [...sliceListErrors(operation, dest.shape.length)];
  yield* errors;
  if (errors.length === 0) {
    yield* sliceTypeErrors(inferExtractSliceType(dest, mixedSlice(operation).sizes), source);
  }
}

/** `tensor.insert_slice %s into %t[0, %i] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<4x64xf32>`. */
export const insertSlice = defineOp({
  name: 'tensor.insert_slice',
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
  verify: ({ operation }) => verifyInsertion(operation),
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
  *verify({ operation }, context) {
    if (context.ancestors[0]?.name !== 'scf.forall.in_parallel') {
      yield 'expected ParallelCombiningOpInterface parent';
    } else yield* verifyInsertion(operation);
  },
});

/** `tensor.pad %t low[0, 1] high[0, 1] { ^bb0(%i: index, %j: index): tensor.yield %v : f32 } : … to …`. */
export const pad = defineOp({
  name: 'tensor.pad',
  summary: 'a tensor with a margin around it',
  operands: { source: one(rankedTensor), low: variadic(index), high: variadic(index) },
  results: { result: one(rankedTensor) },
  attributes: {
    staticLow: i64ArrayAttribute,
    staticHigh: i64ArrayAttribute,
    nofold: unitAttributeKind,
  },
  regions: ['region'],
  traits: ['pure', 'single-block'],
  assembly: {
    format:
      '$source (`nofold` $nofold^)? `low` `` custom<DynamicIndexList>($low, $static_low) `high` `` custom<DynamicIndexList>($high, $static_high) $region attr-dict `:` type($source) `to` type($result)',
    directives,
  },
  *verify({ operation }) {
    const source = operation.operands[0]?.type;
    const result = operation.results[0]?.type;
    if (source?.kind !== 'tensor' || result?.kind !== 'tensor') return;
    const [, lowValues = [], highValues = []] = segments(operation);
    const { staticLow, staticHigh } = staticPadding(operation);
    const wrong =
      listError('low padding', staticLow, lowValues, source.shape.length) ??
      listError('high padding', staticHigh, highValues, source.shape.length);
    if (wrong !== undefined) {
      yield wrong;
      return;
    }
    const { low, high } = mixedPadding(operation);
    const [lows, highs] = [staticSizes(low), staticSizes(high)];
    const shape = source.shape.map((size, i) =>
      addSizes(size, addSizes(lows[i] ?? DYNAMIC, highs[i] ?? DYNAMIC)),
    );
    const fits =
      result.shape.length === shape.length &&
      shape.every((size, i) => size === DYNAMIC || size === result.shape[i]);
    if (!fits) {
      const expected = tensorType(shape, source.elementType, source.encoding);
      yield `specified type '${typeText(result)}' does not match the inferred type '${typeText(expected)}'`;
      return;
    }
    const [region] = operation.regions;
    const indices = region?.blocks[0]?.arguments ?? [];
    const notIndex = indices.findIndex(({ type }) => type.kind !== 'index');
    if (indices.length !== shape.length) yield `expected the block to have ${shape.length} arguments`;
    else if (notIndex >= 0) yield `expected block argument ${notIndex + 1} to be an index`;
    else if (
      !yieldedBy(region)
        .slice(0, 1)
        .every(({ type }) => typeEquals(type, result.elementType))
    ) {
      yield 'expected yield type to match shape element type';
    }
  },
  resultName: () => 'padded',
});

const staticPadding = ({ attributes }: Operation) => ({
  staticLow: numbersOf(attributes['static_low']),
  staticHigh: numbersOf(attributes['static_high']),
});

/** The low and high margins of `tensor.pad`, by dimension. */
export const mixedPadding = (
  operation: Operation,
): { readonly low: readonly MixedIndex[]; readonly high: readonly MixedIndex[] } => {
  const [, low = [], high = []] = segments(operation);
  const { staticLow, staticHigh } = staticPadding(operation);
  return { low: mixedIndices(low, staticLow), high: mixedIndices(high, staticHigh) };
};
