/** The pass `cse`. */
import { success } from '@sconv/diagnostics';
import type {
  Block,
  DraftBlock,
  DraftOperation,
  DraftRegion,
  Operation,
  Registry,
  Rewriter,
} from '@sconv/ir';
import { defineOperationPass, effectsOf, isErasable, Structure } from '@sconv/ir';
import { sameOperation, summaryOf } from '../equal-operations.ts';

/** Replaces operations by equivalent ones that dominate them. */
export const cse = defineOperationPass({
  name: 'cse',
  title: 'CSE',
  summary: 'eliminate common subexpressions',
  runOn: (rewriter, operation) => {
    eliminateCommonSubexpressions(rewriter, operation);
    return success(undefined);
  },
});

/**
 * `cse` below `operation`; returns the number of erased operations.
 *
 * @deviation Upstream replaces an operation under a `vector.mask` by the same one without it.
 */
export const eliminateCommonSubexpressions = (rewriter: Rewriter, operation: DraftOperation): number =>
  new Cse(rewriter, operation).run();

/** The computed operations that dominate the current point, by key. */
class Scope {
  private readonly outer: Scope | undefined;
  private readonly known = new Map<string, DraftOperation[]>();

  constructor(outer?: Scope) {
    this.outer = outer;
  }

  add(key: string, operation: DraftOperation): void {
    const bucket = this.known.get(key);
    if (bucket === undefined) this.known.set(key, [operation]);
    else bucket.push(operation);
  }

  find(key: string, accept: (operation: DraftOperation) => boolean): DraftOperation | undefined {
    // The newest: reads are only compared with the last equivalent read.
    return this.known.get(key)?.findLast(accept) ?? this.outer?.find(key, accept);
  }
}

class Cse {
  private readonly rewriter: Rewriter;
  private readonly root: DraftOperation;
  private readonly registry: Registry;
  /** Operations without uses, to erase at the end. */
  private readonly unused: DraftOperation[] = [];
  private merged = 0;
  /** Created for the first multi-block region. */
  private structure: Structure | undefined;

  constructor(rewriter: Rewriter, root: DraftOperation) {
    this.rewriter = rewriter;
    this.root = root;
    this.registry = rewriter.registry;
  }

  run(): number {
    for (const region of this.root.regions) this.region(new Scope(), region);
    // Erase in reverse order: they may use one another.
    for (const operation of this.unused.toReversed()) this.rewriter.eraseOperation(operation);
    return this.unused.length + this.merged;
  }

  private region(scope: Scope, { blocks }: DraftRegion): void {
    const [entry, ...more] = blocks;
    if (entry === undefined) return;
    if (more.length === 0) {
      this.block(new Scope(scope), entry);
      return;
    }
    // Walks the dominator tree without recursion: chains of blocks may be long.
    const below = this.dominated(blocks);
    const pending: { block: DraftBlock; scope: Scope }[] = [{ block: entry, scope }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const inner = new Scope(next.scope);
      this.block(inner, next.block);
      for (const child of below.get(next.block) ?? []) pending.push({ block: child, scope: inner });
    }
  }

  /** The children of each block in the dominator tree. */
  private dominated(blocks: readonly DraftBlock[]): ReadonlyMap<Block, readonly DraftBlock[]> {
    this.structure ??= new Structure(this.root);
    const below = new Map<Block, DraftBlock[]>();
    for (const block of blocks) {
      const above = this.structure.immediateDominator(block);
      if (above === undefined) continue;
      const list = below.get(above) ?? [];
      below.set(above, list);
      list.push(block);
    }
    return below;
  }

  private block(scope: Scope, block: DraftBlock): void {
    for (const operation of block.operations) {
      if (operation.regions.length > 0) {
        const traits = this.rewriter.definition(operation)?.traits;
        const isApart = traits?.has('isolated-from-above') === true || traits?.has('restricts-body') === true;
        for (const region of operation.regions) this.region(isApart ? new Scope() : scope, region);
      }
      this.simplify(scope, operation);
    }
  }

  private simplify(scope: Scope, operation: DraftOperation): void {
    const { rewriter, registry } = this;
    const traits = rewriter.definition(operation)?.traits;
    if (traits === undefined || traits.has('terminator') || traits.has('symbol')) return;
    if (isErasable(registry, operation) && operation.results.every((result) => !rewriter.hasUses(result))) {
      this.unused.push(operation);
      return;
    }
    if (operation.regions.some(({ blocks }) => blocks.length > 1)) return;
    const effects = effectsOf(registry, operation);
    if (effects === undefined || effects.some(({ kind }) => kind !== 'read')) return;
    const isCommutative = traits.has('commutative');
    const key = keyOf(operation, isCommutative);
    const same = scope.find(key, (known) => sameOperation(this.registry, known, operation));
    const mayStandIn =
      same !== undefined &&
      (effects.length === 0 || (same.block === operation.block && !this.isWrittenBetween(same, operation)));
    if (!mayStandIn) {
      scope.add(key, operation);
      return;
    }
    rewriter.replaceOperation(operation, same.results);
    this.merged += 1;
  }

  /** Whether an operation between two others of a block may write. */
  private isWrittenBetween(first: DraftOperation, last: DraftOperation): boolean {
    for (let at = first.next; at !== undefined && at !== last; at = at.next) {
      const effects = effectsOf(this.registry, at);
      if (effects === undefined || effects.some(({ kind }) => kind === 'write')) return true;
    }
    return false;
  }
}

/** Equal for equivalent operations, and different for most others. */
const keyOf = ({ name, operands, attributes, regions }: Operation, isCommutative: boolean): string => {
  let key = name;
  const ids = operands.map(({ id }) => id);
  for (const id of isCommutative ? ids.toSorted((a, b) => a - b) : ids) key += ` ${id}`;
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value.kind === 'integer' || value.kind === 'float') key += ` ${attribute}=${value.value}`;
  }
  for (const { blocks } of regions) key += ` {${summaryOf(blocks)}}`;
  return key;
};
