/** Where data layouts are propagated. */
import type { DraftOperation, Rewriter } from '@sconv/ir';

/** A place where a packing may move: operand `operand` of `consumer`, a result of `producer`. */
export interface PropagationPlace {
  readonly rewriter: Rewriter;
  readonly producer: DraftOperation;
  readonly consumer: DraftOperation;
  readonly operand: number;
}

/** Whether a packing or unpacking moves from one side of `consumer` or `producer` to the other. */
export type PropagationControl = (place: PropagationPlace) => boolean;
