/** Views of buffers: subviews, casts and metadata, without copying. */
import type { Folder, MemRefType, Operation, Type, UnrankedMemRefType } from '@sconv/ir';
import {
  bare,
  DYNAMIC,
  affineMapAttribute,
  affineMapAttributeKind,
  defineOp,
  i64ArrayAttribute,
  index,
  indexType,
  memrefType,
  one,
  stridedLayoutAttribute,
  typeEquals,
  variadic,
  variadicOfEqualSize,
} from '@sconv/ir';
import { dim, makeMap, printMap } from '@sconv/affine';
import { anyMemref, byteMemref, compatibleShapes, memref } from './constraints.ts';
import { forwardsOperands, viewOfFirstOperand } from './interfaces.ts';
import { allStatic, dynamicIndexList, mixedSlice } from './mixed-indices.ts';
import { rankReductionMask, staticSizes, subviewMask, subviewTypeKeeping } from './slice-types.ts';
import { sliceListErrors } from './slice-verify.ts';
import { notSpeculatable, ofSlice, withNothingNew } from './speculatable-models.ts';
import {
  hasIdentityLayout,
  inSameSpace,
  sameLayout,
  stridedLayoutOf,
  stridedMemref,
} from './strided-layout.ts';
import { typeText } from './type-text.ts';

const directives = { DynamicIndexList: dynamicIndexList };
const sliceAttributes = {
  staticOffsets: i64ArrayAttribute,
  staticSizes: i64ArrayAttribute,
  staticStrides: i64ArrayAttribute,
};
const sliceGroups = { offsets: variadic(index), sizes: variadic(index), strides: variadic(index) };
const list = (name: string): string => `custom<DynamicIndexList>($${name}, $static_${name})`;

type BufferType = MemRefType | UnrankedMemRefType;

/** A subview with the type of its source that covers all of it folds to the source. */
const foldSubview: Folder = (operation) => {
  const [source] = operation.operands;
  if (source?.type.kind !== 'memref') return undefined;
  const { type } = source;
  const { shape } = source.type;
  const { offsets, sizes, strides } = mixedSlice(operation);
  const whole =
    operation.results.every((result) => typeEquals(result.type, type)) &&
    offsets.every((offset) => offset === 0) &&
    strides.every((stride) => stride === 1) &&
    allStatic(sizes) &&
    sizes.every((size, i) => size === shape[i]);
  return whole ? [source] : undefined;
};

function* subviewErrors(operation: Operation, source: MemRefType, result: MemRefType): Generator<string> {
  const errors = [...sliceListErrors(operation, source.shape.length)];
  yield* errors;
  if (errors.length > 0) return;
  if (stridedLayoutOf(source) === undefined) {
    yield `base type '${typeText(source)}' is not strided`;
    return;
  }
  const slice = mixedSlice(operation);
  const full = subviewTypeKeeping(source, slice, () => true);
  const wanted = `expected result type to be '${typeText(full)}' or a rank-reduced version.`;
  const dropped = subviewMask(source, slice, result) ?? rankReductionMask(full.shape, result.shape);
  if (result.shape.length > full.shape.length) {
    yield 'expected result rank to be smaller or equal to the source rank. ';
  } else if (dropped === undefined) {
    yield `${wanted} (mismatch of result sizes) `;
  } else if (!typeEquals(full.elementType, result.elementType)) {
    yield `${wanted} (mismatch of result element type) `;
  } else if (
    !sameLayout(
      subviewTypeKeeping(source, slice, (i) => !dropped.has(i)),
      result,
    )
  ) {
    yield `${wanted} (mismatch of result layout) `;
  }
}

/** `memref.subview %m[0, %i] [4, 16] [1, 1] : memref<8x64xf32> to memref<4x16xf32, strided<[64, 1], offset: ?>>`. */
export const subview = defineOp({
  name: 'memref.subview',
  interfaces: [viewOfFirstOperand, ofSlice(0)],
  summary: 'a strided part of a buffer',
  operands: { source: one(memref), ...sliceGroups },
  results: { result: one(memref) },
  attributes: sliceAttributes,
  traits: ['pure'],
  assembly: {
    format:
      `$source \`\` ${list('offsets')} ${list('sizes')} ${list('strides')} attr-dict \`:\` ` +
      `type($source) \`to\` type($result)`,
    directives,
  },
  verify: ({ operation, operands: { source }, results: { result } }) =>
    bare(subviewErrors(operation, source.type, result.type)),
  fold: foldSubview,
  resultName: () => 'subview',
});

function* reinterpretCastErrors(
  operation: Operation,
  source: BufferType,
  result: MemRefType,
): Generator<string> {
  const errors = [...sliceListErrors(operation, result.shape.length, 1)];
  if (errors.length > 0) {
    yield* errors;
    return;
  }
  const { offsets, sizes, strides } = mixedSlice(operation);
  const space = (type: BufferType): MemRefType =>
    memrefType([], result.elementType, undefined, type.memorySpace);
  const kinds = `source type '${typeText(source)}' and result memref type '${typeText(result)}'`;
  if (!typeEquals(space(source), space(result))) yield `different memory spaces specified for ${kinds}`;
  else if (!typeEquals(source.elementType, result.elementType))
    yield `different element types specified for ${kinds}`;
  else
    yield* reinterpretedLayoutErrors(
      result,
      staticSizes(offsets)[0]!,
      staticSizes(sizes),
      staticSizes(strides),
    );
}

/** Whether two numbers, one from the type and one from the operation, are known and differ. */
const differ = (a: number, b: number): boolean => a !== DYNAMIC && b !== DYNAMIC && a !== b;

function* reinterpretedLayoutErrors(
  result: MemRefType,
  offset: number,
  sizes: readonly number[],
  strides: readonly number[],
): Generator<string> {
  for (const [i, size] of sizes.entries()) {
    const given = result.shape[i]!;
    if (differ(given, size)) {
      yield `expected result type with size = ${sizeText(size)} instead of ${sizeText(given)} in dim = ${i}`;
      return;
    }
  }
  const layout = stridedLayoutOf(result);
  if (layout === undefined) {
    yield `expected result type to have strided layout but found '${typeText(result)}'`;
  } else if (differ(layout.offset, offset)) {
    yield `expected result type with offset = ${sizeText(offset)} instead of ${sizeText(layout.offset)}`;
  } else {
    const i = layout.strides.findIndex((stride, at) => differ(stride, strides[at]!));
    if (i >= 0) {
      yield (
        `expected result type with stride = ${sizeText(strides[i]!)} instead of ` +
        `${sizeText(layout.strides[i]!)} in dim = ${i}`
      );
    }
  }
}

const sizeText = (size: number): string => (size === DYNAMIC ? 'dynamic' : String(size));

/** `memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>`. */
export const reinterpretCast = defineOp({
  name: 'memref.reinterpret_cast',
  interfaces: [viewOfFirstOperand, notSpeculatable],
  summary: 'the memory of a buffer under another offset, shape and strides',
  operands: { source: one(anyMemref), ...sliceGroups },
  results: { result: one(memref) },
  attributes: sliceAttributes,
  traits: ['pure'],
  assembly: {
    format:
      `$source \`to\` \`offset\` \`\` \`:\` ${list('offsets')} \`\` \`,\` \`sizes\` \`\` \`:\` ` +
      `${list('sizes')} \`\` \`,\` \`strides\` \`\` \`:\` ${list('strides')} attr-dict \`:\` ` +
      `type($source) \`to\` type($result)`,
    directives,
  },
  verify: ({ operation, operands: { source }, results: { result } }) =>
    bare(reinterpretCastErrors(operation, source.type, result.type)),
  resultName: () => 'reinterpret_cast',
});

/** Whether a `memref.cast` between the types may succeed: sizes, strides and rank may be less static. */
export const castCompatible = (a: BufferType, b: BufferType): boolean => {
  if (!sameBase(a, b)) return false;
  if (a.kind !== 'memref' || b.kind !== 'memref') return a.kind !== b.kind;
  if (!compatibleShapes(a.shape, b.shape)) return false;
  const [x, y] = [stridedLayoutOf(a), stridedLayoutOf(b)];
  if (x === undefined || y === undefined) return typeEquals(a, b);
  return compatibleShapes([x.offset, ...x.strides], [y.offset, ...y.strides]);
};

/** Whether element type and memory space agree. */
const sameBase = (a: BufferType, b: BufferType): boolean => {
  const base = (type: BufferType): MemRefType =>
    memrefType([], type.elementType, undefined, type.memorySpace);
  return typeEquals(base(a), base(b));
};

const castError = (from: Type, to: Type): string =>
  `operand type '${typeText(from)}' and result type '${typeText(to)}' are cast incompatible`;

const withoutSpace = (type: BufferType): BufferType => {
  const { memorySpace: _space, ...rest } = type;
  return rest;
};

const conversion = '$source attr-dict `:` type($source) `to` type($dest)';

/** `memref.cast %m : memref<4xf32> to memref<?xf32>`. */
export const cast = defineOp({
  name: 'memref.cast',
  interfaces: [viewOfFirstOperand, withNothingNew],
  summary: 'the same buffer under a type that knows more or less of its shape and layout',
  operands: { source: one(anyMemref) },
  results: { dest: one(anyMemref) },
  traits: ['pure', 'cast'],
  assembly: { format: conversion },
  *verify({ operands: { source }, results: { dest } }) {
    if (!castCompatible(source.type, dest.type)) yield castError(source.type, dest.type);
  },
  resultName: () => 'cast',
});

/** `memref.memory_space_cast %m : memref<4xf32, 1> to memref<4xf32>`. */
export const memorySpaceCast = defineOp({
  name: 'memref.memory_space_cast',
  interfaces: [viewOfFirstOperand],
  summary: 'the same buffer in another memory space',
  operands: { source: one(anyMemref) },
  results: { dest: one(anyMemref) },
  traits: ['pure', 'cast'],
  assembly: { format: conversion },
  *verify({ operands: { source }, results: { dest } }) {
    if (!typeEquals(withoutSpace(source.type), withoutSpace(dest.type)))
      yield castError(source.type, dest.type);
  },
  resultName: () => 'memspacecast',
});

function* viewErrors(base: MemRefType, result: MemRefType, sizes: number): Generator<string> {
  const [from, to] = [typeText(base), typeText(result)];
  if (!hasIdentityLayout(base)) yield `unsupported map for base memref type '${from}'`;
  else if (!hasIdentityLayout(result)) yield `unsupported map for result memref type '${to}'`;
  else if (!inSameSpace(base, result))
    yield `different memory spaces specified for base memref type '${from}' and view memref type '${to}'`;
  else if (sizes !== result.shape.filter((size) => size === DYNAMIC).length)
    yield `incorrect number of size operands for type '${to}'`;
}

/** `memref.view %bytes[%shift][%n] : memref<64xi8> to memref<?xf32>`. */
export const view = defineOp({
  name: 'memref.view',
  interfaces: [viewOfFirstOperand, notSpeculatable],
  summary: 'a typed buffer within a buffer of bytes',
  operands: { source: one(byteMemref), byteShift: one(index), sizes: variadic(index) },
  results: { result: one(memref) },
  traits: ['pure'],
  assembly: {
    format: '$source `[` $byteShift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)',
  },
  verify: ({ operands: { source, sizes }, results: { result } }) =>
    bare(viewErrors(source.type, result.type, sizes.length)),
  resultName: () => 'view',
});

/** `source` with its dimensions permuted to `positions`. */
const transposedType = (source: MemRefType, positions: readonly number[]): MemRefType => {
  const { offset, strides } = stridedLayoutOf(source)!;
  const permuted = (sizes: readonly number[]) => positions.map((position) => sizes[position]!);
  const layout = stridedLayoutAttribute(offset, permuted(strides));
  return memrefType(permuted(source.shape), source.elementType, layout, source.memorySpace);
};

/** Whether the types differ only in how their layouts are written. */
const isEquivalent = (a: MemRefType, b: MemRefType): boolean =>
  typeEquals(
    memrefType(a.shape, a.elementType, undefined, a.memorySpace),
    memrefType(b.shape, b.elementType, undefined, b.memorySpace),
  ) && sameLayout(a, b);

/** `memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>`. */
export const transpose = defineOp({
  name: 'memref.transpose',
  interfaces: [viewOfFirstOperand],
  summary: 'a buffer with its dimensions permuted',
  operands: { in: one(stridedMemref) },
  results: { result: one(stridedMemref) },
  attributes: { permutation: affineMapAttributeKind },
  traits: ['pure'],
  assembly: {
    parse: (parser) => {
      const operand = parser.operand();
      const dims = parser.list('paren', () => parser.keyword());
      parser.expect('->');
      const results = parser.list('paren', () => {
        const position = dims.indexOf(parser.keyword());
        return position < 0 ? parser.fail('expected dimensional identifier') : dim(position);
      });
      const attributes = parser.optionalAttrDict();
      const type = parser.colonType();
      parser.expect('to');
      return {
        operands: [parser.resolve(operand, type)],
        attributes: { ...attributes, permutation: affineMapAttribute(makeMap(dims.length, 0, results)) },
        resultTypes: [parser.type()],
      };
    },
    print: (printer, operation) => {
      const permutation = operation.attributes['permutation'];
      const source = operation.operands[0]!;
      if (permutation?.kind !== 'affine-map') return;
      printer.text(' ');
      printer.operand(source);
      printer.text(` ${printMap(permutation.map)}`);
      printer.optionalAttrDict(operation, ['permutation']);
      printer.text(' : ');
      printer.type(source.type);
      printer.text(' to ');
      printer.types(operation.results.map((result) => result.type));
    },
  },
  *verify({ operands, results, attributes: { permutation: map } }) {
    const [source, result] = [operands.in.type, results.result.type];
    const positions = map.results.map((result) => (result.kind === 'dim' ? result.position : -1));
    if (new Set(positions).size !== map.numDims || positions.includes(-1)) yield 'expected a permutation map';
    else if (map.numDims !== source.shape.length) {
      yield 'expected a permutation map of same rank as the input';
    } else {
      const wanted = transposedType(source, positions);
      if (!isEquivalent(wanted, result)) {
        yield (
          `result type '${typeText(result)}' is not equivalent to the canonical transposed input type ` +
          `'${typeText(wanted)}'`
        );
      }
    }
  },
  resultName: () => 'transpose',
});

/** The types of base, offset, sizes and strides of a buffer. */
const metadataTypes = (source: Type | undefined): readonly Type[] | undefined => {
  if (source?.kind !== 'memref') return undefined;
  const { shape, elementType, memorySpace } = source;
  return [
    memrefType([], elementType, undefined, memorySpace),
    indexType,
    ...[...shape, ...shape].map(() => indexType),
  ];
};

/** `%base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x8xf32> -> …`. */
export const extractStridedMetadata = defineOp({
  name: 'memref.extract_strided_metadata',
  interfaces: [viewOfFirstOperand],
  summary: 'base, offset, sizes and strides of a buffer',
  operands: { source: one(stridedMemref) },
  results: {
    baseBuffer: one(memref),
    offset: one(index),
    sizes: variadicOfEqualSize(index),
    strides: variadicOfEqualSize(index),
  },
  traits: ['pure'],
  assembly: { format: '$source `:` type($source) `->` type(results) attr-dict' },
  inferResultTypes: (operands) => metadataTypes(operands[0]?.type),
});

/** `memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index`. */
export const extractAlignedPointerAsIndex = defineOp({
  name: 'memref.extract_aligned_pointer_as_index',
  interfaces: [forwardsOperands(0)],
  summary: 'the address of a buffer',
  operands: { source: one(anyMemref) },
  results: { alignedPointer: one(index) },
  traits: ['pure'],
  assembly: { format: '$source `:` type($source) `->` type(results) attr-dict' },
  resultName: () => 'intptr',
});
