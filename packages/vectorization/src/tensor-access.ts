/**
 * Classifies a `tensor.extract` in the body of a structured op, as upstream's `getTensorExtractMemoryAccessPattern`.
 * When in doubt it is a gather.
 */
import { addi } from '@sconv/dialects/arith';
import { index as indexOp } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { constantValueOf, DYNAMIC } from '@sconv/ir';

/** One element for all iterations, contiguous elements along the last dimension, or a gather. */
export type TensorAccess = 'broadcast' | 'contiguous' | 'gather';

export const accessOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loopRanges: readonly number[],
  body: DraftBlock,
): TensorAccess => {
  const { tensor, indices } = extract.operands(operation);
  const { shape } = tensor.type;
  if (shape.length === 0) return 'broadcast';
  const isLine = loopRanges.filter((size) => size > 1).length === 1 && loopRanges.at(-1) !== 1;
  if (loopRanges.includes(DYNAMIC) || !isLine || shape.at(-1) === 1) return 'gather';
  const last = loopRanges.length - 1;
  const walk: Walk = { rewriter, body, last };
  const isFixed = indices.slice(0, -1).every((index, i) => shape[i] === 1 || isInvariant(walk, index));
  if (!isFixed) return 'gather';
  const trailing = indices.at(-1)!;
  if (isInvariant(walk, trailing)) return 'broadcast';
  return counts(walk, trailing) === 'counts' ? 'contiguous' : 'gather';
};

interface Walk {
  readonly rewriter: Rewriter;
  readonly body: DraftBlock;
  /** The only dimension along which indices vary. */
  readonly last: number;
}

/** The definition of a value in the body; undefined for a value from outside. */
const ownDefinition = ({ rewriter, body }: Walk, value: Value): DraftOperation | undefined => {
  const definition = rewriter.definingOperation(value);
  return definition?.block === body ? definition : undefined;
};

/** Whether a value is invariant across iterations. */
const isInvariant = (walk: Walk, value: Value): boolean => {
  const definition = ownDefinition(walk, value);
  if (definition === undefined) return walk.rewriter.owningBlock(value) !== walk.body;
  if (indexOp.is(definition)) return indexOp.attributes(definition).dim !== walk.last;
  return definition.operands.every((operand) => isInvariant(walk, operand));
};

/**
 * Whether a value `counts` up by one along the last dimension, or is invariant along it.
 *
 * @deviation Upstream also accepts a sum of two counting values as counting by one.
 */
const counts = (walk: Walk, value: Value): 'counts' | 'same' | undefined => {
  if (isInvariant(walk, value)) return 'same';
  const definition = ownDefinition(walk, value);
  if (definition === undefined) return undefined;
  if (indexOp.is(definition)) return 'counts';
  if (constantValueOf(walk.rewriter.registry, definition) !== undefined) return 'same';
  if (!addi.is(definition)) return undefined;
  const [lhs, rhs] = definition.operands.map((operand) => counts(walk, operand));
  if (lhs === 'counts') return rhs === 'same' ? 'counts' : undefined;
  return lhs === 'same' ? rhs : undefined;
};
