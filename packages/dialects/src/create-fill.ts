/** Creates fills of tensors. */
import type { Location } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { fill } from './linalg-elementwise.ts';

/** A `linalg.fill` of a tensor with a value. */
export const createFill = (
  rewriter: Rewriter,
  value: Value,
  output: Value<TensorType>,
  location: Location,
): DraftOperation => {
  const state = fill.state<Rewriter>({ operands: { inputs: [value], outputs: [output] }, location });
  const defaults = fill.defaults?.(state.operands, state.attributes);
  return rewriter.create({
    ...state,
    attributes: { ...defaults?.attributes, ...state.attributes },
    bodies: defaults?.bodies ?? [],
  });
};
