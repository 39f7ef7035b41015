/** The memref dialect: allocations in the scratch memory, views as offsets and strides, element accesses. */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, mul } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects/memref';
import { mixedSlice, stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType, Operation } from '@sconv/ir';
import { DYNAMIC, elementCount, isStaticShape, valuesBetween } from '@sconv/ir';
import { i32 } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import {
  bindIndex,
  bindScalar,
  bufferOf,
  constantOf,
  elementAddress,
  fail,
  indexOf,
  operandOf,
  resultOf,
  rowMajorStrides,
  scalarOf,
  unsupported,
} from './lowering.ts';
import { copyBuffer } from './copy-buffer.ts';
import type { Storage } from './storage.ts';
import { storageOf } from './storage.ts';
import type { WasmLowering } from './wasm-lowering.ts';

/** The type of a buffer with storable elements; fails otherwise. */
export const storableType = (
  operation: Operation,
  type: { readonly kind: string },
): { readonly type: MemRefType; readonly storage: Storage } => {
  const memref = type as MemRefType;
  if (type.kind !== 'memref') {
    const hint = type.kind.endsWith('tensor') ? ': bufferize it first' : '';
    return unsupported(operation, `a value of kind ${type.kind}`, hint);
  }
  const storage = storageOf(memref.elementType);
  if (storage === undefined) return unsupported(operation, 'this element type');
  return { type: memref, storage };
};

/**
 * Offset and strides of a buffer type; row-major where the type leaves them dynamic, which callers of a function are
 * told to supply.
 */
export const staticLayout = (
  operation: Operation,
  type: MemRefType,
): { readonly offset: AffineExpr; readonly strides: readonly AffineExpr[] } => {
  const layout = stridedLayoutOf(type);
  if (layout === undefined) return unsupported(operation, 'a layout that is not strided');
  const fallback = rowMajorStrides(type.shape.map((size) => constant(size)));
  return {
    offset: constant(layout.offset === DYNAMIC ? 0 : layout.offset),
    strides: layout.strides.map((stride, i) => (stride === DYNAMIC ? fallback[i]! : constant(stride))),
  };
};

/** Bytes from the base of a buffer of this static type to the end of its last element. */
export const bytesOf = (operation: Operation, type: MemRefType, storage: Storage): number => {
  if (!isStaticShape(type))
    return fail(operation, 'wasm/dynamic-shape', `a buffer of dynamic size has no static place`);
  if (elementCount(type.shape) === 0) return 0;
  const { offset, strides } = staticLayout(operation, type);
  const last = strides.reduce(
    (sum, stride, i) => sum + (constantOf(stride) ?? 0) * ((type.shape[i] ?? 1) - 1),
    constantOf(offset) ?? 0,
  );
  return (last + 1) * storage.bytes;
};

const lowerAllocation = (state: Lowering, operation: Operation): void => {
  const result = resultOf(operation);
  const { type, storage } = storableType(operation, result.type);
  // Fails without a static size.
  bytesOf(operation, type, storage);
  const at = state.arena.place(result.id);
  const place = i32.add(state.scratch, i32.const(at));
  const { offset, strides } = staticLayout(operation, type);
  state.values.set(result.id, {
    kind: 'buffer',
    base: state.keeper?.baseOf(operation.id, place) ?? state.f.get(state.f.let(place)),
    offset,
    sizes: type.shape.map((size) => constant(size)),
    strides,
    storage,
    root: result.id,
  });
};

const lowerGetGlobal = (state: Lowering, operation: Operation): void => {
  const result = resultOf(operation);
  const { type, storage } = storableType(operation, result.type);
  const { name } = operation.attributes;
  const symbol = name?.kind === 'symbol-ref' ? name.root : '';
  const at = state.globalOffset(symbol);
  if (at === undefined)
    return fail(operation, 'wasm/unknown-global', 'there is no such memref.global with a value');
  state.values.set(result.id, {
    kind: 'buffer',
    base: state.f.get(state.f.let(i32.add(state.globals, i32.const(at)))),
    ...staticLayout(operation, type),
    sizes: type.shape.map((size) => constant(size)),
    storage,
    root: state.isVariable(symbol) ? undefined : result.id,
  });
};

const mixed = (
  state: Lowering,
  operation: Operation,
  indices: readonly MixedIndex[],
): readonly AffineExpr[] =>
  indices.map((index) => (typeof index === 'number' ? constant(index) : indexOf(state, operation, index)));

/**
 * Which dimensions of a slice its type keeps; undefined if the sizes do not match. Which one of several unit dimensions
 * is dropped makes no difference, since their strides are meaningless.
 */
const keptDimensions = (
  full: readonly number[],
  kept: readonly number[],
): ReadonlySet<number> | undefined => {
  const positions = new Set<number>();
  for (const [i, size] of full.entries()) {
    if (size === kept[positions.size]) positions.add(i);
    else if (size !== 1) return undefined;
  }
  return positions.size === kept.length ? positions : undefined;
};

const lowerSubview = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  const result = resultOf(operation);
  const { type } = storableType(operation, result.type);
  const slice = mixedSlice(operation);
  const [offsets, sizes, steps] = [slice.offsets, slice.sizes, slice.strides].map((list) =>
    mixed(state, operation, list),
  ) as [readonly AffineExpr[], readonly AffineExpr[], readonly AffineExpr[]];
  const full = slice.sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
  const keep = keptDimensions(full, type.shape);
  if (keep === undefined) return unsupported(operation, 'a result that is no rank reduction');
  const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => keep.has(i));
  state.values.set(result.id, {
    ...source,
    offset: offsets.reduce((sum, at, i) => add(sum, mul(at, source.strides[i]!)), source.offset),
    sizes: kept(sizes),
    strides: kept(source.strides.map((stride, i) => mul(stride, steps[i]!))),
  });
};

const lowerReinterpretCast = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  const slice = mixedSlice(operation);
  const [offsets, sizes, strides] = [slice.offsets, slice.sizes, slice.strides].map((list) =>
    mixed(state, operation, list),
  ) as [readonly AffineExpr[], readonly AffineExpr[], readonly AffineExpr[]];
  state.values.set(resultOf(operation).id, { ...source, offset: offsets[0] ?? constant(0), sizes, strides });
};

/** The groups of source dimensions of a reshape. */
const reassociationOf = (operation: Operation): readonly (readonly number[])[] => {
  const { reassociation } = operation.attributes;
  if (reassociation?.kind !== 'array') return unsupported(operation, 'a reshape without groups');
  return reassociation.elements.map((group) =>
    group.kind === 'array'
      ? group.elements.map((element) => (element.kind === 'integer' ? Number(element.value) : 0))
      : [],
  );
};

const lowerCollapse = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  const groups = reassociationOf(operation);
  const one = constant(1);
  // The verifier ensures that a group is contiguous; strides of unit dimensions are meaningless.
  const strideOf = (group: readonly number[]): AffineExpr => {
    const last = group.findLast((i) => constantOf(source.sizes[i]) !== 1) ?? group.at(-1);
    return last === undefined ? one : source.strides[last]!;
  };
  state.values.set(resultOf(operation).id, {
    ...source,
    sizes: groups.map((group) => group.reduce((product, i) => mul(product, source.sizes[i]!), one)),
    strides: groups.map(strideOf),
  });
};

const lowerExpand = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  const { type } = storableType(operation, resultOf(operation).type);
  if (!isStaticShape(type)) return fail(operation, 'wasm/dynamic-shape', 'expands to a dynamic shape');
  const sizes = type.shape.map((size) => constant(size));
  // A rank-0 source has no groups for the dimensions that it is expanded to.
  const strides = sizes.map((): AffineExpr => constant(1));
  reassociationOf(operation).forEach((group, i) => {
    let stride = source.strides[i]!;
    for (const dimension of [...group].reverse()) {
      strides[dimension] = stride;
      stride = mul(stride, sizes[dimension]!);
    }
  });
  state.values.set(resultOf(operation).id, { ...source, sizes, strides });
};

const indicesFrom = (state: Lowering, operation: Operation, first: number): readonly AffineExpr[] =>
  valuesBetween(operation.operands, first).map((operand) => indexOf(state, operation, operand));

const lowerLoad = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  const address =
    state.loadAddresses.get(operation.id) ?? elementAddress(state, source, indicesFrom(state, operation, 1));
  bindScalar(state, resultOf(operation), source.storage.load(address));
};

const lowerStore = (state: Lowering, operation: Operation): void => {
  const value = scalarOf(state, operation, operandOf(operation, 0));
  const target = bufferOf(state, operation, operandOf(operation, 1));
  const address = elementAddress(state, target, indicesFrom(state, operation, 2));
  state.f.statement(target.storage.store(address, value));
};

const lowerCopy = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  const target = bufferOf(state, operation, operandOf(operation, 1));
  copyBuffer(state, source, target);
};

const lowerDim = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  const position = constantOf(indexOf(state, operation, operandOf(operation, 1)));
  const size = position === undefined ? undefined : source.sizes[position];
  bindIndex(
    state,
    operation,
    resultOf(operation),
    size ?? unsupported(operation, 'a dimension that is not constant'),
  );
};

/** `memref.cast`, and a layout cast: the same buffer under another type. */
const lowerCast = (state: Lowering, operation: Operation): void => {
  const source = bufferOf(state, operation, operandOf(operation, 0));
  state.values.set(resultOf(operation).id, source);
};

/** By operation name. */
export const memrefLowerings: Readonly<Record<string, WasmLowering>> = {
  'memref.alloc': lowerAllocation,
  'memref.alloca': lowerAllocation,
  // Scratch memory is freed at the end of the allocation's block.
  'memref.dealloc': () => undefined,
  'memref.get_global': lowerGetGlobal,
  'memref.subview': lowerSubview,
  'memref.reinterpret_cast': lowerReinterpretCast,
  'memref.collapse_shape': lowerCollapse,
  'memref.expand_shape': lowerExpand,
  'memref.cast': lowerCast,
  'memref.load': lowerLoad,
  'memref.store': lowerStore,
  'memref.copy': lowerCopy,
  'memref.dim': lowerDim,
};
