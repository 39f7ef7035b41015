/** The tensor dialect: creation, access, slices and reshapes of tensors. */
import type {
  Block,
  Dialect,
  Folder,
  Operation,
  TensorType,
  Type,
  UnrankedTensorType,
  Value,
  VerifyProblem,
} from '@sconv/ir';
import {
  bare,
  anyType,
  defineOp,
  DYNAMIC,
  i64Attribute,
  i64ArrayAttribute,
  index,
  indexType,
  integerAttribute,
  integerOf,
  isStaticShape,
  one,
  tensorType,
  typeEquals,
  typesMatchWith,
  variadic,
} from '@sconv/ir';
import { numberAt } from './arith-fold.ts';
import { reassociationAttribute } from './attribute-kinds.ts';
import {
  compatibleShapes,
  elementTypeOf,
  rankedTensor,
  scalar,
  shapeTensor,
  staticTensor,
  tensor,
  tensorWithDims,
} from './constraints.ts';
import { foldReshape } from './fold-reshape.ts';
import { dynamicIndexList, mixedSizes } from './mixed-indices.ts';
import { inferCollapsedType } from './reshape-types.ts';
import { firstBlockOf, yieldsFirst } from './region-edges.ts';
import { dynamicReshapeErrors, reassociationErrors } from './reshape-verify.ts';
import {
  atElement,
  notSpeculatable,
  ofOwnDimension,
  withNothingNew,
  withSizesFrom,
  withStaticShapes,
} from './speculatable-models.ts';
import { addSizes } from './strided-layout.ts';
import { gather, scatter } from './tensor-gather.ts';
import { pack, unpack } from './tensor-pack.ts';
import { extractSlice, insertSlice, pad, parallelInsertSlice } from './tensor-slices.ts';
export type { MixedPadding } from './tensor-slices.ts';
import { typeText } from './type-text.ts';

const directives = { DynamicIndexList: dynamicIndexList };

const dynamicCount = ({ shape }: TensorType): number => shape.filter((size) => size === DYNAMIC).length;

/** The number of elements of a tensor of static shape. */
const elementCount = ({ shape }: TensorType): number => shape.reduce((product, size) => product * size, 1);

function* dynamicSizeErrors(sizes: readonly Value[], type: TensorType): Generator<string> {
  const wanted = dynamicCount(type);
  if (sizes.length !== wanted)
    yield `incorrect number of dynamic sizes, has ${sizes.length}, expected ${wanted}`;
}

/** `tensor.empty(%n) : tensor<4x?xf32>`: undefined contents. */
export const empty = defineOp({
  name: 'tensor.empty',
  interfaces: [withSizesFrom(0)],
  summary: 'a tensor of undefined content',
  operands: { dynamicSizes: variadic(index) },
  results: { result: one(rankedTensor) },
  traits: ['pure'],
  assembly: { format: '`(`$dynamicSizes`)` attr-dict `:` type($result)' },
  verify: ({ operands, results }) => dynamicSizeErrors(operands.dynamicSizes, results.result.type),
});

/** A static size folds to a constant, a dynamic one to the operand of the producer that defines it. */
const foldDim: Folder = (operation, constants, definitionOf) => {
  const type = operation.operands[0]?.type;
  const dimension = integerOf(constants[1]);
  if (dimension === undefined || (type?.kind !== 'tensor' && type?.kind !== 'memref')) return undefined;
  const size = type.shape[dimension];
  if (size === undefined) return undefined;
  if (size !== DYNAMIC) return [integerAttribute(size, indexType)];
  const source = definitionOf(operation.operands[0]!);
  const given = source && givenSize(source, type.shape, dimension);
  return given === undefined ? undefined : [given];
};

const givenSize = (source: Operation, shape: readonly number[], dimension: number): Value | undefined => {
  if (generate.is(source)) {
    const before = shape.slice(0, dimension).filter((size) => size === DYNAMIC).length;
    return generate.operands(source).dynamicExtents[before];
  }
  if (!extractSlice.is(source)) return undefined;
  const sizes = mixedSizes(source);
  // With rank reduction it is unclear which dimension of the slice is meant.
  const size = sizes.length === shape.length ? sizes[dimension] : undefined;
  return typeof size === 'object' ? size : undefined;
};

/** `tensor.dim %t, %i : tensor<4x?xf32>`. */
export const dim = defineOp({
  name: 'tensor.dim',
  interfaces: [ofOwnDimension],
  summary: 'the size of a dimension',
  operands: { source: one(tensorWithDims), index: one(index) },
  results: { result: one(index) },
  traits: ['pure'],
  assembly: { format: 'attr-dict $source `,` $index `:` type($source)' },
  fold: foldDim,
  resultName: () => 'dim',
});

/** `tensor.rank %t : tensor<*xf32>`. */
export const rank = defineOp({
  name: 'tensor.rank',
  summary: 'the number of dimensions',
  operands: { tensor: one(tensor) },
  results: { result: one(index) },
  traits: ['pure'],
  assembly: { format: '$tensor attr-dict `:` type($tensor)' },
  fold: (operation) => {
    const type = operation.operands[0]?.type;
    return type?.kind === 'tensor' ? [integerAttribute(type.shape.length, indexType)] : undefined;
  },
  resultName: () => 'rank',
});

/** Whether two tensor types agree in all sizes that both know. */
const castCompatible = (a: TensorType | UnrankedTensorType, b: TensorType | UnrankedTensorType): boolean => {
  if (!typeEquals(a.elementType, b.elementType)) return false;
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return true;
  return compatibleShapes(a.shape, b.shape);
};

/** Already has the type. */
const foldSameType: Folder = ({ operands: [source], results: [result] }) =>
  source !== undefined && result !== undefined && typeEquals(source.type, result.type) ? [source] : undefined;

/** `tensor.cast %t : tensor<4xf32> to tensor<?xf32>`. */
export const cast = defineOp({
  name: 'tensor.cast',
  interfaces: [withNothingNew],
  summary: 'the same tensor under a type that knows more or less of its shape',
  operands: { source: one(tensor) },
  results: { dest: one(tensor) },
  traits: ['pure', 'cast'],
  assembly: { format: '$source attr-dict `:` type($source) `to` type($dest)' },
  *verify({ operands, results }) {
    const [from, to] = [operands.source.type, results.dest.type];
    if (!castCompatible(from, to)) {
      yield `operand type '${typeText(from)}' and result type '${typeText(to)}' are cast incompatible`;
    }
  },
  fold: foldSameType,
  resultName: () => 'cast',
});

/** `tensor.bitcast %t : tensor<4xui32> to tensor<4xi32>`. */
export const bitcast = defineOp({
  name: 'tensor.bitcast',
  interfaces: [withNothingNew],
  summary: 'the same bits under another element type',
  operands: { source: one(tensor) },
  results: { dest: one(tensor) },
  traits: ['pure', 'cast'],
  assembly: { format: '$source attr-dict `:` type($source) `to` type($dest)' },
});

/** `tensor.extract %t[%i, %j] : tensor<4x8xf32>`. */
export const extract = defineOp({
  name: 'tensor.extract',
  interfaces: [atElement(0, 1)],
  summary: 'an element of a tensor',
  operands: { tensor: one(rankedTensor), indices: variadic(index) },
  results: { result: one(anyType) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('result type matches element type of tensor', 'tensor', 'result', elementTypeOf),
  ],
  assembly: { format: '$tensor `[` $indices `]` attr-dict `:` type($tensor)' },
  *verify({ operands: { tensor: source, indices } }) {
    if (indices.length !== source.type.shape.length) yield 'incorrect number of indices for extract_element';
  },
  fold: (operation, constants) => {
    const [source] = constants;
    const [result] = operation.results;
    if (source?.kind !== 'dense-elements' || source.values.length !== 1 || result === undefined)
      return undefined;
    const value = numberAt(source, 0, result.type);
    return value && [value];
  },
  resultName: () => 'extracted',
});

/** `tensor.insert %x into %t[%i, %j] : tensor<4x8xf32>`. */
export const insert = defineOp({
  name: 'tensor.insert',
  interfaces: [atElement(1, 2)],
  summary: 'a tensor with an element replaced',
  operands: { scalar: one(anyType), dest: one(rankedTensor), indices: variadic(index) },
  results: { result: one(rankedTensor) },
  traits: ['pure'],
  destinations: 'dest',
  typeRelations: [
    typesMatchWith('result type matches type of dest', 'dest', 'result', (type) => type),
    typesMatchWith('scalar type matches element type of dest', 'dest', 'scalar', elementTypeOf),
  ],
  assembly: { format: '$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)' },
  *verify({ operands: { dest, indices } }) {
    if (indices.length !== dest.type.shape.length) yield 'incorrect number of indices';
  },
  resultName: () => 'inserted',
});

/** `tensor.from_elements %a, %b : tensor<2xf32>`. */
export const fromElements = defineOp({
  name: 'tensor.from_elements',
  summary: 'a tensor of given elements, in row-major order',
  operands: { elements: variadic(anyType) },
  results: { result: one(staticTensor) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('operand types match result element type', 'result', 'elements', elementTypeOf),
  ],
  assembly: { format: '$elements attr-dict `:` type($result)' },
  *verify({ operands: { elements }, results: { result } }) {
    const wanted = elementCount(result.type);
    if (elements.length !== wanted) yield `${elements.length} operands present, but expected ${wanted}`;
  },
  resultName: () => 'from_elements',
});

/** `tensor.splat %x[%n] : tensor<4x?xf32>`. */
export const splat = defineOp({
  name: 'tensor.splat',
  interfaces: [withSizesFrom(1)],
  summary: 'a tensor whose elements are all the same value',
  operands: { input: one(scalar), dynamicSizes: variadic(index) },
  results: { aggregate: one(rankedTensor) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('operand type matches element type of result', 'aggregate', 'input', elementTypeOf),
  ],
  assembly: { format: '$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate)' },
  verify: ({ operands, results }) => dynamicSizeErrors(operands.dynamicSizes, results.aggregate.type),
  resultName: () => 'splat',
});

function* generateErrors(body: Block, extents: number, type: TensorType): Generator<VerifyProblem> {
  const indices = body.arguments;
  if (extents !== dynamicCount(type))
    yield* bare(['must have as many index operands as dynamic extents in the result type']);
  else if (!indices.every((argument) => argument.type.kind === 'index'))
    yield* bare(['all body arguments must be index']);
  else if (indices.length !== type.shape.length)
    yield* bare(['must have one body argument per input dimension']);
  else if (!yieldsFirst(body, type.elementType))
    yield 'body must be terminated with a `yield` operation of the tensor element type';
}

/** `tensor.generate %n { ^bb0(%i: index): … tensor.yield %x : f32 } : tensor<?xf32>`. */
export const generate = defineOp({
  name: 'tensor.generate',
  interfaces: [withSizesFrom(0)],
  summary: 'a tensor computed element by element',
  operands: { dynamicExtents: variadic(index) },
  results: { result: one(rankedTensor) },
  regions: ['body'],
  bodies: ['body'],
  traits: ['recursive-effects', 'single-block'],
  assembly: { format: '$dynamicExtents $body attr-dict `:` type($result)' },
  verify: ({ operation, operands: { dynamicExtents }, results: { result } }) =>
    generateErrors(firstBlockOf(operation), dynamicExtents.length, result.type),
  resultName: () => 'generated',
});

/** `tensor.yield %x : f32`. */
export const yieldOp = defineOp({
  name: 'tensor.yield',
  summary: 'the end of the body of `tensor.generate` or `tensor.pad`',
  operands: { value: one(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  parents: ['tensor.generate', 'tensor.pad'],
  assembly: { format: '$value attr-dict `:` type($value)' },
});

/** `tensor.collapse_shape %t [[0], [1, 2]] : tensor<1x4x8xf32> into tensor<1x32xf32>`. */
export const collapseShape = defineOp({
  name: 'tensor.collapse_shape',
  summary: 'groups of dimensions made into one each',
  operands: { src: one(tensor) },
  results: { result: one(tensor) },
  attributes: { reassociation: reassociationAttribute },
  traits: ['pure'],
  assembly: { format: '$src $reassociation attr-dict `:` type($src) `into` type($result)' },
  inferResultTypes: (operands, attributes) => {
    const source = operands[0]?.type;
    const { reassociation } = attributes;
    const groups = reassociation === undefined ? undefined : reassociationAttribute.decode(reassociation);
    return source?.kind === 'tensor' && groups !== undefined
      ? [inferCollapsedType(source, groups)]
      : undefined;
  },
  *verify({ operands, results, attributes: { reassociation } }) {
    const [source, result] = [operands.src.type, results.result.type];
    if (source.kind === 'tensor' && result.kind === 'tensor')
      yield* reassociationErrors(source.shape, result.shape, reassociation);
  },
  fold: foldReshape('tensor.expand_shape'),
  resultName: () => 'collapsed',
});

/** `tensor.expand_shape %t [[0], [1, 2]] output_shape [1, 4, 8] : tensor<1x32xf32> into tensor<1x4x8xf32>`. */
export const expandShape = defineOp({
  name: 'tensor.expand_shape',
  interfaces: [withStaticShapes],
  summary: 'dimensions split into several',
  operands: { src: one(tensor), outputShape: variadic(index) },
  results: { result: one(tensor) },
  attributes: { reassociation: reassociationAttribute, staticOutputShape: i64ArrayAttribute },
  traits: ['pure'],
  assembly: {
    format:
      '$src $reassociation `output_shape` custom<DynamicIndexList>($outputShape, ' +
      '$static_output_shape) attr-dict `:` type($src) `into` type($result)',
    directives,
  },
  *verify({ operands, results, attributes: { reassociation, staticOutputShape: sizes } }) {
    const [source, result] = [operands.src.type, results.result.type];
    if (source.kind !== 'tensor' || result.kind !== 'tensor') return;
    if (sizes.length !== result.shape.length) {
      yield (
        `expected number of static shape dims to be equal to the output rank (${result.shape.length}) ` +
        `but found ${sizes.length} inputs instead`
      );
      return;
    }
    const { length: given } = operands.outputShape;
    const dynamic = sizes.filter((size) => size === DYNAMIC).length;
    if (dynamic !== given) {
      yield (
        'mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has ' +
        `${dynamic} dynamic dims while output_shape has ${given} values`
      );
      return;
    }
    yield* reassociationErrors(result.shape, source.shape, reassociation);
  },
  fold: foldReshape('tensor.collapse_shape'),
  resultName: () => 'expanded',
});

const isStatic = (type: Type): type is TensorType => type.kind === 'tensor' && isStaticShape(type);

/** `tensor.reshape %t(%shape) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>`. */
export const reshape = defineOp({
  name: 'tensor.reshape',
  interfaces: [notSpeculatable],
  summary: 'the same elements in a shape given at run time',
  operands: { source: one(tensor), shape: one(shapeTensor) },
  results: { result: one(tensor) },
  traits: ['pure'],
  assembly: { format: '$source `(` $shape `)` attr-dict `:` functional-type(operands, results)' },
  *verify({ operands, results }) {
    const [source, result] = [operands.source.type, results.result.type];
    yield* dynamicReshapeErrors(source, operands.shape.type, result, 'tensor');
    if (isStatic(source) && isStatic(result) && elementCount(source) !== elementCount(result)) {
      yield 'source and destination tensor should have the same number of elements';
    }
  },
  resultName: () => 'reshape',
});

function* concatErrors(inputs: readonly TensorType[], result: TensorType, at: number): Generator<string> {
  const rank = result.shape.length;
  if (!inputs.every(({ shape }) => shape.length === rank)) {
    yield 'rank of concatenated inputs must match result rank';
    return;
  }
  if (!inputs.every(({ elementType }) => typeEquals(elementType, result.elementType))) {
    yield 'inputs and result element type must match';
    return;
  }
  if (at >= rank) {
    yield 'concatenation dim must be less than the tensor rank';
    return;
  }
  const inferred: number[] = [];
  for (let dimension = 0; dimension < rank; dimension++) {
    const sizes = inputs.map(({ shape }) => shape[dimension]!);
    const [known = DYNAMIC, ...others] = sizes.filter((size) => size !== DYNAMIC);
    if (dimension === at) inferred.push(sizes.reduce(addSizes, 0));
    else if (others.every((size) => size === known)) inferred.push(known);
    else {
      yield `static concatenation size mismatch along non-concatenated dimension ${dimension}`;
      return;
    }
  }
  if (!compatibleShapes(inferred, result.shape)) {
    const expected = tensorType(inferred, result.elementType);
    yield `result type '${typeText(result)}'does not match inferred shape '${typeText(expected)}' static sizes`;
  }
}

/** `tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>`. */
export const concat = defineOp({
  name: 'tensor.concat',
  interfaces: [withStaticShapes],
  summary: 'tensors side by side along a dimension',
  operands: { inputs: variadic(rankedTensor) },
  results: { result: one(rankedTensor) },
  attributes: { dim: i64Attribute },
  traits: ['pure'],
  assembly: { format: '`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)' },
  *verify({ operands: { inputs }, results: { result }, attributes }) {
    if (inputs.length < 1) yield 'requires at least one input';
    else {
      const types = inputs.map(({ type }) => type);
      yield* concatErrors(types, result.type, attributes.dim);
    }
  },
  resultName: () => 'concat',
});

export { gather, scatter } from './tensor-gather.ts';
export { inferPackedType, pack, unpack } from './tensor-pack.ts';
export {
  extractSlice,
  insertSlice,
  mayShift,
  mixedPadding,
  pad,
  paddedShape,
  parallelInsertSlice,
} from './tensor-slices.ts';
export { inferCollapsedType, inferExpandedType } from './reshape-types.ts';
export { inferExtractSliceType } from './slice-types.ts';
export {
  mixedIndices,
  mixedOffsets,
  mixedSizes,
  mixedSlice,
  mixedStrides,
  sliceArguments,
  sliceOperands,
} from './mixed-indices.ts';
export type { MixedIndex, MixedSlice, SliceOperands } from './mixed-indices.ts';
export type { Reassociation } from './attribute-kinds.ts';

/** The dialect, for a registry. */
export const tensorDialect: Dialect = {
  name: 'tensor',
  operations: [
    empty,
    dim,
    rank,
    cast,
    bitcast,
    extract,
    insert,
    fromElements,
    splat,
    generate,
    yieldOp,
    collapseShape,
    expandShape,
    reshape,
    concat,
    gather,
    scatter,
    pack,
    unpack,
    extractSlice,
    insertSlice,
    parallelInsertSlice,
    pad,
  ],
};
