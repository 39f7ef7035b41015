/** The memref dialect: allocation, access and views of buffers. */
import type {
  AttributeSpec,
  DeclaredOperation,
  Dialect,
  Folder,
  MemRefType,
  Operation,
  Value,
} from '@sconv/ir';
import {
  anyType,
  atLeast,
  bare,
  boolAttribute,
  defineOp,
  DYNAMIC,
  i32Attribute,
  i64Attribute,
  index,
  indexType,
  integerAttribute,
  named,
  one,
  optional,
  optionalAttribute,
  positive,
  typeEquals,
  typesMatchWith,
  variadic,
  withImplicitDefault,
} from '@sconv/ir';
import { parsePrefetchHints, prefetchHints, prefetchLocality } from './affine-memory.ts';
import {
  anyMemref,
  compatibleShapes,
  elementTypeOf,
  isPowerOfTwo,
  memref,
  memrefWithDims,
  shapeOf,
} from './constraints.ts';
import { accessesOperands, allocatesResult, forwardsOperands, freesOperand } from './interfaces.ts';
import { collapseShape, expandShape, reshape } from './memref-reshapes.ts';
import {
  cast,
  extractAlignedPointerAsIndex,
  extractStridedMetadata,
  memorySpaceCast,
  reinterpretCast,
  subview,
  transpose,
  view,
} from './memref-views.ts';
import { dmaStart, dmaWait } from './memref-dma.ts';
import { mixedSlice } from './mixed-indices.ts';
import { subviewMask } from './slice-types.ts';
import { ofOwnDimension } from './speculatable-models.ts';
import { hasIdentityLayout, inSameSpace } from './strided-layout.ts';
import { typeText } from './type-text.ts';
import { allocaScope, allocaScopeReturn } from './memref-alloca-scope.ts';
import { atomicRmw, atomicYield, genericAtomicRmw } from './memref-atomics.ts';
import { getGlobal, global } from './memref-globals.ts';

const alignment: AttributeSpec<number, 'optional'> = optionalAttribute(atLeast(i64Attribute, 0));

const allocationText = '`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)';

const dynamicCount = ({ shape }: MemRefType): number => shape.filter((size) => size === DYNAMIC).length;

/** The number of symbols in the layout of a type; each dynamic value of a strided layout is one. */
const layoutSymbols = ({ layout }: MemRefType): number => {
  if (layout?.kind === 'affine-map') return layout.map.numSymbols;
  if (layout?.kind !== 'strided') return 0;
  return [layout.offset, ...layout.strides].filter((size) => size === DYNAMIC).length;
};

const allocation = {
  interfaces: [allocatesResult],
  operands: { dynamicSizes: variadic(index), symbolOperands: variadic(index) },
  results: { memref: one(memref) },
  attributes: { alignment },
  assembly: { format: allocationText },
} as const;

type Allocation = DeclaredOperation<typeof allocation.operands, typeof allocation.results>;

function* verifyAllocation({
  operands,
  results,
}: Pick<Allocation, 'operands' | 'results'>): Generator<string> {
  const { type } = results.memref;
  const { dynamicSizes, symbolOperands } = operands;
  const wanted = layoutSymbols(type);
  if (dynamicSizes.length !== dynamicCount(type)) {
    yield 'dimension operand count does not equal memref dynamic dimension count';
  } else if (symbolOperands.length !== wanted) {
    yield `symbol operand count does not equal memref symbol count: expected ${wanted}, got ${symbolOperands.length}`;
  }
}

/** `memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32>`. */
export const alloc = defineOp({
  ...allocation,
  name: 'memref.alloc',
  summary: 'a buffer on the heap',
  verify: verifyAllocation,
  resultName: () => 'alloc',
});

/** `memref.alloca() : memref<4xf32>`. */
export const alloca = defineOp({
  ...allocation,
  name: 'memref.alloca',
  summary: 'a buffer on the stack',
  *verify(declared, context) {
    if (context.ancestors.some((ancestor) => context.hasTrait(ancestor, 'automatic-allocation-scope')))
      yield* verifyAllocation(declared);
    else yield 'requires an ancestor op with AutomaticAllocationScope trait';
  },
  resultName: () => 'alloca',
});

/** `memref.realloc %m(%n) : memref<4xf32> to memref<?xf32>`. */
export const realloc = defineOp({
  name: 'memref.realloc',
  // The new buffer may be the old one.
  interfaces: [forwardsOperands(0)],
  summary: 'a buffer made larger or smaller',
  operands: { source: one(memref), dynamicResultSize: optional(index) },
  results: { result: one(memref) },
  attributes: { alignment },
  assembly: {
    format: '$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)',
  },
  verify: ({ operands: { source, dynamicResultSize }, results: { result } }) =>
    bare(reallocErrors(source.type, result.type, dynamicResultSize !== undefined)),
});

function* reallocErrors(from: MemRefType, to: MemRefType, hasSize: boolean): Generator<string> {
  const types = `source memref type '${typeText(from)}' and result memref type '${typeText(to)}'`;
  const isDynamic = to.shape.includes(DYNAMIC);
  if (!hasIdentityLayout(from)) yield `unsupported layout for source memref type '${typeText(from)}'`;
  else if (!hasIdentityLayout(to)) yield `unsupported layout for result memref type '${typeText(to)}'`;
  else if (!inSameSpace(from, to)) yield `different memory spaces specified for ${types}`;
  else if (!typeEquals(from.elementType, to.elementType))
    yield `different element types specified for ${types}`;
  else if (isDynamic && !hasSize) yield `missing dimension operand for result type '${typeText(to)}'`;
  else if (!isDynamic && hasSize) yield `unnecessary dimension operand for result type '${typeText(to)}'`;
}

/** `memref.dealloc %m : memref<4xf32>`. */
export const dealloc = defineOp({
  name: 'memref.dealloc',
  interfaces: [freesOperand],
  summary: 'the end of a buffer on the heap',
  operands: { memref: one(anyMemref) },
  assembly: { format: '$memref attr-dict `:` type($memref)' },
});

const nontemporal: AttributeSpec<boolean, 'default'> = withImplicitDefault(boolAttribute, false);

/** `memref.load %m[%i, %j] : memref<4x8xf32>`. */
export const load = defineOp({
  name: 'memref.load',
  interfaces: [accessesOperands([0], [])],
  summary: 'reads an element of a buffer',
  operands: { memref: one(memref), indices: variadic(index) },
  results: { result: one(anyType) },
  attributes: { nontemporal },
  typeRelations: [
    typesMatchWith("result type matches element type of 'memref'", 'memref', 'result', elementTypeOf),
  ],
  assembly: { format: '$memref `[` $indices `]` attr-dict `:` type($memref)' },
  *verify({ operands: { memref: buffer, indices } }) {
    if (indices.length !== buffer.type.shape.length) yield 'incorrect number of indices for load';
  },
});

/** `memref.store %x, %m[%i, %j] : memref<4x8xf32>`. */
export const store = defineOp({
  name: 'memref.store',
  interfaces: [accessesOperands([], [1])],
  summary: 'writes an element of a buffer',
  operands: { value: one(anyType), memref: one(memref), indices: variadic(index) },
  attributes: { nontemporal },
  typeRelations: [
    typesMatchWith("type of 'value' matches element type of 'memref'", 'memref', 'value', elementTypeOf),
  ],
  assembly: { format: '$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)' },
  *verify({ operands: { memref: buffer, indices } }) {
    if (indices.length !== buffer.type.shape.length)
      yield 'store index operand count not equal to memref rank';
  },
});

/** `memref.copy %a, %b : memref<4xf32> to memref<4xf32>`. */
export const copy = defineOp({
  name: 'memref.copy',
  interfaces: [accessesOperands([0], [1])],
  summary: 'copies a buffer into another',
  operands: { source: one(anyMemref), target: one(anyMemref) },
  assembly: { format: '$source `,` $target attr-dict `:` type($source) `to` type($target)' },
  *verify({ operands: { source, target } }) {
    const [from, to] = [shapeOf(source.type), shapeOf(target.type)];
    if (!typeEquals(source.type.elementType, target.type.elementType))
      yield 'requires the same element type for all operands';
    else if (from !== undefined && to !== undefined && !compatibleShapes(from, to))
      yield 'requires the same shape for all operands';
  },
});

/** A static size is a constant; one that is not known is what the allocation or the view was given. */
const foldDim: Folder = (operation, constants, definitionOf) => {
  const type = operation.operands[0]?.type;
  const dimension = constants[1];
  if (dimension?.kind !== 'integer' || type?.kind !== 'memref') return undefined;
  const position = Number(dimension.value);
  const size = type.shape[position];
  if (size === undefined) return undefined;
  if (size !== DYNAMIC) return [integerAttribute(size, indexType)];
  const source = definitionOf(operation.operands[0]!);
  const given = source && givenSize(source, type, position);
  return given === undefined ? undefined : [given];
};

const givenSize = (source: Operation, type: MemRefType, position: number): Value | undefined => {
  const place = type.shape.slice(0, position).filter((size) => size === DYNAMIC).length;
  if (alloc.is(source)) return alloc.operands(source).dynamicSizes[place];
  if (alloca.is(source)) return alloca.operands(source).dynamicSizes[place];
  if (view.is(source)) return view.operands(source).sizes[place];
  if (!subview.is(source) && !reinterpretCast.is(source)) return undefined;
  const mixed = mixedSlice(source);
  const dropped = subview.is(source)
    ? subviewMask(subview.operands(source).source.type, mixed, type)
    : new Set<number>();
  const kept = mixed.sizes.filter((_, i) => dropped?.has(i) === false);
  return typeof kept[position] === 'object' ? kept[position] : undefined;
};

/** `memref.dim %m, %i : memref<4x?xf32>`. */
export const dim = defineOp({
  name: 'memref.dim',
  interfaces: [ofOwnDimension],
  summary: 'the size of a dimension',
  operands: { source: one(memrefWithDims), index: one(index) },
  results: { result: one(index) },
  traits: ['pure'],
  assembly: { format: 'attr-dict $source `,` $index `:` type($source)' },
  fold: foldDim,
  resultName: () => 'dim',
});

/** `memref.rank %m : memref<*xf32>`. */
export const rank = defineOp({
  name: 'memref.rank',
  summary: 'the number of dimensions',
  operands: { memref: one(anyMemref) },
  results: { result: one(index) },
  traits: ['pure'],
  assembly: { format: '$memref attr-dict `:` type($memref)' },
  fold: (operation) => {
    const type = operation.operands[0]?.type;
    return type?.kind === 'memref' ? [integerAttribute(type.shape.length, indexType)] : undefined;
  },
});

/** `memref.assume_alignment %m, 16 : memref<4xf32>`. */
export const assumeAlignment = defineOp({
  name: 'memref.assume_alignment',
  summary: 'a promise on the address of a buffer',
  operands: { memref: one(memref) },
  attributes: { alignment: positive(i32Attribute) },
  assembly: { format: '$memref `,` $alignment attr-dict `:` type($memref)' },
  *verify({ attributes }) {
    if (!isPowerOfTwo(BigInt(attributes.alignment))) yield 'alignment must be power of 2';
  },
});

/** `memref.prefetch %m[%i], read, locality<3>, data : memref<4xf32>`. */
export const prefetch = defineOp({
  name: 'memref.prefetch',
  summary: 'a hint that an element will be used soon',
  operands: { memref: one(memref), indices: variadic(index) },
  attributes: {
    isWrite: named(boolAttribute, 'isWrite'),
    localityHint: prefetchLocality,
    isDataCache: named(boolAttribute, 'isDataCache'),
  },
  assembly: {
    parse: (parser) => {
      const buffer = parser.operand();
      const indices = parser.list('square', () => parser.operand());
      parser.expect(',');
      const hints = parsePrefetchHints(parser);
      const attributes = parser.optionalAttrDict();
      const type = parser.colonType();
      return {
        operands: [
          parser.resolve(buffer, type),
          ...indices.map((operand) => parser.resolve(operand, indexType)),
        ],
        attributes: { ...attributes, ...hints },
      };
    },
    print: (printer, operation) => {
      const [buffer, ...indices] = operation.operands as [Value, ...Value[]];
      printer.text(' ');
      printer.operand(buffer);
      printer.text('[');
      printer.operands(indices);
      printer.text(`], ${prefetchHints(operation)}`);
      printer.optionalAttrDict(operation, ['isWrite', 'localityHint', 'isDataCache']);
      printer.text(' : ');
      printer.type(buffer.type);
    },
  },
  *verify({ operands: { memref: buffer, indices } }) {
    if (indices.length !== buffer.type.shape.length) yield 'too few indices';
  },
});

export { dmaStart, dmaWait } from './memref-dma.ts';
export { collapseShape, expandShape, reshape } from './memref-reshapes.ts';
export {
  cast,
  castCompatible,
  extractAlignedPointerAsIndex,
  extractStridedMetadata,
  memorySpaceCast,
  reinterpretCast,
  subview,
  transpose,
  view,
} from './memref-views.ts';
export { allocaScope, allocaScopeReturn } from './memref-alloca-scope.ts';
export { atomicCombiner, atomicKinds } from './combining-kinds.ts';
export type { AtomicCombiner, AtomicKind } from './combining-kinds.ts';
export { atomicRmw, atomicYield, genericAtomicRmw } from './memref-atomics.ts';
export { getGlobal, global } from './memref-globals.ts';
export { inferCollapsedType, inferExpandedType, isGuaranteedCollapsible } from './reshape-types.ts';
export { inferSubviewType } from './slice-types.ts';
export { hasElementsApart, isContiguous, rowMajorStrides, stridedLayoutOf } from './strided-layout.ts';
export type { StridedLayout } from './strided-layout.ts';
export {
  mixedOffsets,
  mixedSizes,
  mixedSlice,
  mixedStrides,
  sliceArguments,
  sliceOperands,
} from './mixed-indices.ts';
export type { MixedIndex, MixedSlice, SliceOperands } from './mixed-indices.ts';

/** The dialect, for a registry. */
export const memrefDialect: Dialect = {
  name: 'memref',
  operations: [
    alloc,
    alloca,
    realloc,
    dealloc,
    load,
    store,
    copy,
    dim,
    rank,
    assumeAlignment,
    atomicRmw,
    genericAtomicRmw,
    atomicYield,
    prefetch,
    global,
    getGlobal,
    allocaScope,
    allocaScopeReturn,
    dmaStart,
    dmaWait,
    subview,
    reinterpretCast,
    collapseShape,
    expandShape,
    cast,
    memorySpaceCast,
    reshape,
    view,
    transpose,
    extractStridedMetadata,
    extractAlignedPointerAsIndex,
  ],
};
