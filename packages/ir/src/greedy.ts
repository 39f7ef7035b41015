/**
 * The greedy driver: erases what is unused, folds, and applies patterns until nothing is left to do, as upstream's
 * `applyPatternsAndFoldGreedily`. Constants stand once, at the start of the function.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import { materializeConstant } from './constant-like.ts';
import { ConstantPool } from './constant-pool.ts';
import type { DraftOperation } from './draft.ts';
import { tryFold } from './fold.ts';
import { hasErasableEffects } from './memory-effects.ts';
import type { Id, Value } from './operation.ts';
import type { OperationState } from './define-op.ts';
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
  /** Rounds over an operation at most, the last of which finds nothing to do; 10 unless said, as upstream. */
  readonly maxRounds?: number;
  /** Folds and applications of patterns at most; unless said 1000, and 100 for each operation. */
  readonly maxRewrites?: number;
  /**
   * Done after each round with what that was over, until it changes nothing either: what no pattern for one operation does,
   * such as with blocks.
   */
  readonly afterRound?: (rewriter: Rewriter, parts: readonly DraftOperation[]) => void;
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
  return rewriter.scoped(() => rewriter.listening(driver, () => driver.run()));
};

class GreedyDriver implements RewriteListener {
  private readonly rewriter: Rewriter;
  private readonly roots: readonly DraftOperation[];
  private readonly rootIds: ReadonlySet<Id>;
  private readonly patternsFor: (name: string) => readonly RewritePattern[];
  private readonly options: GreedyOptions;
  private readonly worklist = new Worklist<DraftOperation>();
  /** The operations that rounds are over: the roots, or the isolated operations that they hold; with their rounds so far. */
  private readonly rounds = new Map<DraftOperation, number>();
  /** Those that are still to be worked on, or again. */
  private readonly pending = new Set<DraftOperation>();
  /** The one that was found to hold an operation last: most often it holds the next one as well. */
  private lastPart: DraftOperation | undefined = undefined;
  private maxRewrites = Infinity;
  private rewrites = 0;
  /** What was applied in this round, and how often: when there are too many, the last ones. Folds by the op's name. */
  private readonly applied = new Map<string, number>();
  private readonly folds = new Map<string, number>();

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
    const { roots, rewriter, pending } = this;
    const atFirst = rewriter.changeCount;
    for (const root of roots) {
      for (const part of partsOf(root)) {
        this.rounds.set(part, 0);
        pending.add(part);
      }
    }
    const roundless = roots.filter((root) => !this.rounds.has(root)).length;
    this.maxRewrites = this.options.maxRewrites ?? 1000 + 100 * roundless;
    while (pending.size > 0) {
      // Parts of one root have nothing in common, and what is thawed of one may be gone before the next. Roots may overlap.
      const [first] = pending;
      const stopped = this.converge(roots.length === 1 ? [first!] : [...pending]);
      if (stopped !== undefined) return stopped;
    }
    return success({ changed: rewriter.changeCount !== atFirst });
  }

  // --- As a listener ---------------------------------------------------------------------------------------------

  readonly inserted = (operation: DraftOperation): void => this.touch(operation);

  readonly changed = (operation: DraftOperation): void => this.touch(operation);

  /** What computed the operands may be unused now, or have fewer uses, which some patterns look for. */
  readonly erasing = (operation: DraftOperation): void => {
    this.worklist.remove(operation);
    const part = this.partOf(operation);
    if (part === operation) {
      this.rounds.delete(operation);
      this.pending.delete(operation);
      this.lastPart = undefined;
    } else if (part !== undefined) {
      this.pending.add(part);
    }
    for (const operand of operation.operands) {
      const source = this.rewriter.definingOperation(operand);
      if (source !== undefined) this.touch(source);
    }
  };

  // --- Inside ----------------------------------------------------------------------------------------------------

  /** Rounds over parts until one changes nothing; a failure if that had to be ended. */
  private converge(unit: readonly DraftOperation[]): Diagnosed<GreedyResult> | undefined {
    const { rewriter, pending, rounds } = this;
    const { maxRounds = 10, afterRound } = this.options;
    for (;;) {
      const parts = unit.filter((part) => rounds.has(part));
      // After a round those that were changed in it, all if that was elsewhere: nothing that is isolated has another effect
      // on what is outside.
      const touched = parts.filter((part) => pending.delete(part));
      for (const part of parts) {
        const count = rounds.get(part)!;
        if (count >= maxRounds) return this.notConverged(`${maxRounds} rounds`);
        rounds.set(part, count + 1);
      }
      const before = rewriter.changeCount;
      this.applied.clear();
      this.folds.clear();
      this.begin(touched.length > 0 ? touched : parts);
      const stopped = this.work();
      if (stopped !== undefined) return stopped;
      afterRound?.(
        rewriter,
        parts.filter((part) => rounds.has(part)),
      );
      if (rewriter.changeCount === before) return undefined;
    }
  }

  /** Puts what is in parts on the list, constants where they belong. */
  private begin(parts: readonly DraftOperation[]): void {
    const { isTopDown, options, rewriter, worklist } = this;
    const operations: DraftOperation[] = [];
    for (const part of parts) {
      const from = operations.length;
      if (isTopDown) collect(part, operations);
      else collectInnerFirst(part, operations);
      if (this.rounds.get(part) === 1 && options.maxRewrites === undefined)
        this.maxRewrites += 100 * (operations.length - from);
    }
    const all = this.roots.length === 1 ? operations : [...new Set(operations)];
    if (options.only === undefined) {
      const pool = new ConstantPool(rewriter);
      for (const operation of all) pool.adopt(operation);
    }
    // The list is a stack.
    worklist.clear();
    if (isTopDown) for (let i = all.length - 1; i >= 0; i -= 1) this.add(all[i]!);
    else for (const operation of all) this.add(operation);
  }

  private get isTopDown(): boolean {
    return this.options.topDown ?? true;
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
    this.pending.add(part);
    if (!this.rootIds.has(operation.id) && this.options.only?.(operation) !== false)
      this.worklist.push(operation);
  }

  /** The part that an operation is in; undefined for one that is not there, or not to be rewritten. */
  private partOf(operation: DraftOperation): DraftOperation | undefined {
    const { lastPart, rootIds, rounds } = this;
    for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent)
      if (at === lastPart) return at;
    for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent) {
      const { parent } = at;
      const isBeside = parent !== undefined && rootIds.has(parent.id) && !rounds.has(parent);
      if (!rounds.has(at) && !isBeside) continue;
      // One that came to stand beside the others is one of them.
      if (!rounds.has(at)) rounds.set(at, 0);
      this.lastPart = at;
      return at;
    }
    return undefined;
  }

  /** Works off the list; a failure if that had to be ended. */
  private work(): Diagnosed<GreedyResult> | undefined {
    const { signal } = this.options;
    for (let next = this.worklist.pop(); next !== undefined; next = this.worklist.pop()) {
      if (signal?.aborted === true)
        return definite(error('greedy/aborted', 'rewriting was aborted', next.location));
      if (this.eraseUnused(next)) continue;
      if (this.fold(next)) {
        this.folds.set(next.name, (this.folds.get(next.name) ?? 0) + 1);
      } else {
        const name = this.applyPattern(next);
        if (name === undefined) continue;
        this.applied.set(name, (this.applied.get(name) ?? 0) + 1);
      }
      this.rewrites += 1;
      if (this.rewrites > this.maxRewrites) return this.notConverged(`${this.maxRewrites} rewrites`);
    }
    return undefined;
  }

  private eraseUnused(operation: DraftOperation): boolean {
    const { rewriter } = this;
    const { isErasable } = operation.facts;
    if (isErasable === false) return false;
    for (const result of operation.results) if (rewriter.hasUses(result)) return false;
    if (isErasable !== true && !hasErasableEffects(rewriter.registry, operation)) return false;
    rewriter.eraseOperation(operation);
    return true;
  }

  private fold(operation: DraftOperation): boolean {
    const { rewriter } = this;
    const { facts } = operation;
    // A constant would be folded to an attribute, and that made a constant, again and again.
    if (!facts.folds || facts.constant?.value(operation) !== undefined) return false;
    const folded = tryFold(rewriter, operation);
    if (folded === undefined) return false;
    if (folded.kind === 'in-place') {
      if (folded.operands !== undefined) rewriter.setOperands(operation, folded.operands);
      if (folded.attributes !== undefined) rewriter.setAttributes(operation, folded.attributes);
      return true;
    }
    // Nothing is made before it is known that all can be.
    const made: (Value | OperationState<Rewriter>)[] = [];
    for (const [i, result] of folded.results.entries()) {
      const each =
        'id' in result
          ? result
          : materializeConstant(rewriter.registry, operation, result, operation.results[i]!.type);
      if (each === undefined) return false;
      made.push(each);
    }
    rewriter.setInsertionPointBefore(operation);
    rewriter.replaceOperation(
      operation,
      made.map((each) => ('id' in each ? each : rewriter.createValue(each))),
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
    rewriter.setInsertionPointBefore(operation);
    for (const { name, rewrite } of patterns) {
      rewrite(rewriter, operation);
      if (rewriter.changeCount !== before) return name;
    }
    return undefined;
  }

  private notConverged(bound: string): Diagnosed<GreedyResult> {
    const folds = [...this.folds].map(([name, count]) => [`fold of ${name}`, count] as const);
    const names = [...this.applied, ...folds]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([name, count]) => `${name} (${count})`);
    const message = `${bound} are not enough to converge; rewrites of the last round: ${names.join(', ')}`;
    return silenceable(error('greedy/not-converged', message, this.roots[0]!.location));
  }
}

/** The isolated operations in a root of one block that holds nothing else, or the root. */
const partsOf = (root: DraftOperation): readonly DraftOperation[] => {
  const [region, otherRegion] = root.regions;
  const [block, otherBlock] = region?.blocks ?? [];
  if (block?.first === undefined || otherRegion !== undefined || otherBlock !== undefined) return [root];
  return block.operations.every(({ facts }) => facts.isIsolated) ? block.operations : [root];
};

/** Appends an operation, and then what is in it, in order. */
const collect = (operation: DraftOperation, to: DraftOperation[]): void => {
  to.push(operation);
  for (const { blocks } of operation.regions)
    for (const { first } of blocks) for (let at = first; at !== undefined; at = at.next) collect(at, to);
};

/** Appends what is in an operation, and then the operation, in order. */
const collectInnerFirst = (operation: DraftOperation, to: DraftOperation[]): void => {
  for (const { blocks } of operation.regions)
    for (const { first } of blocks)
      for (let at = first; at !== undefined; at = at.next) collectInnerFirst(at, to);
  to.push(operation);
};

/** The patterns for operations of a name, those of the highest benefit first. */
const patternIndex = (patterns: readonly RewritePattern[]): ((name: string) => readonly RewritePattern[]) => {
  const sorted = [...patterns].sort((a, b) => (b.benefit ?? 1) - (a.benefit ?? 1));
  const byName = new Map<string, readonly RewritePattern[]>();
  return (name) => {
    const known = byName.get(name);
    if (known !== undefined) return known;
    const made = sorted.filter(({ root }) => root === undefined || root === name);
    byName.set(name, made);
    return made;
  };
};
