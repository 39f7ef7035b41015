/** Reshapes, permutations and strided slices of vectors. */
import type { Folder, Type, Value, VectorType, VerifyContext, VerifyProblem } from '@sconv/ir';
import {
  allTypesMatch,
  arrayAttribute,
  bare,
  defineOp,
  elementCount,
  i32Attribute,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  index,
  integerAttribute,
  one,
  typeEquals,
  typesMatchWith,
  variadic,
} from '@sconv/ir';
import { anyVector, elementTypeErrors } from './constraints.ts';
import { knownInteger } from './known-integer.ts';
import { numbersOf } from './mixed-indices.ts';
import { typeText } from './type-text.ts';
import { integersAttribute } from './vector-attributes.ts';
import { foldToOperand, foldUniform } from './vector-elements.ts';
import { integersOf } from './vector-extract-fold.ts';
import { bitsOf, numbers1d, reshaped, scalableVector1d, vector1d, vectorOfAnyRank } from './vector-types.ts';

/** Whether each size of `coarse` is a product of consecutive sizes of `fine`. */
const splitsInto = (coarse: readonly number[], fine: readonly number[]): boolean => {
  let next = 0;
  for (const [i, size] of coarse.entries()) {
    let reached = 1;
    while (reached < size && next < fine.length) reached *= fine[next++]!;
    if (reached !== size) return false;
    if (coarse.slice(i + 1).every((rest) => rest === 1)) {
      return fine.slice(next).every((rest) => rest === 1);
    }
  }
  return fine.slice(next).every((rest) => rest === 1);
};

/** Folds chains of casts into one, or none; a cast back to the source of a broadcast folds to that source. */
const foldShapeCast: Folder = (operation, constants, definitionOf) => {
  const itself = foldToOperand(operation, constants, definitionOf);
  const [operand] = operation.operands;
  const [result] = operation.results;
  if (itself !== undefined || operand === undefined || result === undefined) return itself;
  const source = definitionOf(operand);
  const [before] = source?.operands ?? [];
  if (before === undefined || (source?.name !== 'vector.shape_cast' && source?.name !== 'vector.broadcast'))
    return undefined;
  if (typeEquals(before.type, result.type)) return [before];
  if (source.name === 'vector.broadcast' || before.type.kind !== 'vector' || result.type.kind !== 'vector')
    return undefined;
  const [from, to] = [before.type.shape, result.type.shape];
  const fits =
    from.length < to.length ? splitsInto(from, to) : from.length > to.length && splitsInto(to, from);
  return fits ? { kind: 'in-place', operands: [before] } : undefined;
};

/** `vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>`. */
export const shapeCast = defineOp({
  name: 'vector.shape_cast',
  summary: 'the same elements, in row-major order, under another shape',
  operands: { source: one(vectorOfAnyRank) },
  results: { result: one(vectorOfAnyRank) },
  traits: ['pure'],
  assembly: { format: '$source attr-dict `:` type($source) `to` type($result)' },
  *verify({ operands: { source }, results: { result } }) {
    const [from, to] = [source.type, result.type];
    const [coarse, fine] = from.shape.length < to.shape.length ? [from, to] : [to, from];
    const scales = [from, to].map(({ scalable }) => scalable.filter(Boolean).length);
    if (!typeEquals(from.elementType, to.elementType))
      yield 'source/result vectors must have same element type';
    else if (elementCount(from.shape) !== elementCount(to.shape))
      yield 'source/result number of elements must match';
    else if (coarse.shape.length !== fine.shape.length && !splitsInto(coarse.shape, fine.shape))
      yield 'invalid shape cast';
    else if (scales[0] !== scales[1])
      yield `different number of scalable dims at source (${scales[0]}) and result (${scales[1]})`;
  },
  fold: foldShapeCast,
});

const rowBits = ({ shape, elementType }: VectorType): number =>
  (bitsOf(elementType) ?? 0) * (shape.at(-1) ?? 1);

/** `vector.bitcast %v : vector<4xf32> to vector<8xi16>`. */
export const bitcast = defineOp({
  name: 'vector.bitcast',
  summary: 'the same bits, row by row, under another element type',
  operands: { source: one(vectorOfAnyRank) },
  results: { result: one(vectorOfAnyRank) },
  traits: ['pure'],
  assembly: { format: '$source attr-dict `:` type($source) `to` type($result)' },
  *verify({ operands: { source }, results: { result } }) {
    const [from, to] = [source.type, result.type];
    const wrong = from.shape.slice(0, -1).findIndex((size, i) => size !== to.shape[i]);
    if (from.shape.length !== to.shape.length)
      yield 'failed to verify that all of {source, result} have same rank';
    else if (wrong >= 0) yield `dimension size mismatch at: ${wrong}`;
    else if (rowBits(from) !== rowBits(to))
      yield 'source/result bitwidth of the minor 1-D vectors must be equal';
  },
  fold: (operation, constants, definitionOf) => {
    const itself = foldToOperand(operation, constants, definitionOf);
    const source = operation.operands[0] && definitionOf(operation.operands[0]);
    if (itself !== undefined || source?.name !== 'vector.bitcast') return itself;
    const before = source.operands[0]!;
    return typeEquals(before.type, operation.results[0]!.type)
      ? [before]
      : { kind: 'in-place', operands: [before] };
  },
});

/** `vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>`. */
export const transpose = defineOp({
  name: 'vector.transpose',
  summary: 'the dimensions of a vector in another order',
  operands: { vector: one(vectorOfAnyRank) },
  results: { result: one(vectorOfAnyRank) },
  attributes: { permutation: i64ArrayAttribute },
  traits: ['pure'],
  assembly: { format: '$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)' },
  *verify({ operands: { vector }, results: { result }, attributes: { permutation } }) {
    const [from, to] = [vector.type, result.type];
    const errors = [...elementTypeErrors('operand and result', [from, to])];
    const { length: rank } = from.shape;
    if (errors.length > 0) yield* errors;
    else if (to.shape.length !== rank) yield `vector result rank mismatch: ${to.shape.length}`;
    else if (permutation.length !== rank) yield `transposition length mismatch: ${permutation.length}`;
    else yield* permutationErrors(from, to, permutation);
  },
  fold: (operation, constants, definitionOf) =>
    foldUniform(operation, constants, definitionOf) ??
    (numbersOf(operation.attributes['permutation']).every((position, i) => position === i)
      ? foldToOperand(operation, constants, definitionOf)
      : undefined),
});

function* permutationErrors(
  from: VectorType,
  to: VectorType,
  permutation: readonly number[],
): Generator<string> {
  const seen = new Set<number>();
  for (const [i, position] of permutation.entries()) {
    if (position < 0 || position >= permutation.length) yield `transposition index out of range: ${position}`;
    else if (seen.has(position)) yield `duplicate position index: ${position}`;
    else if (to.shape[i] !== from.shape[position]) yield `dimension size mismatch at: ${position}`;
    else {
      seen.add(position);
      continue;
    }
    return;
  }
}

/** `vector.flat_transpose %v {columns = 4 : i32, rows = 4 : i32} : vector<16xf32> -> vector<16xf32>`. */
export const flatTranspose = defineOp({
  name: 'vector.flat_transpose',
  summary: 'a matrix that is flattened by columns, transposed',
  operands: { matrix: one(numbers1d) },
  results: { res: one(numbers1d) },
  attributes: { rows: i32Attribute, columns: i32Attribute },
  traits: ['pure'],
  assembly: { format: '$matrix attr-dict `:` type($matrix) `->` type($res)' },
  verify: ({ operands: { matrix }, results: { res } }) =>
    elementTypeErrors('source operand and result', [matrix.type, res.type]),
});

/** The type with its last dimension `change`d; a scalar counts as size 1. */
const withLast = (type: Type, change: (size: number) => number): Type => {
  if (type.kind !== 'vector') return type;
  const last = change(type.shape.at(-1) ?? 1);
  if (type.shape.length === 0) return reshaped(type, [last]);
  return last <= 0 ? type : reshaped(type, [...type.shape.slice(0, -1), last], type.scalable);
};

/** `vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>`. */
export const interleave = defineOp({
  name: 'vector.interleave',
  summary: 'the elements of two vectors by turns',
  operands: { lhs: one(vectorOfAnyRank), rhs: one(vectorOfAnyRank) },
  results: { result: one(anyVector) },
  traits: ['pure'],
  typeRelations: [
    allTypesMatch('lhs', 'rhs'),
    typesMatchWith("type of 'result' is double the width of the inputs", 'lhs', 'result', (type) =>
      withLast(type, (size) => 2 * size),
    ),
  ],
  assembly: { format: '$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)' },
});

const halved = (result: string) =>
  typesMatchWith(
    'the trailing dimension of the results is half the width of source trailing dimension',
    'source',
    result,
    (type) => withLast(type, (size) => Math.floor(size / 2)),
  );

/** `vector.deinterleave %v : vector<8xf32> -> vector<4xf32>`. */
export const deinterleave = defineOp({
  name: 'vector.deinterleave',
  summary: 'the elements of a vector by turns into two',
  operands: { source: one(anyVector) },
  results: { res1: one(anyVector), res2: one(anyVector) },
  traits: ['pure'],
  typeRelations: [halved('res1'), allTypesMatch('res1', 'res2')],
  assembly: { format: '$source attr-dict `:` type($source) `->` type($res1)' },
  *verify({ operands: { source } }) {
    if (source.type.shape.at(-1)! % 2 !== 0)
      yield 'failed to verify that the trailing dimension of the source vector has an even number of elements';
  },
  resultName: () => ['res1', 'res2'],
});

// --- Strided slices ---

/** The error for the first of `values` out of range, with upstream's message. */
function* rangeErrors(
  name: string,
  values: readonly number[],
  least: number,
  end: (i: number) => number,
): Generator<string> {
  const wrong = values.findIndex((value, i) => value < least || value >= end(i));
  if (wrong >= 0) yield `expected ${name} dimension ${wrong} to be confined to [${least}, ${end(wrong)})`;
}

function* strideErrors(strides: readonly number[]): Generator<string> {
  if (strides.some((stride) => stride !== 1)) yield 'expected strides to be confined to [1, 2)';
}

/** A scalable dimension must be taken whole. */
function* scalableErrors(
  type: VectorType,
  sizes: readonly number[],
  whole: readonly number[],
): Generator<string> {
  const wrong = sizes.findIndex((size, i) => type.scalable[i] === true && size !== whole[i]);
  if (wrong >= 0)
    yield (
      `expected size at idx=${wrong} to match the corresponding base size from the input vector ` +
      `(${sizes[wrong]} vs ${whole[wrong]})`
    );
}

function* first(problems: Iterable<string>): Generator<string> {
  for (const problem of problems) {
    yield problem;
    return;
  }
}

function* extractedErrors(
  type: VectorType,
  offsets: readonly number[],
  sizes: readonly number[],
  strides: readonly number[],
  result: Type,
): Generator<string> {
  const { shape } = type;
  if (offsets.length !== sizes.length || offsets.length !== strides.length)
    yield 'expected offsets, sizes and strides attributes of same size';
  if (offsets.length > shape.length) yield 'expected offsets attribute of rank no greater than vector rank';
  yield* rangeErrors('offsets', offsets, 0, (i) => shape[i]!);
  yield* rangeErrors('sizes', sizes, 1, (i) => shape[i]! + 1);
  yield* strideErrors(strides);
  const ends = offsets.map((offset, i) => offset + sizes[i]!);
  yield* rangeErrors('sum(offsets, sizes)', ends, 1, (i) => shape[i]! + 1);
  const expected = reshaped(type, [...sizes, ...shape.slice(sizes.length)], type.scalable);
  if (!typeEquals(result, expected)) yield `expected result type to be '${typeText(expected)}'`;
  yield* scalableErrors(type, sizes, shape);
}

/**
 * `vector.extract_strided_slice %v {offsets = [2], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>`.
 */
export const extractStridedSlice = defineOp({
  name: 'vector.extract_strided_slice',
  summary: 'a box of a vector',
  operands: { vector: one(anyVector) },
  results: { result: one(anyVector) },
  attributes: { offsets: integersAttribute, sizes: integersAttribute, strides: integersAttribute },
  traits: ['pure'],
  assembly: { format: '$vector attr-dict `:` type($vector) `to` type(results)' },
  *verify({ operands: { vector }, results: { result }, attributes: { offsets, sizes, strides } }) {
    const errors = [...elementTypeErrors('operand and result', [vector.type, result.type])];
    yield* errors.length > 0
      ? errors
      : first(extractedErrors(vector.type, offsets, sizes, strides, result.type));
  },
  fold: (operation, constants, definitionOf) =>
    foldToOperand(operation, constants, definitionOf) ?? foldBoxOfBoxes(operation, constants, definitionOf),
});

function* insertedErrors(
  source: VectorType,
  dest: VectorType,
  offsets: readonly number[],
  strides: readonly number[],
): Generator<string> {
  const lead = dest.shape.length - source.shape.length;
  if (offsets.length !== dest.shape.length) yield 'expected offsets of same size as destination vector rank';
  if (strides.length !== source.shape.length) yield 'expected strides of same size as source vector rank';
  if (lead < 0) yield 'expected source rank to be no greater than destination rank';
  yield* rangeErrors('offsets', offsets, 0, (i) => dest.shape[i]!);
  yield* strideErrors(strides);
  const ends = offsets.map((offset, i) => offset + (source.shape[i - lead] ?? 0));
  yield* rangeErrors(
    'sum(offsets, source vector shape)',
    ends.map((end, i) => (i < lead ? Math.max(end, 1) : end)),
    1,
    (i) => dest.shape[i]! + 1,
  );
  const flags = source.scalable.findIndex((flag, i) => flag !== dest.scalable[lead + i]);
  if (flags >= 0) yield `mismatching scalable flags (at source vector idx=${flags})`;
  yield* scalableErrors(source, source.shape, dest.shape.slice(lead));
}

/** A slice of an inserted slice, along a chain of insertions. */
const foldBoxOfBoxes: Folder = ({ operands: [vector], attributes }, _constants, definitionOf) => {
  const [offsets, sizes, strides] = ['offsets', 'sizes', 'strides'].map((name) =>
    integersOf(attributes[name]),
  );
  let source = vector && definitionOf(vector);
  while (source?.name === 'vector.insert_strided_slice') {
    const [part, dest] = source.operands as readonly Value<VectorType>[];
    const starts = integersOf(source.attributes['offsets']);
    const steps = integersOf(source.attributes['strides']);
    if (part!.type.shape.length !== dest!.type.shape.length || offsets!.length > starts.length)
      return undefined;
    if (strides!.some((stride, i) => stride !== steps[i])) return undefined;
    const distances = offsets!.map((offset, i) => offset - starts[i]!);
    const isApart = distances.some((distance, i) => distance < 0 || distance >= part!.type.shape[i]!);
    if (!isApart) {
      if (distances.some((distance, i) => distance + sizes![i]! > part!.type.shape[i]!)) return undefined;
      const integers = distances.map((distance) => integerAttribute(distance, i64));
      return {
        kind: 'in-place',
        operands: [part!],
        attributes: { ...attributes, offsets: arrayAttribute(integers) },
      };
    }
    source = definitionOf(dest!);
  }
  return undefined;
};

/** `vector.insert_strided_slice %s, %v {offsets = [0, 4], strides = [1]} : vector<4xf32> into vector<4x8xf32>`. */
export const insertStridedSlice = defineOp({
  name: 'vector.insert_strided_slice',
  summary: 'a vector with a box replaced',
  operands: { source: one(anyVector), dest: one(anyVector) },
  results: { res: one(anyVector) },
  attributes: { offsets: integersAttribute, strides: integersAttribute },
  traits: ['pure'],
  typeRelations: [allTypesMatch('dest', 'res')],
  assembly: { format: '$source `,` $dest attr-dict `:` type($source) `into` type($dest)' },
  *verify({ operands: { source, dest }, attributes: { offsets, strides } }) {
    const errors = [...elementTypeErrors('operand #0 and result', [source.type, dest.type])];
    yield* errors.length > 0 ? errors : first(insertedErrors(source.type, dest.type, offsets, strides));
  },
  fold: foldToOperand,
});

/** `vector.scalable.insert %v, %s[4] : vector<4xf32> into vector<[16]xf32>`. */
export const scalableInsert = defineOp({
  name: 'vector.scalable.insert',
  summary: 'a scalable vector with some elements replaced',
  operands: { source: one(vector1d), dest: one(scalableVector1d) },
  results: { res: one(scalableVector1d) },
  attributes: { pos: i64Attribute },
  traits: ['pure'],
  typeRelations: [allTypesMatch('dest', 'res')],
  assembly: { format: '$source `,` $dest `[` $pos `]` attr-dict `:` type($source) `into` type($dest)' },
  *verify({ operands: { source, dest }, attributes: { pos } }) {
    if (!typeEquals(source.type.elementType, dest.type.elementType))
      yield 'failed to verify that all of {source, dest} have same element type';
    else if (pos % source.type.shape[0]! !== 0)
      yield 'failed to verify that position is a multiple of the source length.';
  },
});

/** `vector.scalable.extract %s[4] : vector<4xf32> from vector<[16]xf32>`. */
export const scalableExtract = defineOp({
  name: 'vector.scalable.extract',
  summary: 'some elements of a scalable vector',
  operands: { source: one(scalableVector1d) },
  results: { res: one(vector1d) },
  attributes: { pos: i64Attribute },
  traits: ['pure'],
  assembly: { format: '$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)' },
  *verify({ operands: { source }, results: { res }, attributes: { pos } }) {
    if (!typeEquals(source.type.elementType, res.type.elementType))
      yield 'failed to verify that all of {source, res} have same element type';
    else if (pos % res.type.shape[0]! !== 0)
      yield 'failed to verify that position is a multiple of the result length.';
  },
});

function* reshapeErrors(
  shapes: readonly { readonly name: string; readonly type: VectorType; readonly sizes: readonly Value[] }[],
  fixed: readonly number[],
  context: VerifyContext,
): Generator<string> {
  for (const { name, type, sizes } of shapes) {
    if (sizes.length + fixed.length !== type.shape.length)
      yield `invalid ${name} shape for vector type '${typeText(type)}'`;
  }
  for (const { name, type } of shapes) {
    const suffix = type.shape.slice(type.shape.length - fixed.length);
    const wrong = fixed.findIndex((size, i) => size !== suffix[i]);
    if (wrong >= 0) yield `fixed vector size must match ${name} vector for dim ${wrong}`;
  }
  const [input, output] = shapes.map(({ sizes }) => sizes.map((value) => knownInteger(context, value)));
  const known = [...(input ?? []), ...(output ?? [])].every((size) => size !== undefined);
  if (known && elementCount(input as number[]) !== elementCount(output as number[]))
    yield 'product of input and output shape sizes must match';
}

/** `vector.reshape %v, [%a, %b], [%c], [4] : vector<3x2x4xf32> to vector<6x4xf32>`. */
export const reshape = defineOp({
  name: 'vector.reshape',
  summary: 'the elements within one dynamic shape under another',
  operands: { vector: one(anyVector), inputShape: variadic(index), outputShape: variadic(index) },
  results: { result: one(anyVector) },
  attributes: { fixedVectorSizes: integersAttribute },
  traits: ['pure'],
  assembly: {
    format:
      '$vector `,` `[` $inputShape `]` `,` `[` $outputShape `]` `,` $fixed_vector_sizes attr-dict ' +
      '`:` type($vector) `to` type($result)',
  },
  verify: (
    { operands: { vector, inputShape, outputShape }, results: { result }, attributes: { fixedVectorSizes } },
    context,
  ): Iterable<VerifyProblem> =>
    bare(
      first(
        reshapeErrors(
          [
            { name: 'input', type: vector.type, sizes: inputShape },
            { name: 'output', type: result.type, sizes: outputShape },
          ],
          fixedVectorSizes,
          context,
        ),
      ),
    ),
});
