/** Allocations that move to the stack (upstream's `allocToAlloca`). */
import { alloc, alloca, dealloc } from '@sconv/dialects/memref';
import type { RewritePattern, Type } from '@sconv/ir';
import { elementCount, floatWidth, isStaticShape } from '@sconv/ir';
import { isSame, onOp } from '../match.ts';

/** The bytes of an element in memory; undefined for other types. */
const bytesOf = (type: Type): number | undefined => {
  switch (type.kind) {
    case 'index':
      return 8;
    case 'integer':
      return Math.ceil(type.width / 8);
    case 'float':
      return Math.ceil(floatWidth(type.name) / 8);
    case 'vector': {
      const bytes = type.scalable.includes(true) ? undefined : bytesOf(type.elementType);
      return bytes === undefined ? undefined : bytes * elementCount(type.shape);
    }
    default:
      return undefined;
  }
};

/**
 * Buffers of less than `limit` bytes that their own block frees move to the stack.
 *
 * @deviation As upstream, an alignment is dropped; unlike there, not a layout of symbols.
 */
export const stackPatterns = (limit: number): readonly RewritePattern[] => [
  onOp(alloc, 'stack-allocation', (rewriter, operation) => {
    const [buffer] = operation.results;
    if (buffer?.type.kind !== 'memref' || !isStaticShape(buffer.type) || operation.operands.length > 0)
      return;
    const bytes = bytesOf(buffer.type.elementType);
    if (bytes === undefined || bytes * elementCount(buffer.type.shape) >= limit) return;
    const end = rewriter
      .users(buffer)
      .find((user) => dealloc.is(user) && user.block === operation.block && isSame(user.operands[0], buffer));
    if (end === undefined) return;
    rewriter.eraseOperation(end);
    rewriter.replaceWith(
      operation,
      alloca.state({ operands: { dynamicSizes: [], symbolOperands: [] }, resultTypes: [buffer.type] }),
    );
  }),
];
