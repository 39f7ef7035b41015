/**
 * Deduplicates constants at the start of the innermost region that nothing is hoisted out of: where upstream's
 * `OperationFolder` puts them.
 */
import type { Attribute } from './attribute.ts';
import { attributeEquals } from './attribute.ts';
import type { DraftBlock, DraftOperation } from './draft.ts';
import type { Rewriter } from './rewriter.ts';
import { typeEquals } from './type.ts';

/** A cheap hash key for constants. */
type Key = string | number | bigint;

export class ConstantPool {
  private readonly rewriter: Rewriter;
  /** By the block that they are at the start of, then by key. */
  private readonly byBlock = new Map<DraftBlock, Map<Key, DraftOperation[]>>();
  private readonly adopted = new Set<DraftOperation>();

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  /**
   * Moves a constant to its home block, or replaces it by an equal one there. Between the first and the last constant
   * passed to the pool, nothing else may change constants; other operations are left alone.
   */
  adopt(operation: DraftOperation): void {
    const value = operation.facts.constant?.value(operation);
    const result = operation.results[0];
    if (value === undefined || result === undefined || operation.block === undefined) return;
    const home = homeOf(operation.block);
    const bucket = this.bucketFor(home, keyOf(value));
    const same = bucket.find((known) => isSame(known, operation, value));
    if (same !== undefined) {
      this.rewriter.replaceOperation(operation, same.results);
      return;
    }
    // A constant among the leading ones stays in place, which keeps their order.
    const isFirst = operation.previous === undefined || this.adopted.has(operation.previous);
    if (operation.block !== home || !isFirst) this.rewriter.moveBefore(operation, home.first!);
    bucket.push(operation);
    this.adopted.add(operation);
  }

  private bucketFor(home: DraftBlock, key: Key): DraftOperation[] {
    let buckets = this.byBlock.get(home);
    if (buckets === undefined) this.byBlock.set(home, (buckets = new Map<Key, DraftOperation[]>()));
    let bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, (bucket = []));
    return bucket;
  }
}

const isSame = (known: DraftOperation, { name, results }: DraftOperation, value: Attribute): boolean => {
  const held = known.name === name ? known.facts.constant?.value(known) : undefined;
  return (
    held !== undefined && attributeEquals(held, value) && typeEquals(known.results[0]!.type, results[0]!.type)
  );
};

/** The entry block of the innermost region that is, or may be, isolated from above. */
const homeOf = (block: DraftBlock): DraftBlock => {
  let home = block.region;
  for (;;) {
    const holder = home.operation;
    const { definition, isIsolated } = holder.facts;
    if (definition === undefined || isIsolated || holder.block === undefined) return home.blocks[0]!;
    home = holder.block.region;
  }
};

/** Equal for equal constants, and different for most others; cheap, since a constant may have many elements. */
const keyOf = (value: Attribute): Key =>
  value.kind === 'integer' || value.kind === 'float' ? value.value : value.kind;
