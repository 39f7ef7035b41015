/** Vector memory accesses: contiguous, masked, and scattered. */
import type { MemRefType, ShapedType, Type, Value, VectorType } from '@sconv/ir';
import {
  boolAttribute,
  defineOp,
  DYNAMIC,
  implement,
  index,
  memoryEffects,
  one,
  typeEquals,
  variadic,
  withImplicitDefault,
} from '@sconv/ir';
import { anyShaped, anyVector, elementTypeOf, memref, staticMemref } from './constraints.ts';
import { accessesOperands, viewOfFirstOperand } from './interfaces.ts';
import { hasIdentityLayout, inSameSpace, stridedLayoutOf } from './strided-layout.ts';
import { typeText } from './type-text.ts';
import { maskedAs, maskLike } from './vector-masks.ts';
import { mask, mask1d, positions, positions1d, vector1d, vectorOfAnyRank } from './vector-types.ts';

const nontemporal = withImplicitDefault(boolAttribute, false);

const hasUnitStride = (type: MemRefType): boolean =>
  type.shape.length === 0 || stridedLayoutOf(type)?.strides.at(-1) === 1;

/** Errors of indices into a buffer. */
function* indexErrors(type: Pick<ShapedType, 'shape'>, indices: readonly Value[]): Generator<string> {
  if (indices.length !== type.shape.length) yield `requires ${type.shape.length} indices`;
}

/** Errors of a contiguous access; `value` and `elements` are upstream's words for the vector. */
function* contiguousErrors(
  base: MemRefType,
  vector: VectorType,
  indices: readonly Value[],
  value: string,
  elements: string,
): Generator<string> {
  const { elementType } = base;
  if (!hasUnitStride(base)) yield 'most minor memref dim must have unit stride';
  else if (elementType.kind === 'vector' && !typeEquals(elementType, vector))
    yield `base memref and ${value} vector types should match`;
  else if (!typeEquals(elementTypeOf(elementType), vector.elementType))
    yield `base and ${value} element ${elements} should match`;
  else yield* indexErrors(base, indices);
}

/** `vector.load %m[%i] : memref<8xf32>, vector<4xf32>`. */
export const load = defineOp({
  name: 'vector.load',
  summary: 'reads contiguous elements of a buffer',
  operands: { base: one(memref), indices: variadic(index) },
  results: { result: one(vectorOfAnyRank) },
  interfaces: [accessesOperands([0], [])],
  attributes: { nontemporal },
  assembly: { format: '$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)' },
  verify: ({ operands: { base, indices }, results: { result } }) =>
    contiguousErrors(base.type, result.type, indices, 'result', 'types'),
});

/** `vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32>`. */
export const store = defineOp({
  name: 'vector.store',
  summary: 'writes contiguous elements of a buffer',
  operands: { valueToStore: one(vectorOfAnyRank), base: one(memref), indices: variadic(index) },
  interfaces: [accessesOperands([], [1])],
  attributes: { nontemporal },
  assembly: {
    format: '$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)',
  },
  verify: ({ operands: { valueToStore, base, indices } }) =>
    contiguousErrors(base.type, valueToStore.type, indices, 'valueToStore', 'type'),
});

const sameShape = (a: VectorType, b: VectorType): boolean => a.shape.join() === b.shape.join();

/** Errors of a masked access to `base` that reads or writes `vector`, which upstream calls `value`. */
function* maskedErrors(
  base: ShapedType,
  vector: Value<VectorType>,
  value: 'result' | 'valueToStore',
  indices: readonly Value[],
  shapes: Readonly<Record<string, Value<VectorType>>>,
  passThru?: Value<VectorType>,
): Generator<string> {
  const { type } = vector;
  const other = Object.entries(shapes).find(([, each]) => !sameShape(each.type, type));
  if (!typeEquals(base.elementType, type.elementType)) yield `base and ${value} element type should match`;
  else if (indices.length !== base.shape.length) yield* indexErrors(base, indices);
  else if (other !== undefined) yield `expected ${value} dim to match ${other[0]} dim`;
  else if (passThru !== undefined && !typeEquals(passThru.type, type))
    yield 'expected pass_thru of same type as result type';
}

const maskedRead = (name: string, summary: string) =>
  defineOp({
    name,
    summary,
    operands: { base: one(memref), indices: variadic(index), mask: one(mask1d), pass_thru: one(vector1d) },
    results: { result: one(vector1d) },
    interfaces: [accessesOperands([0], [])],
    assembly: {
      format:
        '$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) ' +
        '`,` type($pass_thru) `into` type($result)',
    },
    verify: ({ operands: { base, indices, mask: chosen, pass_thru: passThru }, results: { result } }) =>
      maskedErrors(base.type, result, 'result', indices, { mask: chosen }, passThru),
  });

const maskedWrite = (name: string, summary: string) =>
  defineOp({
    name,
    summary,
    operands: { base: one(memref), indices: variadic(index), mask: one(mask1d), valueToStore: one(vector1d) },
    interfaces: [accessesOperands([], [0])],
    assembly: {
      format:
        '$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` ' +
        'type($mask) `,` type($valueToStore)',
    },
    verify: ({ operands: { base, indices, mask: chosen, valueToStore } }) =>
      maskedErrors(base.type, valueToStore, 'valueToStore', indices, { mask: chosen }),
  });

/** `vector.maskedload %m[%i], %mask, %rest : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`. */
export const maskedload = maskedRead('vector.maskedload', 'reads contiguous elements where a mask is set');
/** `vector.maskedstore %m[%i], %mask, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>`. */
export const maskedstore = maskedWrite(
  'vector.maskedstore',
  'writes contiguous elements where a mask is set',
);
/** `vector.expandload %m[%i], %mask, %rest : …`. */
export const expandload = maskedRead(
  'vector.expandload',
  'spreads contiguous elements to where a mask is set',
);
/** `vector.compressstore %m[%i], %mask, %v : …`. */
export const compressstore = maskedWrite(
  'vector.compressstore',
  'writes the elements where a mask is set next to each other',
);

/**
 * `vector.gather %m[%i] [%at], %mask, %rest : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into
 * vector<4xf32>`.
 */
export const gather = defineOp({
  name: 'vector.gather',
  summary: 'reads elements at the distances that a vector says',
  operands: {
    base: one(anyShaped),
    indices: variadic(index),
    index_vec: one(positions),
    mask: one(mask),
    pass_thru: one(anyVector),
  },
  results: { result: one(anyVector) },
  interfaces: [
    implement(memoryEffects, ({ operands: [base] }) =>
      base?.type.kind === 'memref' ? [{ kind: 'read', value: base }] : [],
    ),
    maskedAs(({ results: [result] }) => (result?.type.kind === 'vector' ? maskLike(result.type) : undefined)),
  ],
  assembly: {
    format:
      '$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) ' +
      '`,` type($index_vec)  `,` type($mask) `,` type($pass_thru) `into` type($result)',
  },
  *verify({
    operands: { base, indices, index_vec: distances, mask: chosen, pass_thru: passThru },
    results: { result },
  }) {
    const { type } = base;
    if (type.kind !== 'memref' && type.kind !== 'tensor')
      yield 'requires base to be a memref or ranked tensor type';
    else yield* maskedErrors(type, result, 'result', indices, { indices: distances, mask: chosen }, passThru);
  },
});

/** `vector.scatter %m[%i] [%at], %mask, %v : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>`. */
export const scatter = defineOp({
  name: 'vector.scatter',
  summary: 'writes elements at the distances that a vector says, in order',
  operands: {
    base: one(memref),
    indices: variadic(index),
    index_vec: one(positions1d),
    mask: one(mask1d),
    valueToStore: one(vector1d),
  },
  interfaces: [accessesOperands([], [0])],
  assembly: {
    format:
      '$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict `:` ' +
      'type($base) `,` type($index_vec)  `,` type($mask) `,` type($valueToStore)',
  },
  verify: ({ operands: { base, indices, index_vec: distances, mask: chosen, valueToStore } }) =>
    maskedErrors(base.type, valueToStore, 'valueToStore', indices, { indices: distances, mask: chosen }),
});

/** The sizes of a buffer followed by those of its vector elements. */
const allSizes = ({ shape, elementType }: MemRefType): readonly number[] =>
  elementType.kind === 'vector' ? [...shape, ...elementType.shape] : shape;

const scalarOf = (type: Type): Type => elementTypeOf(elementTypeOf(type));

/** `vector.type_cast %m : memref<4x8xf32> to memref<vector<4x8xf32>>`. */
export const typeCast = defineOp({
  name: 'vector.type_cast',
  summary: 'a buffer of scalars as one of vectors',
  operands: { memref: one(staticMemref) },
  results: { result: one(memref) },
  traits: ['pure'],
  interfaces: [viewOfFirstOperand],
  assembly: { format: '$memref attr-dict `:` type($memref) `to` type($result)' },
  *verify({ operands: { memref: source }, results: { result } }) {
    const [from, to] = [source.type, result.type];
    if (from.layout !== undefined && !hasIdentityLayout(from))
      yield 'expects operand to be a memref with identity layout';
    else if (!hasIdentityLayout(to)) yield 'expects result to be a memref with identity layout';
    else if (!inSameSpace(from, to)) yield 'expects result in same memory space';
    else if (!typeEquals(scalarOf(from), scalarOf(to)))
      yield `expects result and operand with same underlying scalar type: '${typeText(to)}'`;
    else if (to.shape.includes(DYNAMIC) || allSizes(from).join() !== allSizes(to).join())
      yield `expects concatenated result and operand shapes to be equal: '${typeText(to)}'`;
  },
});
