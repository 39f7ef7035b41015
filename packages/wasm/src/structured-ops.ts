/** Structured operations: SIMD if the lanes are regular, otherwise a scalar loop nest. */
import { constant } from '@sconv/affine';
import type { StructuredView } from '@sconv/dialects/linalg';
import type { Operation } from '@sconv/ir';
import { lowerBlockedSum } from './blocked-sums.ts';
import type { Expr } from './instructions.ts';
import { i32, memoryCopy } from './instructions.ts';
import { lowerLoopNest, scalarMode } from './loop-nest-op.ts';
import type { NestLoop } from './loops.ts';
import { emitNest } from './loops.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset, isContiguous, unsupported } from './lowering.ts';
import { bindBodyIndices, readStructuredOp } from './structured-op.ts';
import { lowerVectorized } from './vectorize.ts';

/** The lowering of structured operations on buffers, given their view. */
export const structuredLowering =
  (view: StructuredView) =>
  (state: Lowering, operation: Operation): void => {
    const op = readStructuredOp(state, operation, view);
    if (op.outputs.some(({ value }) => value.kind !== 'buffer')) {
      return unsupported(operation, 'an output that is no buffer');
    }
    bindBodyIndices(state, op);
    if (op.extents.some((extent) => extent.kind === 'constant' && extent.value <= 0)) return;
    if (lowerBlockedSum(state, op) || lowerVectorized(state, op)) return;
    lowerLoopNest(state, op, scalarMode(state, op));
  };

/** Copies all elements; the buffers have the same shape. */
export const copyBuffer = (state: Lowering, source: Buffer, target: Buffer): void => {
  const { f, indices } = state;
  if (isContiguous(source) && isContiguous(target)) {
    const origin = source.sizes.map(() => constant(0));
    const [from, to] = [source, target].map((buffer) =>
      i32.add(buffer.base, indices.emit(elementOffset(buffer, origin))),
    ) as [Expr<'i32'>, Expr<'i32'>];
    const count = source.sizes.reduce((product, size) => product.mul(size), constant(source.storage.bytes));
    f.statement(memoryCopy(to, from, indices.emit(count)));
    return;
  }
  const loops = source.sizes.map((extent): NestLoop => {
    const count = constantOf(extent) ?? 2 ** 31;
    return { variable: indices.of(f.local('i32'), 0, count), extent };
  });
  const at = loops.map(({ variable }) => variable.expr);
  emitNest(f, indices, {
    loops,
    accesses: [source, target].map((buffer) => ({ base: buffer.base, offset: elementOffset(buffer, at) })),
    body: ([from, to]) => {
      f.statement(target.storage.store(f.get(to!), source.storage.load(f.get(from!))));
    },
  });
};
