/**
 * The greedy driver: erases dead code, folds, and applies patterns to a fixed point, as upstream's
 * `applyPatternsAndFoldGreedily`. Constants are deduplicated at the start of the function.
 */
import { isAffineError } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import { materializeConstant } from './constant-like.ts';
import { ConstantPool } from './constant-pool.ts';
import type { DraftOperation } from './draft.ts';
import { tryFold } from './fold.ts';
import { hasErasableEffects } from './memory-effects.ts';
import type { Id, Value } from './operation.ts';
import type { OperationState } from './define-op.ts';
import type { RewriteListener } from './rewrite-listener.ts';
import type { Rewriter } from './rewriter.ts';
import { Worklist } from './worklist.ts';

/** A rewrite pattern: a plain value, passed to the driver in a list. */
export interface RewritePattern {
  /** kebab-case; used in diagnostics. */
  readonly name: string;
  /** The name of the operations to match; any if omitted. */
  readonly root?: string;
  /** Patterns with a higher benefit are tried first, others in list order; 1 by default. */
  readonly benefit?: number;
  /**
   * Rewrites `operation` if it matches, and changes nothing otherwise. The insertion point is before `operation`,
   * which may be erased or replaced.
   */
  readonly rewrite: (rewriter: Rewriter, operation: DraftOperation) => void;
}

/** Limits and scope of `applyPatternsGreedily`. */
export interface GreedyOptions {
  /** The most rounds over an operation, the last of which must find nothing to do; 10 by default, as upstream. */
  readonly maxRounds?: number;
  /** The most folds and pattern applications; by default 100,000, plus 100 per operation. */
  readonly maxRewrites?: number;
  /**
   * Runs after each round on its operations, until it changes nothing either: for rewrites that are not patterns on
   * one operation, such as block simplification.
   */
  readonly afterRound?: (rewriter: Rewriter, parts: readonly DraftOperation[]) => void;
  /**
   * Whether operations are initially visited first to last (the default), or last to first, upstream's driver's
   * default; either way, an operation is visited before its contents.
   */
  readonly topDown?: boolean;
  /** The operations to rewrite, if not all; others stay, constants included. */
  readonly only?: (operation: DraftOperation) => boolean;
  /** Checked before each operation; for example an `AbortSignal`. */
  readonly signal?: { readonly aborted: boolean };
}

/** The result of a greedy rewrite. */
export interface GreedyResult {
  /** Whether anything changed. */
  readonly changed: boolean;
}

/**
 * Rewrites everything below `roots`, not the roots themselves, until no operation is dead, none folds and no pattern
 * applies. Every round starts with outer operations and the first of each block, so the result is deterministic.
 *
 * Failures: `greedy/not-converged` (silenceable) if patterns do not terminate, and `greedy/aborted` (definite).
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

/** Enough to unroll one operation on large vectors; patterns that undo each other take seconds to get there. */
const leastRewrites = 100_000;

class GreedyDriver implements RewriteListener {
  private readonly rewriter: Rewriter;
  private readonly roots: readonly DraftOperation[];
  private readonly rootIds: ReadonlySet<Id>;
  private readonly patternsFor: (name: string) => readonly RewritePattern[];
  private readonly options: GreedyOptions;
  private readonly worklist = new Worklist<DraftOperation>();
  /**
   * The operations that rounds cover, with their number of rounds so far: the roots, or the isolated operations in
   * them.
   */
  private readonly rounds = new Map<DraftOperation, number>();
  /** Those still to be processed, or to be processed again. */
  private readonly pending = new Set<DraftOperation>();
  /** The part found last: most often it contains the next operation too. */
  private lastPart: DraftOperation | undefined = undefined;
  private maxRewrites = Infinity;
  private rewrites = 0;
  /** How often each rewrite was applied in this round, to report the last ones if too many. Folds count by op name. */
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
    this.maxRewrites = this.options.maxRewrites ?? leastRewrites + 100 * roundless;
    while (pending.size > 0) {
      // Parts of one root are disjoint, and what one thaws may be gone before the next. Roots may overlap.
      const [first] = pending;
      const stopped = this.converge(roots.length === 1 ? [first!] : [...pending]);
      if (stopped !== undefined) return stopped;
    }
    return success({ changed: rewriter.changeCount !== atFirst });
  }

  // --- As a listener ---------------------------------------------------------------------------------------------

  readonly inserted = (operation: DraftOperation): void => this.touch(operation);

  readonly changed = (operation: DraftOperation): void => this.touch(operation);

  /** Producers of the operands may be dead now, or have fewer uses, which some patterns match. */
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
    const { operands } = operation;
    for (let i = 0, { length } = operands; i < length; i += 1) {
      const source = this.rewriter.definingOperation(operands[i]!);
      if (source !== undefined) this.touch(source);
    }
  };

  // --- Inside ----------------------------------------------------------------------------------------------------

  /** Rounds over parts until one changes nothing; a failure if they do not converge. */
  private converge(unit: readonly DraftOperation[]): Diagnosed<GreedyResult> | undefined {
    const { rewriter, pending, rounds } = this;
    const { maxRounds = 10, afterRound } = this.options;
    for (;;) {
      const parts = unit.filter((part) => rounds.has(part));
      // After the first round, the parts that the last one changed, or all if it changed anything else: an isolated
      // part has no other effect on the outside.
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

  /** Adds the operations in parts to the worklist, and pools their constants. */
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
    // The worklist is a stack.
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

  /** Records a change of an operation, if it is one of those to be rewritten. */
  private touch(operation: DraftOperation): void {
    const part = this.partOf(operation);
    if (part === undefined) return;
    this.pending.add(part);
    if (!this.rootIds.has(operation.id) && this.options.only?.(operation) !== false)
      this.worklist.push(operation);
  }

  /** The part that contains an operation; undefined if none does, or if it is not to be rewritten. */
  private partOf(operation: DraftOperation): DraftOperation | undefined {
    const { lastPart, rootIds, rounds } = this;
    for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent)
      if (at === lastPart) return at;
    for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent) {
      const { parent } = at;
      const isBeside = parent !== undefined && rootIds.has(parent.id) && !rounds.has(parent);
      if (!rounds.has(at) && !isBeside) continue;
      // A new sibling of the parts becomes a part.
      if (!rounds.has(at)) rounds.set(at, 0);
      this.lastPart = at;
      return at;
    }
    return undefined;
  }

  /** Processes the worklist; a failure if that was stopped. */
  private work(): Diagnosed<GreedyResult> | undefined {
    const { signal } = this.options;
    for (let next = this.worklist.pop(); next !== undefined; next = this.worklist.pop()) {
      if (signal?.aborted === true)
        return definite(error('greedy/aborted', 'rewriting was aborted', next.location));
      // Operations erased with their parent have touched each other before they were gone.
      if (!this.rewriter.holds(next)) continue;
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
    const { results } = operation;
    for (let i = 0, { length } = results; i < length; i += 1) if (rewriter.hasUses(results[i]!)) return false;
    if (isErasable !== true && !hasErasableEffects(rewriter.registry, operation)) return false;
    rewriter.eraseOperation(operation);
    return true;
  }

  private fold(operation: DraftOperation): boolean {
    const { rewriter } = this;
    const { facts } = operation;
    // A constant would fold to an attribute, which would be materialized again, forever.
    if (!facts.folds || facts.constant?.value(operation) !== undefined) return false;
    const folded = tryFold(rewriter, operation);
    if (folded === undefined) return false;
    if (folded.kind === 'in-place') {
      if (folded.operands !== undefined) rewriter.setOperands(operation, folded.operands);
      if (folded.attributes !== undefined) rewriter.setAttributes(operation, folded.attributes);
      return true;
    }
    // Nothing is created before everything is known to be materializable.
    const made: (Value | OperationState<Rewriter>)[] = [];
    for (let i = 0; i < folded.results.length; i += 1) {
      const result = folded.results[i]!;
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

  /** Applies the first matching pattern; returns its name. */
  private applyPattern(operation: DraftOperation): string | undefined {
    const { rewriter } = this;
    const patterns = this.patternsFor(operation.name);
    if (patterns.length === 0) return undefined;
    const before = rewriter.changeCount;
    // A pattern that does not match must not affect the insertion point either.
    rewriter.setInsertionPointBefore(operation);
    for (const { name, rewrite } of patterns) {
      try {
        rewrite(rewriter, operation);
      } catch (problem) {
        // Numbers beyond 2^53 do not match.
        if (!isAffineError(problem) || rewriter.changeCount !== before) throw problem;
      }
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

/** The isolated operations in a single-block root that contains nothing else, or the root. */
const partsOf = (root: DraftOperation): readonly DraftOperation[] => {
  const [region, otherRegion] = root.regions;
  const [block, otherBlock] = region?.blocks ?? [];
  if (block?.first === undefined || otherRegion !== undefined || otherBlock !== undefined) return [root];
  return block.operations.every(({ facts }) => facts.isIsolated) ? block.operations : [root];
};

/** Appends an operation and its contents in pre-order. */
const collect = (operation: DraftOperation, to: DraftOperation[]): void => {
  to.push(operation);
  for (const { blocks } of operation.regions)
    for (const { first } of blocks) for (let at = first; at !== undefined; at = at.next) collect(at, to);
};

/** Appends an operation and its contents in post-order. */
const collectInnerFirst = (operation: DraftOperation, to: DraftOperation[]): void => {
  for (const { blocks } of operation.regions)
    for (const { first } of blocks)
      for (let at = first; at !== undefined; at = at.next) collectInnerFirst(at, to);
  to.push(operation);
};

/** The patterns for an op name, highest benefit first. */
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
