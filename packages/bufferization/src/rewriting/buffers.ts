/** Types and casts of buffers. Everything is created at the insertion point. */
import { cast, stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType, Rewriter, Type, Value } from '@sconv/ir';
import { DYNAMIC, typeEquals } from '@sconv/ir';
import { dynamicBuffer } from '../options.ts';

/** Casts a buffer to another type; a cast back folds to the original buffer. */
export const createCast = (rewriter: Rewriter, source: Value, type: Type): Value => {
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
  return isMoreGeneral(b, a) ? b : dynamicBuffer(a, a.memorySpace);
};

/** Whether a cast from `from` to `to`, of one rank, is valid and its layout cannot be another at run time. */
export const isCastSafe = (from: MemRefType, to: MemRefType): boolean => {
  const [a, b] = [stridedLayoutOf(from), stridedLayoutOf(to)];
  if (a === undefined || b === undefined) return false;
  const spaces = [from, to].map(({ memorySpace }) => ({ ...from, memorySpace }) as MemRefType);
  if (!typeEquals(spaces[0]!, spaces[1]!)) return false;
  const isKnown = (size: number): boolean => size !== DYNAMIC;
  return (
    from.shape.every((size, i) => !isKnown(size) || !isKnown(to.shape[i]!) || size === to.shape[i]) &&
    [a.offset, ...a.strides].every((stride, i) => {
      const other = i === 0 ? b.offset : b.strides[i - 1]!;
      return !isKnown(other) || stride === other;
    })
  );
};
