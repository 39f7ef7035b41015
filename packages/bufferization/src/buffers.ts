/** Buffer creation: allocations, copies, casts. Everything is created at the insertion point. */
import { createIndex } from '@sconv/dialects';
import { alloc, cast, copy, dim, stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, typeEquals } from '@sconv/ir';
import { dynamicBuffer, identityBuffer } from './options.ts';

/** The type of an already bufferized value; throws if it is still a tensor. */
export const bufferType = (value: Value): MemRefType => {
  if (value.type.kind !== 'memref') throw new Error(`expected a buffer, found a ${value.type.kind}`);
  return value.type;
};

/** The sizes of the dynamic dimensions of a buffer. */
export const dynamicSizesOf = (rewriter: Rewriter, buffer: Value): readonly Value[] =>
  bufferType(buffer).shape.flatMap((size, i) =>
    size === DYNAMIC
      ? [rewriter.createValue(dim.state({ operands: { source: buffer, index: createIndex(rewriter, i) } }))]
      : [],
  );

/** A new buffer; `alignment` in bytes, 0 for none. */
export const allocate = (
  rewriter: Rewriter,
  type: MemRefType,
  dynamicSizes: readonly Value[],
  alignment: number,
): Value =>
  rewriter.createValue(
    alloc.state({
      operands: { dynamicSizes },
      attributes: alignment === 0 ? {} : { alignment },
      resultTypes: [type],
    }),
  );

/** A new contiguous buffer with the sizes of another. */
export const allocateLike = (rewriter: Rewriter, buffer: Value, alignment: number): Value =>
  allocate(rewriter, identityBuffer(bufferType(buffer)), dynamicSizesOf(rewriter, buffer), alignment);

/** A new contiguous copy of a buffer. */
export const allocateCopy = (rewriter: Rewriter, buffer: Value, alignment: number): Value => {
  const target = allocateLike(rewriter, buffer, alignment);
  createCopy(rewriter, buffer, target);
  return target;
};

export const createCopy = (rewriter: Rewriter, source: Value, target: Value): void => {
  rewriter.create(copy.state({ operands: { source, target } }));
};

/** Casts a buffer to another type; a cast back folds to the original buffer. */
export const createCast = (rewriter: Rewriter, source: Value, type: MemRefType): Value => {
  if (typeEquals(source.type, type)) return source;
  const definition = rewriter.definingOperation(source);
  const before = definition !== undefined && cast.is(definition) ? definition.operands[0] : undefined;
  return before !== undefined && typeEquals(before.type, type)
    ? before
    : rewriter.createValue(cast.state({ operands: { source }, resultTypes: [type] }));
};

/** Whether a cast from `from` to `to` can never fail at run time. */
export const isMoreGeneral = (to: MemRefType, from: MemRefType): boolean => {
  const [a, b] = [stridedLayoutOf(to), stridedLayoutOf(from)];
  if (a === undefined || b === undefined || to.shape.length !== from.shape.length) return false;
  const covers = (general: number, special: number): boolean => general === DYNAMIC || general === special;
  return (
    to.shape.every((size, i) => covers(size, from.shape[i]!)) &&
    covers(a.offset, b.offset) &&
    a.strides.every((stride, i) => covers(stride, b.strides[i]!))
  );
};

/** A type that buffers of both types can be cast to. */
export const commonType = (a: MemRefType, b: MemRefType): MemRefType => {
  if (isMoreGeneral(a, b)) return a;
  return isMoreGeneral(b, a) ? b : dynamicBuffer(a);
};
