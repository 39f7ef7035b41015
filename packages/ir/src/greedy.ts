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
  /** Whether operations are taken from the first to the last at first, as is preset, or the other way round. */
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

  readonly inserted = (operation: DraftOperation): void => this.add(operation);

  readonly changed = (operation: DraftOperation): void => this.add(operation);

  /** What computed the operands may be unused now, or have fewer uses, which some patterns look for. */
  readonly erasing = (operation: DraftOperation): void => {
    this.worklist.remove(operation);
    for (const operand of operation.operands) {
      const source = this.rewriter.definingOperation(operand);
      if (source !== undefined) this.add(source);
    }
  };

  // --- Inside ----------------------------------------------------------------------------------------------------

  /** Puts all operations on the list, constants where they belong; how many there are. */
  private begin(): number {
    const all = new Set(this.roots.flatMap((root) => this.rewriter.walk(root)));
    if (this.options.only === undefined) {
      const pool = new ConstantPool(this.rewriter);
      for (const operation of all) pool.adopt(operation);
    }
    // The list is a stack.
    this.worklist.clear();
    const order = [...all];
    for (const operation of this.options.topDown === false ? order : order.reverse()) this.add(operation);
    return all.size;
  }

  private add(operation: DraftOperation): void {
    if (this.options.only?.(operation) === false) return;
    if (this.isBelowRoot(operation)) this.worklist.push(operation);
  }

  /** Whether an operation is there, and among those that are to be rewritten. */
  private isBelowRoot(operation: DraftOperation): boolean {
    for (let at = operation.parent; at !== undefined; at = at.parent) {
      if (this.rootIds.has(at.id)) return true;
    }
    return false;
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
    if (operation.results.some((result) => rewriter.hasUses(result))) return false;
    if (!isErasable(rewriter.registry, operation)) return false;
    rewriter.eraseOperation(operation);
    return true;
  }

  private fold(operation: DraftOperation): boolean {
    const { rewriter } = this;
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
    for (const { name, rewrite } of this.patternsFor(operation.name)) {
      const before = rewriter.changeCount;
      this.insertingBefore(operation, () => rewrite(rewriter, operation));
      if (rewriter.changeCount !== before) return name;
    }
    return undefined;
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
