import type { DraftOperation } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { expect, it } from 'vitest';
import { ExecutionOrder } from '../src/analysis/execution-order.ts';
import { OneShotState } from '../src/analysis/one-shot-state.ts';
import { resolveOptions } from '../src/options.ts';
import { parse, registry } from './support.ts';

const nest = parse(`func.func @f(%n: index, %c: i1) {
  %0 = arith.addi %n, %n : index
  scf.for %i = %n to %n step %n {
    %1 = arith.addi %i, %n : index
    scf.if %c {
      %2 = arith.addi %i, %n : index
      scf.for %j = %n to %n step %n {
        %3 = arith.addi %j, %n : index
      }
      %4 = arith.addi %i, %n : index
    } else {
      scf.if %c {
        %5 = arith.addi %i, %n : index
      } else {
        %6 = arith.addi %i, %n : index
      }
    }
    %7 = arith.addi %i, %n : index
  }
  scf.while (%k = %n) : (index) -> index {
    %8 = arith.addi %k, %n : index
    scf.condition(%c) %k : index
  } do {
  ^bb0(%k: index):
    %9 = arith.addi %k, %n : index
    scf.yield %k : index
  }
  return
}`);

/** An operation and its ancestors, innermost first. */
const chainOf = (operation: DraftOperation): readonly DraftOperation[] =>
  operation.parent === undefined ? [operation] : [operation, ...chainOf(operation.parent)];

const regionIn = (operation: DraftOperation, parent: DraftOperation): number =>
  parent.regions.findIndex((region) =>
    region.blocks.some((block) => chainOf(operation).some((each) => each.block === block)),
  );

it('says of any two operations what their parents and positions say', () => {
  edit(nest, { registry }, (rewriter) => {
    const root = rewriter.walk(rewriter.root).find(({ name }) => name === 'func.func')!;
    const order = new ExecutionOrder(new OneShotState(rewriter, resolveOptions({}), root), root);
    const all = rewriter.walk(root);
    const around = (operation: DraftOperation) =>
      chainOf(operation).slice(0, chainOf(operation).indexOf(root) + 1);
    for (const [i, a] of all.entries()) {
      expect(order.spanOf(a)).toMatchObject({
        first: i,
        last: all.findLastIndex((each) => around(each).includes(a)),
      });
      for (const [j, b] of all.entries()) {
        const isIn = around(a).includes(b);
        const isAround = around(b).includes(a);
        const common = around(a).find((each) => around(b).includes(each))!;
        // Exclusive in an scf.if; of the regions of an scf.while, nothing is said.
        const areApart = !isIn && !isAround && regionIn(a, common) !== regionIn(b, common);
        expect(order.areExclusive(a, b)).toBe(areApart && common.name === 'scf.if');
        expect(order.happensBefore(a, b)).toBe(i < j && !isIn && !isAround && !areApart);
      }
    }
  });
});
