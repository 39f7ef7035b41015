/**
 * The greedy driver: erases what is unused, folds, and applies patterns until nothing is left to do, as upstream's
 * `applyPatternsAndFoldGreedily`. Constants stand once, at the start of the function.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import { constantValueOf, materializeConstant } from './constant-like.ts';
import { ConstantPool } from './constant-pool.ts';
import type { DraftOperation } from './draft.ts';
import { tryFold } from './fold.ts';
import { isErasable } from './memory-effects.ts';
import type { Id } from './operation.ts';
import type { RewriteListener, Rewriter } from './rewriter.ts';
import { Worklist } from './worklist.ts';

/** One way to rewrite an operation: a plain value, which whoever calls the driver puts into the list that it gives. */
export interface RewritePattern {
  /** kebab-case; diagnostics name it. */
  readonly name: string;
  /** The name of the operations that it is for; of any if it is left out. */
  readonly root?: string;
  /** Patterns of a higher benefit are tried first, others in the order of the list; 1 unless said. */
  readonly benefit?: number;
  /**
   * Rewrites `operation` where it matches, and changes nothing where it does not. Operations are inserted before
   * `operation`, which may be erased or replaced.
   */
  readonly rewrite: (rewriter: Rewriter, operation: DraftOperation) => void;
}

export interface GreedyOptions {
  /** Rounds over all operations at most, the last of which finds nothing to do; 10 unless said, as upstream. */
  readonly maxRounds?: number;
  /** Folds and applications of patterns at most; unless said 1000, and 100 for each operation. */
  readonly maxRewrites?: number;
  /** Done after each round, until it changes nothing either: what no pattern for one operation does, such as with blocks. */
  readonly afterRound?: (rewriter: Rewriter) => void;
  /**
   * Whether operations are taken from the first to the last at first, as is preset, or the other way round, which upstream's
   * driver has preset: what an operation holds is taken after it either way.
   */
  readonly topDown?: boolean;
  /** Which operations are looked at, where not all are: others stay as they are, constants too. */
  readonly only?: (operation: DraftOperation) => boolean;
  /** Asked before each operation, an `AbortSignal` for example. */
  readonly signal?: { readonly aborted: boolean };
}

/** What a greedy rewrite did. */
export interface GreedyResult {
  /** Whether anything is other than it was. */
  readonly changed: boolean;
}

/**
 * Rewrites what is below `roots`, not these themselves, until no operation is unused and may go, none folds and no pattern
 * applies. Every round begins with the outer operations and the first of each block, so the outcome is the same each time.
 *
 * Failures: `greedy/not-converged` (silenceable) where patterns go on and on, and `greedy/aborted` (definite).
 */
export const applyPatternsGreedily = (
  rewriter: Rewriter,
  roots: readonly DraftOperation[],
  patterns: readonly RewritePattern[],
  options: GreedyOptions = {},
): Diagnosed<GreedyResult> => {
  const driver = new GreedyDriver(rewriter, roots, patterns, options);
  return rewriter.listening(driver, () => driver.run());
};

class GreedyDriver implements RewriteListener {
  private readonly rewriter: Rewriter;
  private readonly roots: readonly DraftOperation[];
  private readonly rootIds: ReadonlySet<Id>;
  private readonly patternsFor: (name: string) => readonly RewritePattern[];
  private readonly options: GreedyOptions;
  private readonly worklist = new Worklist<DraftOperation>();
  /** What is worked on alone: the roots, or the isolated operations that they hold. */
  private readonly parts = new Set<DraftOperation>();
  /** The parts in which something is other than at the beginning of the round. */
  private readonly touched = new Set<DraftOperation>();
  private maxRewrites = Infinity;
  private rewrites = 0;
  /** What was applied in this round, and how often: when there are too many, the last ones. */
  private readonly applied = new Map<string, number>();

  constructor(
    rewriter: Rewriter,
    roots: readonly DraftOperation[],
    patterns: readonly RewritePattern[],
    options: GreedyOptions,
  ) {
    this.rewriter = rewriter;
    this.roots = roots;
    this.rootIds = new Set(roots.map(({ id }) => id));
    this.patternsFor = patternIndex(patterns);
    this.options = options;
  }

  run(): Diagnosed<GreedyResult> {
    const { maxRounds = 10, maxRewrites } = this.options;
    if (this.roots.length === 0) return success({ changed: false });
    const atFirst = this.rewriter.changeCount;
    for (let round = 0; round < maxRounds; round += 1) {
      const before = this.rewriter.changeCount;
      this.applied.clear();
      const size = this.begin();
      if (round === 0) this.maxRewrites = maxRewrites ?? 1000 + 100 * size;
      const stopped = this.work();
      if (stopped !== undefined) return stopped;
      this.options.afterRound?.(this.rewriter);
      if (this.rewriter.changeCount === before) return success({ changed: before !== atFirst });
    }
    return this.notConverged(`${maxRounds} rounds`);
  }

  // --- As a listener ---------------------------------------------------------------------------------------------

  readonly inserted = (operation: DraftOperation): void => this.touch(operation);

  readonly changed = (operation: DraftOperation): void => this.touch(operation);

  /** What computed the operands may be unused now, or have fewer uses, which some patterns look for. */
  readonly erasing = (operation: DraftOperation): void => {
    this.worklist.remove(operation);
    this.parts.delete(operation);
    const part = this.partOf(operation);
    if (part !== undefined) this.touched.add(part);
    for (const operand of operation.operands) {
      const source = this.rewriter.definingOperation(operand);
      if (source !== undefined) this.touch(source);
    }
  };

  // --- Inside ----------------------------------------------------------------------------------------------------

  /**
   * Puts the operations on the list, constants where they belong; how many there are. After the first round these are the
   * ones of parts that changed: nothing that is isolated has another effect on what is outside.
   */
  private begin(): number {
    const isFirst = this.parts.size === 0;
    if (isFirst) for (const part of this.roots.flatMap((root) => this.partsOf(root))) this.parts.add(part);
    // What a pattern changed may be outside of all of them.
    const parts = isFirst || this.touched.size === 0 ? this.parts : new Set(this.touched);
    this.touched.clear();
    const operations: DraftOperation[] = [];
    for (const part of parts)
      for (const each of this.isTopDown ? this.rewriter.walk(part) : innerFirst(part)) operations.push(each);
    const all = this.roots.length === 1 ? operations : [...new Set(operations)];
    if (this.options.only === undefined) {
      const pool = new ConstantPool(this.rewriter);
      for (const operation of all) pool.adopt(operation);
    }
    // The list is a stack.
    this.worklist.clear();
    for (const operation of this.isTopDown ? all.toReversed() : all) this.add(operation);
    return all.length + this.roots.filter((root) => !this.parts.has(root)).length;
  }

  private get isTopDown(): boolean {
    return this.options.topDown ?? true;
  }

  /** The isolated operations in a root that holds nothing else, or the root. */
  private partsOf(root: DraftOperation): readonly DraftOperation[] {
    const inside = root.regions.flatMap(({ blocks }) => blocks.flatMap(({ operations }) => operations));
    const areIsolated = inside.every(
      (child) => this.rewriter.definition(child)?.traits.has('isolated-from-above') === true,
    );
    return areIsolated && inside.length > 0 ? inside : [root];
  }

  private add(operation: DraftOperation): void {
    if (this.options.only?.(operation) === false || operation.block === undefined) return;
    if (!this.rootIds.has(operation.id) || this.partOf(operation) !== operation)
      this.worklist.push(operation);
  }

  /** Notes that an operation is other than it was, if it is among those that are to be rewritten. */
  private touch(operation: DraftOperation): void {
    const part = this.partOf(operation);
    if (part === undefined) return;
    this.touched.add(part);
    if (!this.rootIds.has(operation.id) && this.options.only?.(operation) !== false)
      this.worklist.push(operation);
  }

  /** The part that an operation is in; undefined for one that is not there, or not to be rewritten. */
  private partOf(operation: DraftOperation): DraftOperation | undefined {
    for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent) {
      if (this.parts.has(at)) return at;
      const { parent } = at;
      if (parent !== undefined && this.rootIds.has(parent.id) && !this.parts.has(parent)) {
        // It came to stand beside the others.
        this.parts.add(at);
        return at;
      }
    }
    return undefined;
  }

  /** Works off the list; a failure if that had to be ended. */
  private work(): Diagnosed<GreedyResult> | undefined {
    for (let next = this.worklist.pop(); next !== undefined; next = this.worklist.pop()) {
      if (this.options.signal?.aborted === true)
        return definite(error('greedy/aborted', 'rewriting was aborted', next.location));
      if (this.eraseUnused(next)) continue;
      const name = this.fold(next) ? `fold of ${next.name}` : this.applyPattern(next);
      if (name === undefined) continue;
      this.applied.set(name, (this.applied.get(name) ?? 0) + 1);
      this.rewrites += 1;
      if (this.rewrites > this.maxRewrites) return this.notConverged(`${this.maxRewrites} rewrites`);
    }
    return undefined;
  }

  private eraseUnused(operation: DraftOperation): boolean {
    const { rewriter } = this;
    for (const result of operation.results) if (rewriter.hasUses(result)) return false;
    if (!isErasable(rewriter.registry, operation)) return false;
    rewriter.eraseOperation(operation);
    return true;
  }

  private fold(operation: DraftOperation): boolean {
    const { rewriter } = this;
    const definition = rewriter.definition(operation);
    if (definition === undefined || (definition.fold === undefined && !definition.traits.has('commutative')))
      return false;
    // A constant would be folded to an attribute, and that made a constant, again and again.
    if (constantValueOf(rewriter.registry, operation) !== undefined) return false;
    const folded = tryFold(rewriter, operation);
    if (folded === undefined) return false;
    if (folded.kind === 'in-place') {
      if (folded.operands !== undefined) rewriter.setOperands(operation, folded.operands);
      if (folded.attributes !== undefined) rewriter.setAttributes(operation, folded.attributes);
      return true;
    }
    // Nothing is made before it is known that all can be.
    const made = folded.results.flatMap((result, i) =>
      'id' in result
        ? result
        : (materializeConstant(rewriter.registry, operation, result, operation.results[i]!.type) ?? []),
    );
    if (made.length < operation.results.length) return false;
    rewriter.replaceOperation(
      operation,
      this.insertingBefore(operation, () =>
        made.map((each) => ('id' in each ? each : rewriter.createValue(each))),
      ),
    );
    return true;
  }

  /** The name of the first pattern that applies. */
  private applyPattern(operation: DraftOperation): string | undefined {
    const { rewriter } = this;
    const patterns = this.patternsFor(operation.name);
    if (patterns.length === 0) return undefined;
    const before = rewriter.changeCount;
    // A pattern that does not match leaves the insertion point, too, as it was.
    return this.insertingBefore(operation, () => {
      for (const { name, rewrite } of patterns) {
        rewrite(rewriter, operation);
        if (rewriter.changeCount !== before) return name;
      }
      return undefined;
    });
  }

  private insertingBefore<T>(operation: DraftOperation, make: () => T): T {
    return this.rewriter.scoped(() => {
      this.rewriter.setInsertionPointBefore(operation);
      return make();
    });
  }

  private notConverged(bound: string): Diagnosed<GreedyResult> {
    const names = [...this.applied]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([name, count]) => `${name} (${count})`);
    const message = `${bound} are not enough to converge; rewrites of the last round: ${names.join(', ')}`;
    return silenceable(error('greedy/not-converged', message, this.roots[0]!.location));
  }
}

/** What is in an operation and then the operation, in order. */
const innerFirst = (operation: DraftOperation): readonly DraftOperation[] => [
  ...operation.regions.flatMap(({ blocks }) =>
    blocks.flatMap(({ operations }) => operations.flatMap((inner) => innerFirst(inner))),
  ),
  operation,
];

/** The patterns for operations of a name, those of the highest benefit first. */
const patternIndex = (patterns: readonly RewritePattern[]): ((name: string) => readonly RewritePattern[]) => {
  const sorted = [...patterns].sort((a, b) => (b.benefit ?? 1) - (a.benefit ?? 1));
  const byName = new Map<string, readonly RewritePattern[]>();
  return (name) => {
    const known = byName.get(name) ?? sorted.filter(({ root }) => root === undefined || root === name);
    byName.set(name, known);
    return known;
  };
};
