/** The pass `sccp`. */
import { success } from '@sconv/diagnostics';
import { branchLike } from '@sconv/dialects';
import { condBr } from '@sconv/dialects/cf';
import { ifOp } from '@sconv/dialects/scf';
import type { Attribute, DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import {
  attributeEquals,
  constantValueOf,
  defineOperationPass,
  foldOperation,
  isErasable,
  materializeConstant,
  modelOf,
  terminatorOf,
} from '@sconv/ir';
import { blockOf } from '../bodies.ts';

/**
 * Sparse conditional constant propagation (Wegman and Zadeck): values that are constant along all executable paths
 * become constants. Follows branches and `scf.if`; results of other operations with regions are unknown.
 */
export const sccp = defineOperationPass({
  name: 'sccp',
  title: 'SCCP',
  summary: 'propagate constants along executable paths',
  runOn: (rewriter, operation) => {
    new Propagation(rewriter, operation).run();
    return success(undefined);
  },
});

/** The lattice: undefined (bottom), a constant, or anything (top). */
type Known = Attribute | 'anything';

class Propagation {
  private readonly rewriter: Rewriter;
  private readonly root: DraftOperation;
  private readonly known = new Map<Id, Known>();
  private readonly reached = new Set<DraftBlock>();
  private readonly pending: DraftOperation[] = [];

  constructor(rewriter: Rewriter, root: DraftOperation) {
    this.rewriter = rewriter;
    this.root = root;
  }

  run(): void {
    this.enterRegions(this.root);
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) this.visit(next);
    for (const block of this.reached) this.replaceIn(block);
  }

  /** Marks all regions of an operation as reachable, with unknown arguments. */
  private enterRegions(operation: DraftOperation): void {
    for (const { blocks } of operation.regions) {
      const [entry] = blocks;
      if (entry === undefined) continue;
      for (const argument of entry.arguments) this.learn(argument, 'anything');
      this.reach(entry);
    }
  }

  private reach(block: DraftBlock): void {
    if (this.reached.has(block)) return;
    this.reached.add(block);
    this.pending.push(...block.operations.toReversed());
  }

  /** Joins a value's state with new information; revisits its users if that changes it. */
  private learn(value: Value, more: Known | undefined): void {
    const before = this.known.get(value.id);
    if (more === undefined || before === 'anything') return;
    const joined =
      before === undefined || (more !== 'anything' && attributeEquals(before, more)) ? more : 'anything';
    if (before !== undefined && joined === before) return;
    if (before !== undefined && joined !== 'anything') return;
    this.known.set(value.id, joined);
    for (const user of this.rewriter.users(value)) {
      if (user.block !== undefined && this.reached.has(user.block)) this.pending.push(user);
    }
  }

  private visit(operation: DraftOperation): void {
    if (ifOp.is(operation)) this.visitIf(operation);
    else if (operation.successors.length > 0) this.visitBranch(operation);
    else if (operation.regions.length > 0) {
      this.enterRegions(operation);
      for (const result of operation.results) this.learn(result, 'anything');
    } else this.visitSimple(operation);
    const { parent } = operation;
    // The terminator operands of a body may have changed.
    if (parent !== undefined && ifOp.is(parent) && operation.block?.last === operation)
      this.pending.push(parent);
  }

  private visitSimple(operation: DraftOperation): void {
    const { rewriter } = this;
    const constant = constantValueOf(rewriter.registry, operation);
    const [only] = operation.results;
    if (constant !== undefined && only !== undefined) {
      this.learn(only, constant);
      return;
    }
    const states = operation.operands.map(({ id }) => this.known.get(id));
    // An operand still at bottom will be visited first.
    if (states.includes(undefined)) return;
    const definition = rewriter.definition(operation);
    const constants = states.map((state) => (state === 'anything' ? undefined : state));
    const folded = definition && foldOperation(definition, operation, constants);
    operation.results.forEach((result, i) => {
      const value = folded?.kind === 'results' ? folded.results[i] : undefined;
      if (value === undefined) this.learn(result, 'anything');
      else this.learn(result, 'id' in value ? this.known.get(value.id) : value);
    });
  }

  private visitIf(operation: DraftOperation): void {
    const condition = this.known.get(operation.operands[0]!.id);
    if (condition === undefined) return;
    const isTrue =
      condition !== 'anything' && condition.kind === 'integer' ? condition.value !== 0n : undefined;
    for (const region of [0, 1]) {
      if (isTrue !== undefined && isTrue !== (region === 0)) continue;
      const block = blockOf(operation, region);
      if (block === undefined) continue;
      this.reach(block);
      const yielded = terminatorOf(block).operands;
      operation.results.forEach((result, i) => {
        this.learn(result, this.known.get(yielded[i]!.id));
      });
    }
  }

  private visitBranch(operation: DraftOperation): void {
    const groups = modelOf(this.rewriter.registry, branchLike, operation)?.operands(operation);
    const condition = condBr.is(operation) ? this.known.get(operation.operands[0]!.id) : 'anything';
    if (condition === undefined) return;
    const isTrue =
      condition !== 'anything' && condition.kind === 'integer' ? condition.value !== 0n : undefined;
    operation.successors.forEach((id, successor) => {
      if (isTrue !== undefined && isTrue !== (successor === 0)) return;
      const target = this.rewriter.blockWith(id);
      target?.arguments.forEach((argument, i) => {
        const given = groups?.[successor]?.[i];
        this.learn(argument, given === undefined ? 'anything' : this.known.get(given.id));
      });
      if (target !== undefined) this.reach(target);
    });
  }

  // --- Rewriting -------------------------------------------------------------------------------------------------

  private replaceIn(block: DraftBlock): void {
    const { rewriter } = this;
    const first = block.first;
    if (first === undefined) return;
    for (const argument of block.arguments) this.replace(argument, first);
    for (const operation of block.operations) {
      if (constantValueOf(rewriter.registry, operation) !== undefined) continue;
      if (operation.results.length === 0) continue;
      for (const result of operation.results) this.replace(result, operation);
      const isUnused = !operation.results.some((result) => rewriter.hasUses(result));
      if (isUnused && isErasable(rewriter.registry, operation)) rewriter.eraseOperation(operation);
    }
  }

  /** Replaces a value by a constant, created before `at`. */
  private replace(value: Value, at: DraftOperation): void {
    const { rewriter } = this;
    const known = this.known.get(value.id);
    if (known === undefined || known === 'anything' || !rewriter.hasUses(value)) return;
    const state = materializeConstant(rewriter.registry, at, known, value.type);
    if (state === undefined) return;
    rewriter.scoped(() => {
      rewriter.setInsertionPointBefore(at);
      rewriter.replaceAllUsesWith(value, rewriter.createValue(state));
    });
  }
}
