/** Casts where types differ. */
import type { OperationState, Rewriter, Type, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';

/** `value` cast to `type` by the op that `cast` makes, unless it already has it. */
export const castTo = (
  rewriter: Rewriter,
  value: Value,
  type: Type,
  cast: (value: Value, type: Type) => OperationState<Rewriter>,
): Value => (typeEquals(value.type, type) ? value : rewriter.createValue(cast(value, type)));
