/** Structured operations: SIMD if the lanes are regular, otherwise a scalar loop nest. */
import type { StructuredView } from '@sconv/dialects/linalg';
import type { Operation } from '@sconv/ir';
import { lowerBlockedSum } from './blocked-sums.ts';
import { lowerLoopNest, scalarMode } from './loop-nest-op.ts';
import type { Lowering } from './lowering.ts';
import { unsupported } from './lowering.ts';
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
