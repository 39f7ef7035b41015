/** The loops of a plan as they are generated: level by level, with the packings between them. */
import type { LoopNode, PackedOperand, PackNode, Plan } from '@sconv/plans';
import { tileDimension } from '@sconv/plans';

/** A node on the way to a leaf, of a plan over dimensions of either family. */
export type Step = LoopNode<string> | PackNode<string>;

/** Perfectly nested loops over distinct dimensions, none of them groups: what one `tile_using_for` makes. */
export type TileLevel = readonly LoopNode<string>[];

/** The outermost loops of a plan, and what they stand around. */
export interface Descent {
  /** Outermost first; none in front of a split, a microkernel and scalar code. */
  readonly level: TileLevel;
  /** These loops, and the packings around and between them. */
  readonly steps: readonly Step[];
  readonly rest: Plan<string>;
}

/**
 * Descends as far as loops are over distinct dimensions. A loop over the only group is none. Several tiles are packed
 * outside of the loops that come after: those are of another level, which slices what the packing reads.
 */
export const descend = (plan: Plan<string>): Descent => {
  const level: TileLevel[number][] = [];
  const steps: Step[] = [];
  let at = plan;
  while (at.kind === 'loop' || at.kind === 'pack') {
    if (at.kind === 'loop') {
      const { dimension } = at;
      if (level.some((each) => each.dimension === dimension)) break;
      if (dimension !== 'group') level.push(at);
    } else if (level.length > 0 && packsSeveral(at)) break;
    steps.push(at);
    at = at.body;
  }
  return { level, steps, rest: at };
};

/** Whether the loop over the tiles of an operand stands inside of their packing. */
const packsSeveral = ({ operand, body }: PackNode<string>): boolean => {
  let at = body;
  while (at.kind === 'loop' || at.kind === 'pack') {
    if (at.kind === 'loop' && at.dimension === tileDimension[operand]) return true;
    at = at.body;
  }
  return false;
};

/** Whether several tiles of an operand are packed at once, for a loop inside of the packing. */
export const isMultipacked = (steps: readonly Step[], operand: PackedOperand): boolean => {
  const packing = steps.findIndex((step) => step.kind === 'pack' && step.operand === operand);
  return steps.some(
    (step, i) =>
      packing >= 0 && i > packing && step.kind === 'loop' && step.dimension === tileDimension[operand],
  );
};

/** The operands that a kernel reads packed, and in place. */
export const isPacked = (steps: readonly Step[], operand: PackedOperand): boolean =>
  steps.some((step) => step.kind === 'pack' && step.operand === operand);
