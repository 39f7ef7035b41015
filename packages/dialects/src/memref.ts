/** The memref dialect: allocation, access and views of buffers. */
import type {
  Attribute,
  AttributeSpec,
  DeclaredOperation,
  Dialect,
  Folder,
  MemRefType,
  Type,
  Value,
} from '@sconv/ir';
import {
  allTypesMatch,
  anyAttribute,
  anyType,
  atLeast,
  attributeKind,
  boolAttribute,
  defineOp,
  DYNAMIC,
  i32Attribute,
  i64Attribute,
  index,
  indexType,
  integerAttribute,
  isStaticShape,
  named,
  one,
  optional,
  optionalAttribute,
  positive,
  printAttribute,
  stringAttributeKind,
  symbolRefAttributeKind,
  tensorType,
  typeAttribute,
  typeEquals,
  typesMatchWith,
  unitAttribute,
  unitAttributeKind,
  variadic,
  withImplicitDefault,
} from '@sconv/ir';
import { parsePrefetchHints, prefetchHints, prefetchLocality } from './affine-memory.ts';
import { atomicKinds, atomicOperands } from './atomic-kinds.ts';
import { enumAttribute, symbolName } from './attribute-kinds.ts';
import {
  anyMemref,
  compatibleShapes,
  elementTypeOf,
  memref,
  memrefWithDims,
  shapeOf,
  signlessIntegerOrFloat,
  staticMemref,
} from './constraints.ts';
import { accessesOperands, allocatesResult, freesOperand } from './interfaces.ts';
import {
  cast,
  collapseShape,
  expandShape,
  extractAlignedPointerAsIndex,
  extractStridedMetadata,
  memorySpaceCast,
  reinterpretCast,
  reshape,
  subview,
  transpose,
  view,
} from './memref-views.ts';
import { conditionalEdgeErrors } from './region-edges.ts';
import { typeText } from './type-text.ts';

const alignment: AttributeSpec<number, 'optional'> = optionalAttribute(atLeast(i64Attribute, 0));

const allocationText = '`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)';

const dynamicCount = ({ shape }: MemRefType): number => shape.filter((size) => size === DYNAMIC).length;

/** How many symbols the layout of a type has; each unknown of a strided layout is one. */
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
  summary: 'a buffer made larger or smaller',
  operands: { source: one(memref), dynamicResultSize: optional(index) },
  results: { result: one(memref) },
  attributes: { alignment },
  assembly: {
    format: '$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)',
  },
});

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

const foldDim: Folder = (operation, constants) => {
  const type = operation.operands[0]?.type;
  const dimension = constants[1];
  if (dimension?.kind !== 'integer' || type?.kind !== 'memref') return undefined;
  const size = type.shape[Number(dimension.value)];
  return size === undefined || size === DYNAMIC ? undefined : [integerAttribute(size, indexType)];
};

/** `memref.dim %m, %i : memref<4x?xf32>`. */
export const dim = defineOp({
  name: 'memref.dim',
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

const isPowerOfTwo = (value: bigint): boolean => value > 0n && (value & (value - 1n)) === 0n;

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

const atomicKind = enumAttribute(atomicKinds, 64);

/** `memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4xf32>) -> f32`. */
export const atomicRmw = defineOp({
  name: 'memref.atomic_rmw',
  interfaces: [accessesOperands([1], [1])],
  summary: 'an atomic update of an element',
  operands: { value: one(signlessIntegerOrFloat), memref: one(memref), indices: variadic(index) },
  results: { result: one(signlessIntegerOrFloat) },
  attributes: { kind: atomicKind },
  typeRelations: [allTypesMatch('value', 'result')],
  *verify({ operands: { value, memref: buffer, indices }, attributes: { kind } }) {
    if (indices.length !== buffer.type.shape.length)
      yield 'expects the number of subscripts to be equal to memref rank';
    const wanted = atomicOperands[kind];
    if (wanted !== undefined && wanted !== value.type.kind) {
      yield `with kind '${kind}' expects ${wanted === 'float' ? 'a floating-point' : 'an integer'} type`;
    }
  },
  assembly: {
    format:
      '$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)',
  },
});

/** `memref.generic_atomic_rmw %m[%i] : memref<4xf32> { ^bb0(%x: f32): … memref.atomic_yield %y : f32 }`. */
export const genericAtomicRmw = defineOp({
  name: 'memref.generic_atomic_rmw',
  interfaces: [accessesOperands([0], [0])],
  summary: 'an atomic update of an element, by a body',
  operands: { memref: one(memref), indices: variadic(index) },
  results: { result: one(signlessIntegerOrFloat) },
  typeRelations: [
    typesMatchWith('result type matches element type of memref', 'memref', 'result', elementTypeOf),
  ],
  regions: ['atomic_body'],
  *verify({ operation, results: { result } }) {
    const [argument, ...more] = operation.regions[0]!.blocks.flatMap((block) => block.arguments);
    if (argument === undefined || more.length > 0) yield 'expected single number of entry block arguments';
    else if (!typeEquals(argument.type, result.type))
      yield 'expected block argument of the same type result type';
  },
  traits: ['recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const buffer = parser.operand();
      const indices = parser.list('square', () => parser.operand());
      const type = parser.colonType();
      return {
        operands: [
          parser.resolve(buffer, type),
          ...indices.map((operand) => parser.resolve(operand, indexType)),
        ],
        regions: [parser.region()],
        attributes: parser.optionalAttrDict(),
        resultTypes: [elementTypeOf(type)],
      };
    },
    print: (printer, operation) => {
      const [buffer, ...indices] = operation.operands as [Value, ...Value[]];
      printer.text(' ');
      printer.operand(buffer);
      printer.text('[');
      printer.operands(indices);
      printer.text('] : ');
      printer.type(buffer.type);
      printer.text(' ');
      printer.region(operation.regions[0]!);
      printer.optionalAttrDict(operation);
    },
  },
});

/** `memref.atomic_yield %x : f32`. */
export const atomicYield = defineOp({
  name: 'memref.atomic_yield',
  summary: 'the end of the body of `memref.generic_atomic_rmw`',
  operands: { result: one(anyType) },
  traits: ['pure', 'terminator'],
  parents: ['memref.generic_atomic_rmw'],
  *verify({ operands: { result } }, context) {
    const { type: wanted } = context.ancestors[0]!.results[0]!;
    if (!typeEquals(result.type, wanted))
      yield `types mismatch between yield op: '${typeText(result.type)}' and its parent: '${typeText(wanted)}'`;
  },
  assembly: { format: '$result attr-dict `:` type($result)' },
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

const memrefTypeAttribute = attributeKind<MemRefType>(
  'memref type attribute',
  (attribute) => (attribute.kind === 'type' && attribute.type.kind === 'memref' ? attribute.type : undefined),
  typeAttribute,
);

/** The tensor type of the initial value of a global buffer. */
const initialValueType = ({ shape, elementType }: MemRefType): Type => tensorType(shape, elementType);

function* globalErrors(
  type: MemRefType,
  value: Attribute | undefined,
  given: number | undefined,
): Generator<string> {
  if (!isStaticShape(type)) {
    yield `type should be static shaped memref, but got '${typeText(type)}'`;
  } else if (value !== undefined && value.kind !== 'unit' && !isElements(value)) {
    yield `initial value should be a unit or elements attribute, but got ${printAttribute(value)}`;
  } else if (value?.kind === 'dense-elements' && !typeEquals(value.type, initialValueType(type))) {
    yield `initial value expected to be of type '${typeText(initialValueType(type))}', but was of type '${typeText(value.type)}'`;
  } else if (given !== undefined && !isPowerOfTwo(BigInt(given))) {
    yield `alignment attribute value ${BigInt.asUintN(64, BigInt(given))} is not a power of 2`;
  }
}

/** Elements that this IR looks into, or only carries along (`sparse<…>`, `dense_resource<…>`). */
const isElements = ({ kind }: Attribute): boolean => kind === 'dense-elements' || kind === 'opaque';

/** `memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>`. */
export const global = defineOp({
  name: 'memref.global',
  summary: 'a buffer of the module',
  attributes: {
    symName: symbolName,
    symVisibility: optionalAttribute(stringAttributeKind),
    type: memrefTypeAttribute,
    initialValue: optionalAttribute(anyAttribute),
    constant: unitAttributeKind,
    alignment: optionalAttribute(i64Attribute),
  },
  traits: ['symbol'],
  verify: ({ attributes: { type, initialValue, alignment: given } }) =>
    globalErrors(type, initialValue, given),
  assembly: {
    format:
      '($sym_visibility^)? (`constant` $constant^)? $sym_name `:` custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value) attr-dict',
    directives: {
      GlobalMemrefOpTypeAndInitialValue: {
        parse: (parser, parsed) => {
          const type = parser.type();
          if (type.kind !== 'memref' || !isStaticShape(type))
            return parser.fail(
              `type should be static shaped memref, but got '${typeText(type)}'`,
              parser.location,
            );
          parsed.attributes.set('type', typeAttribute(type));
          if (!parser.accept('=')) return;
          parsed.attributes.set(
            'initial_value',
            parser.accept('uninitialized') ? unitAttribute : parser.attribute(initialValueType(type)),
          );
        },
        print: (printer, operation) => {
          const { type, initial_value: value } = operation.attributes;
          if (type?.kind === 'type') printer.type(type.type);
          if (value === undefined) return;
          printer.text(' = ');
          if (value.kind === 'unit') printer.text('uninitialized');
          else printer.attributeWithoutType(value);
        },
      },
    },
  },
});

/** `memref.get_global @c : memref<2xf32>`. */
export const getGlobal = defineOp({
  name: 'memref.get_global',
  summary: 'a buffer of the module by its name',
  results: { result: one(staticMemref) },
  attributes: { name: symbolRefAttributeKind },
  traits: ['pure'],
  assembly: { format: '$name `:` type($result) attr-dict' },
  *verify({ attributes: { name }, results: { result } }, context) {
    const symbol = context.lookupSymbol(name);
    const type = symbol?.name === 'memref.global' ? symbol.attributes['type'] : undefined;
    if (type?.kind !== 'type') {
      yield `'${name}' does not reference a valid global memref`;
    } else if (!typeEquals(type.type, result.type)) {
      yield `result type '${typeText(result.type)}' does not match type '${typeText(type.type)}' of the global memref @${name}`;
    }
  },
});

/** `memref.alloca_scope { … }`. */
export const allocaScope = defineOp({
  name: 'memref.alloca_scope',
  summary: 'a body whose stack buffers end with it',
  results: { results: variadic(anyType) },
  regions: ['bodyRegion'],
  bodies: ['bodyRegion'],
  traits: ['automatic-allocation-scope', 'recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const resultTypes = parser.optionalArrowTypeList();
      const body = parser.ensureTerminator(parser.region(), 'memref.alloca_scope.return');
      return { resultTypes, regions: [body], attributes: parser.optionalAttrDict() };
    },
    print: (printer, operation) => {
      printer.text(' ');
      if (operation.results.length > 0) {
        printer.text(' -> (');
        printer.types(operation.results.map((result) => result.type));
        printer.text(')');
      }
      printer.text(' ');
      printer.region(operation.regions[0]!, {
        printEntryArguments: false,
        printTerminator: operation.results.length > 0,
      });
      printer.optionalAttrDict(operation);
    },
  },
  verify: ({ operation }) => conditionalEdgeErrors(operation),
});

/** `memref.alloca_scope.return %x : f32`. */
export const allocaScopeReturn = defineOp({
  name: 'memref.alloca_scope.return',
  summary: 'the end of `memref.alloca_scope`',
  operands: { results: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  parents: ['memref.alloca_scope'],
  assembly: { format: 'attr-dict ($results^ `:` type($results))?' },
});

/** `memref.dma_wait %tag[%i], %n : memref<1xi32>`. */
export const dmaWait = defineOp({
  name: 'memref.dma_wait',
  summary: 'waits for a transfer',
  operands: { tagMemRef: one(memref), tagIndices: variadic(index), numElements: one(index) },
  assembly: { format: '$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)' },
});

export {
  cast,
  collapseShape,
  expandShape,
  extractAlignedPointerAsIndex,
  extractStridedMetadata,
  memorySpaceCast,
  reinterpretCast,
  reshape,
  subview,
  transpose,
  view,
} from './memref-views.ts';
export { inferCollapsedType, inferExpandedType, isGuaranteedCollapsible } from './reshape-types.ts';
export { inferSubviewType } from './slice-types.ts';
export { isContiguous, rowMajorStrides, stridedLayoutOf } from './strided-layout.ts';
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
