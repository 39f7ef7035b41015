/** The pass `buffer-hoisting`: hoists allocations out of branches, as far as their sizes allow, never out of loops. */
import { success } from '@sconv/diagnostics';
import { bufferFlow, isFreed, loopLike } from '@sconv/dialects';
import { alloc } from '@sconv/dialects/memref';
import type { Block, DraftBlock, DraftOperation, Rewriter } from '@sconv/ir';
import { ancestorInBlock, defineOperationPass, modelOf, Structure } from '@sconv/ir';
import { blockOf, blocksAround } from './enclosing-blocks.ts';

/** Ops whose regions are conditional branches of the enclosing code. */
const branches: ReadonlySet<string> = new Set([
  'affine.if',
  'memref.alloca_scope',
  'scf.execute_region',
  'scf.if',
  'scf.index_switch',
]);

class Placement {
  private readonly rewriter: Rewriter;
  private readonly structure: Structure;

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
    this.structure = new Structure(rewriter.root);
  }

  /** Whether `a` properly dominates `b`. */
  private properlyDominates(a: DraftBlock, b: DraftBlock): boolean {
    if (a === b) return false;
    const inside = blocksAround(b).find(({ region }) => region === a.region);
    return inside !== undefined && (a === inside || this.structure.dominates(a, inside));
  }

  /** The innermost common dominator of `a` and `b`. */
  private common(a: DraftBlock, b: DraftBlock): DraftBlock {
    const around = blocksAround(b);
    for (const first of blocksAround(a)) {
      const second = around.find(({ region }) => region === first.region);
      if (second === undefined) continue;
      let at: Block = first;
      while (!this.structure.dominates(at, second)) {
        const above = this.structure.immediateDominator(at);
        if (above === undefined) break;
        at = above;
      }
      const { id } = at;
      return first.region.blocks.find((block) => block.id === id) ?? first;
    }
    return a;
  }

  /** The block that a buffer is hoisted to. */
  blockFor(operation: DraftOperation): DraftBlock {
    const { rewriter } = this;
    const buffer = operation.results[0]!;
    const own = blockOf(rewriter, buffer);
    // 1. Encloses all uses, and is dominated by the definitions of its sizes.
    let bound = own;
    for (const value of bufferFlow(rewriter, buffer).values) {
      bound = this.common(bound, blockOf(rewriter, value));
      for (const { block } of rewriter.users(value))
        if (block !== undefined) bound = this.common(bound, block);
    }
    for (const block of operation.operands.map((size) => blockOf(rewriter, size)))
      if (this.properlyDominates(bound, block)) bound = block;
    // 2. As close to that as branches and dominance allow.
    let at = own;
    while (this.properlyDominates(bound, at)) {
      const around = at.region.operation;
      const above = this.structure.immediateDominator(at) as DraftBlock | undefined;
      if (above !== undefined) at = above;
      else if (around.block !== undefined && this.isBranch(around)) at = around.block;
      else break;
    }
    return at;
  }

  private isBranch(operation: DraftOperation): boolean {
    return branches.has(operation.name) && modelOf(this.rewriter.registry, loopLike, operation) === undefined;
  }
}

/**
 * Hoists allocations out of branches, to blocks that enclose all uses.
 *
 * @deviation Upstream also hoists what is freed, which then no path through the other branches frees.
 */
export const hoistAllocationsOutOfBranches = (rewriter: Rewriter, root: DraftOperation): void => {
  const allocations = rewriter.walk(root).filter((operation) => alloc.is(operation));
  for (const operation of allocations) {
    if (isFreed(rewriter, bufferFlow(rewriter, operation.results[0]!))) continue;
    const block = new Placement(rewriter).blockFor(operation);
    if (block === operation.block) continue;
    const before = ancestorInBlock(block, operation) ?? block.last;
    if (before !== undefined) rewriter.moveBefore(operation, before);
  }
};

export const bufferHoistingPass = defineOperationPass({
  name: 'buffer-hoisting',
  title: 'BufferHoisting',
  summary: 'hoist allocations out of branches, to blocks that enclose all uses',
  runOn: (rewriter, operation) => {
    hoistAllocationsOutOfBranches(rewriter, operation);
    return success(undefined);
  },
});
