/** Casts of buffers. */
import { cast } from '@sconv/dialects/memref';
import type { OperationState, Rewriter, Type, Value } from '@sconv/ir';

export const memrefCastState = (source: Value, type: Type): OperationState<Rewriter> =>
  cast.state<Rewriter>({ operands: { source: source as never }, resultTypes: [type] });
