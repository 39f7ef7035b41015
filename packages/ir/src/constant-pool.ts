/**
 * The constants of a function, each once, at the start of the region that nothing is hoisted out of: where upstream's
 * `OperationFolder` puts them.
 */
import type { Attribute } from './attribute.ts';
import { attributeEquals } from './attribute.ts';
import { constantValueOf } from './constant-like.ts';
import type { DraftBlock, DraftOperation } from './draft.ts';
import type { Rewriter } from './rewriter.ts';
import { printType } from './type-printer.ts';
import type { Type } from './type.ts';
import { typeEquals } from './type.ts';

export class ConstantPool {
  private readonly rewriter: Rewriter;
  /** By the block at whose start they stand, then by a part of what they are. */
  private readonly byBlock = new Map<DraftBlock, Map<string, DraftOperation[]>>();
  private readonly adopted = new Set<DraftOperation>();

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  /**
   * Moves a constant to where it belongs, or replaces it by the one that is there. Nothing else may change the constants
   * between the first and the last that the pool is given; other operations are left alone.
   */
  adopt(operation: DraftOperation): void {
    // Constants have no operands: most operations need not be asked.
    if (operation.operands.length > 0) return;
    const value = constantValueOf(this.rewriter.registry, operation);
    const [result] = operation.results;
    if (value === undefined || result === undefined || operation.block === undefined) return;
    const home = this.homeOf(operation.block);
    const bucket = this.bucketFor(home, operation.name, value, result.type);
    const same = bucket.find((known) => this.isSame(known, value, result.type));
    if (same !== undefined) {
      this.rewriter.replaceOperation(operation, same.results);
      return;
    }
    // One that stands among the first stays where it is: a block of constants keeps its order.
    const isFirst = operation.previous === undefined || this.adopted.has(operation.previous);
    if (operation.block !== home || !isFirst) this.rewriter.moveBefore(operation, home.first!);
    bucket.push(operation);
    this.adopted.add(operation);
  }

  private isSame(known: DraftOperation, value: Attribute, type: Type): boolean {
    const held = constantValueOf(this.rewriter.registry, known);
    return held !== undefined && attributeEquals(held, value) && typeEquals(known.results[0]!.type, type);
  }

  private bucketFor(home: DraftBlock, name: string, value: Attribute, type: Type): DraftOperation[] {
    const buckets = this.byBlock.get(home) ?? new Map<string, DraftOperation[]>();
    this.byBlock.set(home, buckets);
    const key = keyOf(name, value, type);
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    return bucket;
  }

  /** The entry of the innermost region that is isolated from above, or whose op may be. */
  private homeOf(block: DraftBlock): DraftBlock {
    let home = block.region;
    for (;;) {
      const holder = home.operation;
      const traits = this.rewriter.definition(holder)?.traits;
      const isOpen = traits !== undefined && !traits.has('isolated-from-above');
      if (!isOpen || holder.block === undefined) return home.blocks[0]!;
      home = holder.block.region;
    }
  }
}

/** Equal for equal constants, and not equal for most others; cheap, for a constant may have many elements. */
const keyOf = (name: string, value: Attribute, type: Type): string => {
  const text = value.kind === 'integer' || value.kind === 'float' ? String(value.value) : value.kind;
  return `${name} ${text} ${printType(type)}`;
};
