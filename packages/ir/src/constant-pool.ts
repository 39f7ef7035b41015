/**
 * The constants of an edit, each once, at the start of the region that nothing is hoisted out of: where upstream's
 * `OperationFolder` puts them.
 */
import type { Attribute } from './attribute.ts';
import { attributeEquals } from './attribute.ts';
import { constantValueOf, materializeConstant } from './constant-like.ts';
import type { OperationState } from './define-op.ts';
import type { DraftBlock, DraftOperation } from './draft.ts';
import type { Operation, Value } from './operation.ts';
import type { Rewriter } from './rewriter.ts';
import { printType } from './type-printer.ts';
import type { Type } from './type.ts';
import { typeEquals } from './type.ts';

export class ConstantPool {
  private readonly rewriter: Rewriter;
  /** By the block at whose start they stand, then by a part of what they are. */
  private readonly byBlock = new Map<DraftBlock, Map<string, DraftOperation[]>>();
  private readonly owned = new Set<DraftOperation>();

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  /** Moves a constant to where it belongs, or replaces it by the one that is there. Does nothing to other operations. */
  adopt(operation: DraftOperation): void {
    const value = this.valueOf(operation);
    const [result] = operation.results;
    if (value === undefined || result === undefined || operation.block === undefined) return;
    const home = this.homeOf(operation.block);
    const same = this.lookup(home, operation.name, value, result.type);
    if (same === undefined) {
      this.own(home, operation, value);
      // One that stands among the first stays where it is: a block of constants keeps its order.
      const isFirst = operation.previous === undefined || this.owned.has(operation.previous);
      if (operation.block !== home || !isFirst) this.rewriter.moveBefore(operation, home.first!);
    } else if (same !== operation) {
      this.rewriter.replaceOperation(operation, same.results);
    }
  }

  /**
   * What gives the constant `value` for `operation` as a value of `type`, making it if it is not there; undefined where no op
   * can hold it.
   */
  find(operation: DraftOperation, value: Attribute, type: Type): (() => Value) | undefined {
    const state = materializeConstant(this.rewriter.registry, operation, value, type);
    if (state === undefined || operation.block === undefined) return undefined;
    const home = this.homeOf(operation.block);
    return () => {
      const known = this.lookup(home, state.name, value, type);
      return (known ?? this.create(home, state, value)).results[0]!;
    };
  }

  private create(home: DraftBlock, state: OperationState<Rewriter>, value: Attribute): DraftOperation {
    const created = this.rewriter.scoped(() => {
      this.rewriter.setInsertionPointToStart(home);
      return this.rewriter.create(state);
    });
    this.own(home, created, value);
    return created;
  }

  private own(home: DraftBlock, operation: DraftOperation, value: Attribute): void {
    const buckets = this.byBlock.get(home) ?? new Map<string, DraftOperation[]>();
    this.byBlock.set(home, buckets);
    const key = bucketOf(operation.name, value, operation.results[0]!.type);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [operation]);
    else bucket.push(operation);
    this.owned.add(operation);
  }

  /** One that a pattern has since changed, moved or erased is no longer what the pool took it for. */
  private lookup(home: DraftBlock, name: string, value: Attribute, type: Type): DraftOperation | undefined {
    return this.byBlock
      .get(home)
      ?.get(bucketOf(name, value, type))
      ?.find((operation) => {
        const held = operation.block === home ? this.valueOf(operation) : undefined;
        return (
          held !== undefined && attributeEquals(held, value) && typeEquals(operation.results[0]!.type, type)
        );
      });
  }

  private valueOf(operation: Operation): Attribute | undefined {
    return constantValueOf(this.rewriter.registry, operation);
  }

  /** The entry of the innermost region that is isolated from above, or whose op may be. */
  private homeOf(block: DraftBlock): DraftBlock {
    for (let at = block; ;) {
      const holder = at.region.operation;
      const definition = this.rewriter.definition(holder);
      const isOpen = definition !== undefined && !definition.traits.has('isolated-from-above');
      if (!isOpen || holder.block === undefined) return at.region.blocks[0]!;
      at = holder.block;
    }
  }
}

/** Equal for equal constants, and not equal for most others; cheap, for a constant may have many elements. */
const bucketOf = (name: string, value: Attribute, type: Type): string => {
  const text = value.kind === 'integer' || value.kind === 'float' ? String(value.value) : value.kind;
  return `${name} ${text} ${printType(type)}`;
};
