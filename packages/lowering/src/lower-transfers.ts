/**
 * Lowers the accesses of vectors to buffers that LLVM 19's conversions get wrong or refuse:
 *
 * - transfers that may begin below 0 or end beyond the buffer: upstream tests the end only;
 * - masked transfers: upstream takes the wrong rows of the mask if dimensions are permuted;
 * - elements that are not whole bytes: LLVM packs them in vectors, and buffers do not;
 * - loads and stores of several dimensions: upstream has them of one.
 *
 * Of buffers of vectors, upstream takes one vector at a time, and leaves other accesses as they are; so does this.
 *
 * A row that is contiguous in the buffer becomes a masked load or store; other elements are accessed one by one.
 */
import { bitsOf, createConstantValue, indexValue, sizeOrDim, uniformConstant } from '@sconv/dialects';
import { addi, andi, cmpi, maxsi, minsi, subi, xori } from '@sconv/dialects/arith';
import * as memref from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import {
  broadcast,
  createMask,
  extract,
  extractelement,
  insert,
  insertelement,
  load,
  mask as maskOp,
  maskAround,
  maskedload,
  maskedstore,
  store,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import type { DraftOperation, MemRefType, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, elementCount, i1, typeEquals, vectorType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import { positionsIn } from './positions-in.ts';

/** An access of a vector to a buffer. */
interface Access {
  readonly source: Value;
  readonly indices: readonly Value[];
  readonly type: VectorType;
  /** By dimension of the vector: that of the buffer; undefined where elements repeat. */
  readonly dimensions: readonly (number | undefined)[];
  /** By dimension of the vector. */
  readonly inBounds: readonly boolean[];
  /** Where to access elements. Its dimensions are those of the buffer that the vector has, in the buffer's order. */
  readonly mask: Value<VectorType> | undefined;
  /**
   * What to write, or what a read gives where it reads nothing: a vector, or one element for all; undefined for
   * anything.
   */
  readonly data: Value | undefined;
  readonly isRead: boolean;
}

/** More accesses than these would be too much code. */
const mostAccesses = 4096;

/** Lowers all of them at or below `root` but those of scalable vectors, and those of too many elements. */
export const lowerTransfers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    const access = accessOf(operation);
    if (access === undefined || isRightUpstream(operation, access)) continue;
    const { shape, scalable } = access.type;
    const apart = isRow(access) ? shape.slice(0, -1) : shape;
    if (scalable.includes(true) || elementCount(apart) > mostAccesses) continue;
    const outer = maskAround(operation) ?? operation;
    rewriter.setInsertionPointBefore(outer);
    if (access.isRead) {
      rewriter.replaceOperation(outer, [createReads(rewriter, access)]);
      continue;
    }
    createWrites(rewriter, access);
    rewriter.eraseOperation(outer);
  }
};

/** Whether LLVM's conversions lower an access of a vector as it is. True of operations that are none. */
export const isRightUpstream = (operation: DraftOperation, access = accessOf(operation)): boolean => {
  if (access === undefined) return isOneVector(operation);
  const { type, mask, inBounds, dimensions } = access;
  if (!isWhole(type)) return false;
  if (!transferRead.is(operation) && !transferWrite.is(operation)) return type.shape.length <= 1;
  return mask === undefined && dimensions.every((each, i) => each === undefined || inBounds[i] === true);
};

/** Whether an access to a buffer of vectors is that of one, as a whole. True of other operations. */
const isOneVector = (operation: DraftOperation): boolean => {
  const { source, type, mask } = anyAccessOf(operation) ?? {};
  return source?.type.kind !== 'memref' || (mask === undefined && typeEquals(source.type.elementType, type!));
};

const isWhole = ({ elementType }: VectorType): boolean => (bitsOf(elementType) ?? 0) % 8 === 0;

/** The access of an operation; undefined for any other, and for buffers of vectors. */
const accessOf = (operation: DraftOperation): Access | undefined => {
  const access = anyAccessOf(operation);
  const source = access?.source.type;
  return source?.kind === 'memref' && typeEquals(source.elementType, access!.type.elementType)
    ? access
    : undefined;
};

const anyAccessOf = (operation: DraftOperation): Access | undefined => {
  const result = operation.results[0] as Value<VectorType> | undefined;
  if (transferRead.is(operation)) {
    const { padding } = transferRead.operands(operation);
    const { type } = result!;
    return { ...transferParts(operation, transferRead), type, data: padding, isRead: true };
  }
  if (transferWrite.is(operation)) {
    const { vector: data } = transferWrite.operands(operation);
    return { ...transferParts(operation, transferWrite), type: data.type, data, isRead: false };
  }
  if (load.is(operation)) {
    return { ...contiguous(load.operands(operation), result!.type), data: undefined, isRead: true };
  }
  if (maskedload.is(operation)) {
    const operands = maskedload.operands(operation);
    return { ...contiguous(operands, result!.type), data: operands.pass_thru, isRead: true };
  }
  if (store.is(operation)) {
    const operands = store.operands(operation);
    const { valueToStore: data } = operands;
    return { ...contiguous(operands, data.type), data, isRead: false };
  }
  if (maskedstore.is(operation)) {
    const operands = maskedstore.operands(operation);
    const { valueToStore: data } = operands;
    return { ...contiguous(operands, data.type), data, isRead: false };
  }
  return undefined;
};

type Places = Pick<Access, 'source' | 'indices' | 'dimensions' | 'inBounds' | 'mask'>;

const transferParts = (
  operation: DraftOperation,
  definition: typeof transferRead | typeof transferWrite,
): Places => {
  const { source, indices, mask } = definition.operands(operation);
  const { permutationMap, inBounds } = definition.attributes(operation);
  const around = maskAround(operation);
  return {
    source,
    indices,
    inBounds,
    mask: around === undefined ? mask : maskOp.operands(around).mask,
    dimensions: permutationMap.results.map((each) => (each.kind === 'dim' ? each.position : undefined)),
  };
};

interface ContiguousOperands {
  readonly base: Value<MemRefType>;
  readonly indices: readonly Value[];
  readonly mask?: Value<VectorType>;
}

/** Elements of the last dimensions. */
const contiguous = (
  { base: source, indices, mask }: ContiguousOperands,
  type: VectorType,
): Places & Pick<Access, 'type'> => {
  const first = indices.length - type.shape.length;
  const dimensions = type.shape.map((_, i) => first + i);
  return { source, indices, type, mask, dimensions, inBounds: dimensions.map(() => true) };
};

/** Whether the last dimension of the vector is contiguous in the buffer. */
const isRow = ({ source, type, dimensions }: Access): boolean => {
  const { strides } = memref.stridedLayoutOf(source.type as MemRefType) ?? {};
  const last = dimensions.at(-1);
  return isWhole(type) && last !== undefined && last + 1 === strides?.length && strides[last] === 1;
};

/** The indices of the element or row at a position. */
const indicesAt = (
  rewriter: Rewriter,
  { indices, dimensions }: Access,
  position: readonly number[],
): readonly Value[] => {
  const b = builder(rewriter);
  return indices.map((lhs, dimension): Value => {
    const shift = position[dimensions.indexOf(dimension)] ?? 0;
    return shift === 0 ? lhs : b(addi, { lhs, rhs: indexConstant(b, shift) });
  });
};

const both = (rewriter: Rewriter, lhs: Value | undefined, rhs: Value | undefined): Value | undefined =>
  lhs === undefined || rhs === undefined ? (lhs ?? rhs) : builder(rewriter)(andi, { lhs, rhs });

/** Whether these indices are in the buffer, as far as that is not certain; undefined if it is. */
const inBuffer = (
  rewriter: Rewriter,
  { source, dimensions, inBounds }: Access,
  at: readonly Value[],
  count: number,
): Value | undefined =>
  dimensions.slice(0, count).reduce<Value | undefined>((before, dimension, i) => {
    if (dimension === undefined || inBounds[i] === true) return before;
    const rhs = indexValue(rewriter, sizeOrDim(rewriter, source, dimension));
    // As numbers without sign, those below 0 are the largest.
    return both(rewriter, before, builder(rewriter)(cmpi, { predicate: 'ult', lhs: at[dimension]!, rhs }));
  }, undefined);

/** The part of the mask at a position of the vector. */
const maskAt = (
  rewriter: Rewriter,
  { mask, dimensions }: Access,
  position: readonly number[],
): Value | undefined => {
  if (mask === undefined) return undefined;
  const b = builder(rewriter);
  if (mask.type.shape.length === 0) return b(extractelement, { vector: mask }, { resultTypes: [i1] });
  const staticPosition = [...dimensions.keys()]
    .filter((i) => dimensions[i] !== undefined)
    .sort((i, j) => dimensions[i]! - dimensions[j]!)
    .flatMap((i) => position[i] ?? []);
  return staticPosition.length === 0 ? mask : b(extract, { vector: mask, staticPosition });
};

/** The lanes of a row to access: those in the mask, and of a row and a position in the buffer; undefined for all. */
const laneMask = (
  rewriter: Rewriter,
  access: Access,
  position: readonly number[],
  at: readonly Value[],
): Value<VectorType> | undefined => {
  const { source, type, inBounds, dimensions } = access;
  const b = builder(rewriter);
  const width = type.shape.at(-1)!;
  const resultTypes = [vectorType([width], i1)];
  const below = (bound: Value): Value => b(createMask, { bounds: [bound] }, { resultTypes });
  let lanes = maskAt(rewriter, access, position);
  if (inBounds.at(-1) !== true) {
    const dimension = dimensions.at(-1)!;
    const size = indexValue(rewriter, sizeOrDim(rewriter, source, dimension));
    // So far from the buffer that no lane is in it, but no further: differences must not overflow.
    const start: Value = b(maxsi, {
      lhs: b(minsi, { lhs: at[dimension]!, rhs: size }),
      rhs: indexConstant(b, -width),
    });
    const isBefore = below(b(subi, { lhs: indexConstant(b, 0), rhs: start }));
    lanes = both(rewriter, lanes, b(xori, { lhs: below(b(subi, { lhs: size, rhs: start })), rhs: isBefore }));
  }
  const isInside = inBuffer(rewriter, access, at, dimensions.length - 1);
  const row: Value | undefined = isInside && b(broadcast, { source: isInside }, { resultTypes });
  return both(rewriter, lanes, row) as Value<VectorType> | undefined;
};

/** The element or row of a vector at a position; an element that is the same everywhere is itself. */
const partOf = (rewriter: Rewriter, vector: Value, position: readonly number[]): Value => {
  const b = builder(rewriter);
  if (vector.type.kind !== 'vector') return vector;
  const { shape, elementType } = vector.type;
  if (shape.length === 0) return b(extractelement, { vector }, { resultTypes: [elementType] });
  return position.length === 0 ? vector : b(extract, { vector, staticPosition: position });
};

const withPart = (rewriter: Rewriter, dest: Value, source: Value, position: readonly number[]): Value => {
  const b = builder(rewriter);
  const resultTypes = [dest.type];
  if ((dest.type as VectorType).shape.length === 0)
    return b(insertelement, { source, dest: dest as Value<VectorType> }, { resultTypes });
  return position.length === 0
    ? source
    : b(insert, { source, dest, staticPosition: position }, { resultTypes });
};

/** What a read gives where it reads nothing, as a vector. */
const restOf = (rewriter: Rewriter, { data, type }: Access): Value => {
  if (data?.type.kind === 'vector') return data;
  if (data !== undefined) return builder(rewriter)(broadcast, { source: data }, { resultTypes: [type] });
  const zero = type.elementType.kind === 'float' ? 0 : 0n;
  return createConstantValue(rewriter, uniformConstant(zero, type)!, type);
};

const createReads = (rewriter: Rewriter, access: Access): Value => {
  const b = builder(rewriter);
  const { source, type } = access;
  const { shape, elementType } = type;
  const isByRow = isRow(access);
  let vector = restOf(rewriter, access);
  for (const position of positionsIn(isByRow ? shape.slice(0, -1) : shape)) {
    const indices = indicesAt(rewriter, access, position);
    const rest = partOf(rewriter, vector, position);
    if (isByRow) {
      const base = source as Value<MemRefType>;
      const mask = laneMask(rewriter, access, position, indices);
      const resultTypes = [rest.type];
      const part: Value =
        mask === undefined
          ? b(load, { base, indices }, { resultTypes })
          : b(maskedload, { base, indices, mask, pass_thru: rest as Value<VectorType> }, { resultTypes });
      vector = withPart(rewriter, vector, part, position);
      continue;
    }
    const read = (at: Rewriter): Value =>
      builder(at)(
        memref.load,
        { memref: source as Value<MemRefType>, indices },
        { resultTypes: [elementType] },
      );
    const condition = elementCondition(rewriter, access, position, indices);
    const part = condition === undefined ? read(rewriter) : choose(rewriter, condition, read, rest);
    vector = withPart(rewriter, vector, part, position);
  }
  return vector;
};

const createWrites = (rewriter: Rewriter, access: Access): void => {
  const b = builder(rewriter);
  const { source, type, data } = access;
  const base = source as Value<MemRefType>;
  const isByRow = isRow(access);
  for (const position of positionsIn(isByRow ? type.shape.slice(0, -1) : type.shape)) {
    const indices = indicesAt(rewriter, access, position);
    const value = partOf(rewriter, data!, position);
    if (isByRow) {
      const mask = laneMask(rewriter, access, position, indices);
      const row = { base, indices, valueToStore: value as Value<VectorType> };
      if (mask === undefined) b(store, row);
      else b(maskedstore, { ...row, mask });
      continue;
    }
    const write = (at: Rewriter): undefined => {
      builder(at)(memref.store, { value, memref: base, indices });
    };
    const condition = elementCondition(rewriter, access, position, indices);
    if (condition === undefined) write(rewriter);
    else choose(rewriter, condition, write);
  }
};

/** Whether to access an element; undefined for always. */
const elementCondition = (
  rewriter: Rewriter,
  access: Access,
  position: readonly number[],
  at: readonly Value[],
): Value | undefined =>
  both(
    rewriter,
    inBuffer(rewriter, access, at, access.dimensions.length),
    maskAt(rewriter, access, position),
  );

/** What `make` gives under a condition, and `otherwise` elsewhere. */
function choose(rewriter: Rewriter, condition: Value, make: (at: Rewriter) => undefined): void;
function choose(rewriter: Rewriter, condition: Value, make: (at: Rewriter) => Value, otherwise: Value): Value;
function choose(
  rewriter: Rewriter,
  condition: Value,
  make: (at: Rewriter) => Value | undefined,
  otherwise?: Value,
): Value | undefined {
  const yielding = (at: Rewriter, value: Value | undefined): void => {
    at.create(yieldOp.state({ operands: { results: value === undefined ? [] : [value] } }));
  };
  return rewriter.create(
    ifOp.state<Rewriter>({
      operands: { condition },
      resultTypes: otherwise === undefined ? [] : [otherwise.type],
      bodies: [
        { build: (at) => yielding(at, make(at)) },
        otherwise === undefined ? undefined : { build: (at) => yielding(at, otherwise) },
      ],
    }),
  ).results[0];
}
