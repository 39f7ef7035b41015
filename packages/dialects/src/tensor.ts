/** The tensor dialect: creation, access, slices and reshapes of tensors. */
import type { Dialect, Folder, Operation, Type } from '@sconv/ir';
import {
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
  unitAttributeKind,
  variadic,
} from '@sconv/ir';
import { reassociationAttribute } from './attribute-kinds.ts';
import {
  compatibleShapes,
  elementTypeOf,
  indexTensor,
  rankedTensor,
  scalar,
  shapeOf,
  shapeTensor,
  staticTensor,
  tensor,
  tensorWithDims,
} from './constraints.ts';
import { dynamicIndexList, numbersOf } from './mixed-indices.ts';
import { inferCollapsedType } from './reshape-types.ts';
import { yieldedBy } from './region-edges.ts';
import { dynamicReshapeErrors, reassociationErrors } from './reshape-verify.ts';
import { addSizes } from './strided-layout.ts';
import { pack, unpack } from './tensor-pack.ts';
import { extractSlice, insertSlice, pad, parallelInsertSlice } from './tensor-slices.ts';
import { typeText } from './type-text.ts';

const directives = { DynamicIndexList: dynamicIndexList };

const dynamicCount = (type: Type | undefined): number =>
  type?.kind === 'tensor' ? type.shape.filter((size) => size === DYNAMIC).length : 0;

/** The number of elements of a tensor of static shape. */
const elementCount = (type: Type | undefined): number | undefined =>
  type?.kind === 'tensor' && isStaticShape(type)
    ? type.shape.reduce((product, size) => product * size, 1)
    : undefined;

/** `tensor.empty(%n) : tensor<4x?xf32>`: of undefined content. */
export const empty = defineOp({
  name: 'tensor.empty',
  summary: 'a tensor of undefined content',
  operands: { dynamicSizes: variadic(index) },
  results: { result: one(rankedTensor) },
  traits: ['pure'],
  assembly: { format: '`(`$dynamicSizes`)` attr-dict `:` type($result)' },
  *verify({ operation }) {
    const wanted = dynamicCount(operation.results[0]?.type);
    if (operation.operands.length !== wanted) {
      yield `incorrect number of dynamic sizes, has ${operation.operands.length}, expected ${wanted}`;
    }
  },
});

/** A static size is a constant. */
const foldDim: Folder = (operation, constants) => {
  const type = operation.operands[0]?.type;
  const dimension = integerOf(constants[1]);
  if (dimension === undefined || (type?.kind !== 'tensor' && type?.kind !== 'memref')) return undefined;
  const size = type.shape[dimension];
  return size === undefined || size === DYNAMIC ? undefined : [integerAttribute(size, indexType)];
};

/** `tensor.dim %t, %i : tensor<4x?xf32>`. */
export const dim = defineOp({
  name: 'tensor.dim',
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

/** Whether two tensor types are the same up to sizes that one of them does not know. */
const castCompatible = (a: Type, b: Type): boolean => {
  if (!typeEquals(elementTypeOf(a), elementTypeOf(b))) return false;
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return true;
  return compatibleShapes(a.shape, b.shape);
};

/** `tensor.cast %t : tensor<4xf32> to tensor<?xf32>`. */
export const cast = defineOp({
  name: 'tensor.cast',
  summary: 'the same tensor under a type that knows more or less of its shape',
  operands: { source: one(tensor) },
  results: { dest: one(tensor) },
  traits: ['pure'],
  assembly: { format: '$source attr-dict `:` type($source) `to` type($dest)' },
  *verify({ operation }) {
    const [from, to] = [operation.operands[0]?.type, operation.results[0]?.type];
    if (from !== undefined && to !== undefined && !castCompatible(from, to)) {
      yield `operand type '${typeText(from)}' and result type '${typeText(to)}' are cast incompatible`;
    }
  },
  resultName: () => 'cast',
});

/** `tensor.bitcast %t : tensor<4xui32> to tensor<4xi32>`. */
export const bitcast = defineOp({
  name: 'tensor.bitcast',
  summary: 'the same bits under another element type',
  operands: { source: one(tensor) },
  results: { dest: one(tensor) },
  traits: ['pure'],
  assembly: { format: '$source attr-dict `:` type($source) `to` type($dest)' },
});

/** `tensor.extract %t[%i, %j] : tensor<4x8xf32>`. */
export const extract = defineOp({
  name: 'tensor.extract',
  summary: 'an element of a tensor',
  operands: { tensor: one(rankedTensor), indices: variadic(index) },
  results: { result: one(anyType) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('result type matches element type of tensor', 'tensor', 'result', elementTypeOf),
  ],
  assembly: { format: '$tensor `[` $indices `]` attr-dict `:` type($tensor)' },
  *verify({ operation }) {
    const [source, ...indices] = operation.operands;
    if (source?.type.kind === 'tensor' && source.type.shape.length !== indices.length) {
      yield 'incorrect number of indices for extract_element';
    }
  },
  fold: (operation, constants) => {
    const [source] = constants;
    const [result] = operation.results;
    if (source?.kind !== 'dense-elements' || source.values.length !== 1 || result === undefined)
      return undefined;
    const [value] = source.values;
    if (typeof value === 'bigint') return [integerAttribute(value, result.type)];
    return typeof value === 'number' ? [{ kind: 'float', value, type: result.type }] : undefined;
  },
  resultName: () => 'extracted',
});

/** `tensor.insert %x into %t[%i, %j] : tensor<4x8xf32>`. */
export const insert = defineOp({
  name: 'tensor.insert',
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
  *verify({ operation }) {
    const [, dest, ...indices] = operation.operands;
    if (dest?.type.kind === 'tensor' && dest.type.shape.length !== indices.length) {
      yield 'incorrect number of indices';
    }
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
  *verify({ operation: { operands, results } }) {
    const wanted = elementCount(results[0]?.type);
    if (wanted !== undefined && operands.length !== wanted) {
      yield `${operands.length} operands present, but expected ${wanted}`;
    }
  },
  resultName: () => 'from_elements',
});

/** `tensor.splat %x[%n] : tensor<4x?xf32>`. */
export const splat = defineOp({
  name: 'tensor.splat',
  summary: 'a tensor whose elements are all the same value',
  operands: { input: one(scalar), dynamicSizes: variadic(index) },
  results: { aggregate: one(rankedTensor) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('operand type matches element type of result', 'aggregate', 'input', elementTypeOf),
  ],
  assembly: { format: '$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate)' },
  *verify({ operation }) {
    const wanted = dynamicCount(operation.results[0]?.type);
    const given = operation.operands.length - 1;
    if (given !== wanted) yield `incorrect number of dynamic sizes, has ${given}, expected ${wanted}`;
  },
  resultName: () => 'splat',
});

/** `tensor.generate %n { ^bb0(%i: index): … tensor.yield %x : f32 } : tensor<?xf32>`. */
export const generate = defineOp({
  name: 'tensor.generate',
  summary: 'a tensor computed element by element',
  operands: { dynamicExtents: variadic(index) },
  results: { result: one(rankedTensor) },
  regions: ['body'],
  traits: ['recursive-effects', 'single-block'],
  assembly: { format: '$dynamicExtents $body attr-dict `:` type($result)' },
  *verify({ operation }) {
    const type = operation.results[0]?.type;
    if (operation.operands.length !== dynamicCount(type)) {
      yield 'must have as many index operands as dynamic extents in the result type';
      return;
    }
    const [region] = operation.regions;
    const indices = region?.blocks[0]?.arguments ?? [];
    if (type?.kind !== 'tensor') return;
    if (!indices.every((argument) => argument.type.kind === 'index'))
      yield 'all body arguments must be index';
    else if (indices.length !== type.shape.length) yield 'must have one body argument per input dimension';
    else if (
      !yieldedBy(region)
        .slice(0, 1)
        .every((value) => typeEquals(value.type, type.elementType))
    ) {
      yield 'body must be terminated with a `yield` operation of the tensor element type';
    }
  },
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

const reassociationOf = (operation: Operation) => {
  const attribute = operation.attributes['reassociation'];
  return attribute === undefined ? undefined : reassociationAttribute.decode(attribute);
};

/** Undoing a reshape gives the original; a reshape to the same type is none. */
const foldReshape = (operation: Operation) => {
  const [source] = operation.operands;
  const [result] = operation.results;
  return source !== undefined && result !== undefined && typeEquals(source.type, result.type)
    ? [source]
    : undefined;
};

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
  *verify({ operation }) {
    const [source, result] = [operation.operands[0]?.type, operation.results[0]?.type];
    const groups = reassociationOf(operation);
    if (source?.kind !== 'tensor' || result?.kind !== 'tensor' || groups === undefined) return;
    yield* reassociationErrors(source.shape, result.shape, groups);
  },
  fold: foldReshape,
  resultName: () => 'collapsed',
});

/** `tensor.expand_shape %t [[0], [1, 2]] output_shape [1, 4, 8] : tensor<1x32xf32> into tensor<1x4x8xf32>`. */
export const expandShape = defineOp({
  name: 'tensor.expand_shape',
  summary: 'dimensions split into several',
  operands: { src: one(tensor), outputShape: variadic(index) },
  results: { result: one(tensor) },
  attributes: { reassociation: reassociationAttribute, staticOutputShape: i64ArrayAttribute },
  traits: ['pure'],
  assembly: {
    format:
      '$src $reassociation `output_shape` custom<DynamicIndexList>($outputShape, $static_output_shape) attr-dict `:` type($src) `into` type($result)',
    directives,
  },
  *verify({ operation }) {
    const [source, result] = [operation.operands[0]?.type, operation.results[0]?.type];
    const groups = reassociationOf(operation);
    const sizes = numbersOf(operation.attributes['static_output_shape']);
    if (source?.kind !== 'tensor' || result?.kind !== 'tensor' || groups === undefined) return;
    if (sizes.length !== result.shape.length) {
      yield `expected number of static shape dims to be equal to the output rank (${result.shape.length}) but found ${sizes.length} inputs instead`;
      return;
    }
    const { length: given } = operation.operands.slice(1);
    const dynamic = sizes.filter((size) => size === DYNAMIC).length;
    if (dynamic !== given) {
      yield `mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has ${dynamic} dynamic dims while output_shape has ${given} values`;
      return;
    }
    yield* reassociationErrors(result.shape, source.shape, groups);
  },
  fold: foldReshape,
  resultName: () => 'expanded',
});

/** `tensor.reshape %t(%shape) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>`. */
export const reshape = defineOp({
  name: 'tensor.reshape',
  summary: 'the same elements in a shape given at run time',
  operands: { source: one(tensor), shape: one(shapeTensor) },
  results: { result: one(tensor) },
  traits: ['pure'],
  assembly: { format: '$source `(` $shape `)` attr-dict `:` functional-type(operands, results)' },
  *verify({ operation }) {
    const [source, result] = [operation.operands[0]?.type, operation.results[0]?.type];
    yield* dynamicReshapeErrors(operation, 'tensor');
    const [from, to] = [elementCount(source), elementCount(result)];
    if (from !== undefined && to !== undefined && from !== to) {
      yield 'source and destination tensor should have the same number of elements';
    }
  },
  resultName: () => 'reshape',
});

function* concatErrors(operation: Operation): Generator<string> {
  const result = operation.results[0]?.type;
  const inputs = operation.operands.map(({ type }) => type);
  const at = integerOf(operation.attributes['dim']);
  if (result?.kind !== 'tensor' || at === undefined) return;
  const rank = result.shape.length;
  if (!inputs.every((type) => shapeOf(type)?.length === rank)) {
    yield 'rank of concatenated inputs must match result rank';
    return;
  }
  if (!inputs.every((type) => typeEquals(elementTypeOf(type), result.elementType))) {
    yield 'inputs and result element type must match';
    return;
  }
  if (at >= rank) {
    yield 'concatenation dim must be less than the tensor rank';
    return;
  }
  const shapes = inputs.map((type) => shapeOf(type) ?? []);
  const inferred: number[] = [];
  for (let dimension = 0; dimension < rank; dimension++) {
    const sizes = shapes.map((shape) => shape[dimension]!);
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
  summary: 'tensors side by side along a dimension',
  operands: { inputs: variadic(rankedTensor) },
  results: { result: one(rankedTensor) },
  attributes: { dim: i64Attribute },
  traits: ['pure'],
  assembly: { format: '`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)' },
  *verify({ operation }) {
    if (operation.operands.length < 1) yield 'requires at least one input';
    else yield* concatErrors(operation);
  },
  resultName: () => 'concat',
});

const gatherText = '(`unique` $unique^)? attr-dict `:` functional-type(operands, results)';

export const gather = defineOp({
  name: 'tensor.gather',
  summary: 'slices of a tensor at given coordinates',
  operands: { source: one(rankedTensor), indices: one(indexTensor) },
  results: { result: one(rankedTensor) },
  attributes: { gatherDims: i64ArrayAttribute, unique: unitAttributeKind },
  traits: ['pure'],
  assembly: { format: '$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` ' + gatherText },
  resultName: () => 'gather',
});

export const scatter = defineOp({
  name: 'tensor.scatter',
  summary: 'a tensor with slices at given coordinates replaced',
  operands: { source: one(rankedTensor), dest: one(rankedTensor), indices: one(indexTensor) },
  results: { result: one(rankedTensor) },
  attributes: { scatterDims: i64ArrayAttribute, unique: unitAttributeKind },
  traits: ['pure'],
  assembly: {
    format: '$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` ' + gatherText,
  },
  resultName: () => 'scatter',
});

export { inferPackedType, pack, unpack } from './tensor-pack.ts';
export { extractSlice, insertSlice, mixedPadding, pad, parallelInsertSlice } from './tensor-slices.ts';
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
