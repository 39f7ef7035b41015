/** The pass `inline`. */
import { success } from '@sconv/diagnostics';
import { br } from '@sconv/dialects/cf';
import { call, funcOp, returnOp } from '@sconv/dialects/func';
import type { DraftBlock, DraftOperation, Rewriter } from '@sconv/ir';
import { defineOperationPass, integerOption, symbolNameOf } from '@sconv/ir';
import { symbolReferences } from '../symbol-references.ts';
import { canonicalize } from './canonicalize.ts';

/**
 * Inlines function calls, callees first, and canonicalizes each function before and after; erases private functions
 * that become unused. Recursive calls stay, as do calls of multi-block functions where a body must be a single block.
 */
export const inline = defineOperationPass({
  name: 'inline',
  title: 'Inliner',
  summary: 'inline function calls',
  options: {
    inliningThreshold: integerOption(
      'inline no callee that has more operations than this percentage of the caller; -1 for no limit',
      -1,
    ),
  },
  runOn: (rewriter, operation, { inliningThreshold }) => {
    new Inliner(rewriter, operation, inliningThreshold < 0 ? Infinity : inliningThreshold / 100).run();
    return success(undefined);
  },
});

class Inliner {
  private readonly rewriter: Rewriter;
  private readonly functions: ReadonlyMap<string, DraftOperation>;
  private readonly threshold: number;
  /** The functions that are done, and those on the current call path. */
  private readonly done = new Set<DraftOperation>();
  private readonly path = new Set<DraftOperation>();
  private readonly inlined = new Set<DraftOperation>();
  /** The operations in each function of `done` and `path`; none without a threshold. */
  private readonly sizes = new Map<DraftOperation, number>();

  constructor(rewriter: Rewriter, root: DraftOperation, threshold: number) {
    this.rewriter = rewriter;
    this.threshold = threshold;
    const inside = root.regions.flatMap(({ blocks }) => blocks.flatMap(({ operations }) => operations));
    this.functions = new Map(
      inside
        .filter((operation) => funcOp.is(operation))
        .map((operation) => [symbolNameOf(operation)!, operation]),
    );
  }

  run(): void {
    for (const operation of this.functions.values()) this.visit(operation);
    this.eraseUnused();
  }

  /** Inlines into a function, and first into those that it calls; on a list, as chains of calls may be long. */
  private visit(first: DraftOperation): void {
    const visits: { readonly operation: DraftOperation; readonly callees: Iterator<DraftOperation> }[] = [];
    const enter = (operation: DraftOperation): void => {
      if (this.done.has(operation) || this.path.has(operation)) return;
      this.path.add(operation);
      const callees = this.callsIn(operation).map((each) => this.calleeOf(each)!);
      visits.push({ operation, callees: callees.values() });
    };
    enter(first);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const callee = visit.callees.next();
      if (callee.done !== true) {
        enter(callee.value);
        continue;
      }
      visits.pop();
      this.finish(visit.operation);
    }
  }

  /** Inlines calls of functions that are done. */
  private finish(operation: DraftOperation): void {
    canonicalize().runOn?.(this.rewriter, operation);
    this.measure(operation);
    const before = this.inlined.size;
    for (const each of this.callsIn(operation)) this.inlineCall(each, operation);
    if (this.inlined.size > before || this.callsIn(operation).length > 0)
      canonicalize().runOn?.(this.rewriter, operation);
    this.measure(operation);
    this.path.delete(operation);
    this.done.add(operation);
  }

  /** Counted once per function, and kept up to date while calls are inlined. */
  private measure(operation: DraftOperation): void {
    if (this.threshold < Infinity) this.sizes.set(operation, this.rewriter.walk(operation).length - 1);
  }

  private calleeOf(operation: DraftOperation): DraftOperation | undefined {
    return this.functions.get(call.attributes(operation).callee);
  }

  /** The calls to functions of this module. */
  private callsIn(operation: DraftOperation): readonly DraftOperation[] {
    return this.rewriter.walk(operation).filter((each) => call.is(each) && this.calleeOf(each) !== undefined);
  }

  private inlineCall(operation: DraftOperation, caller: DraftOperation): void {
    const callee = this.calleeOf(operation)!;
    const blocks = callee.regions[0]?.blocks ?? [];
    const [body, ...more] = blocks;
    // A callee that is not done is on a cycle.
    if (body === undefined || !this.done.has(callee)) return;
    if (more.length > 0 && operation.parent !== caller) return;
    const [size, outer] = [this.sizes.get(callee), this.sizes.get(caller)];
    if (size !== undefined && outer !== undefined) {
      if (size > outer * this.threshold) return;
      // The call becomes a branch to the first of several blocks; without those it goes, and the return, too.
      this.sizes.set(caller, outer + size - (more.length > 0 ? 0 : 2));
    }
    this.inlined.add(callee);
    if (more.length > 0) this.inlineBlocks(operation, callee);
    else this.inlineBody(operation, body);
  }

  private inlineBody(operation: DraftOperation, body: DraftBlock): void {
    const { rewriter } = this;
    const mapping = new Map(body.arguments.map(({ id }, i) => [id, operation.operands[i]!]));
    rewriter.scoped(() => {
      rewriter.setInsertionPointBefore(operation);
      for (const each of body.operations) if (!returnOp.is(each)) rewriter.clone(each, mapping);
    });
    const results = body.last?.operands ?? [];
    rewriter.replaceOperation(
      operation,
      results.map((value) => mapping.get(value.id) ?? value),
    );
  }

  /** Splices the blocks of a callee between the code before and after the call. */
  private inlineBlocks(operation: DraftOperation, callee: DraftOperation): void {
    const { rewriter } = this;
    const { block } = operation;
    if (block === undefined) return;
    const after = rewriter.splitBlock(operation);
    const count = block.region.blocks.length;
    rewriter.cloneRegion(callee.regions[0]!, block.region);
    const copies = block.region.blocks.slice(count);
    const values = operation.results.map(({ type }) => rewriter.addArgument(after, type));
    rewriter.scoped(() => {
      rewriter.setInsertionPointToEnd(block);
      rewriter.create(
        br.state({ operands: { destOperands: operation.operands }, successors: [copies[0]!.id] }),
        operation.location,
      );
    });
    for (const { last } of copies) {
      if (last === undefined || !returnOp.is(last)) continue;
      rewriter.replaceWith(
        last,
        br.state({ operands: { destOperands: last.operands }, successors: [after.id] }),
      );
    }
    rewriter.replaceOperation(operation, values, []);
  }

  /** Erases inlined private functions that nothing refers to any more, and then those that they referred to. */
  private eraseUnused(): void {
    const { rewriter } = this;
    if (this.inlined.size === 0) return;
    const counts = new Map<string, number>();
    const count = (operation: DraftOperation, by: number): void => {
      for (const each of rewriter.walk(operation)) {
        for (const name of symbolReferences(each)) counts.set(name, (counts.get(name) ?? 0) + by);
      }
    };
    count(rewriter.root, 1);
    const pending = [...this.inlined].toReversed();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { sym_visibility: visibility } = next.attributes;
      const name = symbolNameOf(next);
      if (visibility?.kind !== 'string' || visibility.value === 'public' || name === undefined) continue;
      if ((counts.get(name) ?? 0) > 0 || !this.inlined.delete(next)) continue;
      const names = new Set(rewriter.walk(next).flatMap(symbolReferences));
      count(next, -1);
      rewriter.eraseOperation(next);
      for (const each of names) {
        const symbol = this.functions.get(each);
        if (symbol !== undefined && this.inlined.has(symbol)) pending.push(symbol);
      }
    }
  }
}
