import type { DraftOperation } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { expect, it } from 'vitest';
import { ProgramOrder } from '../src/sound/program-order.ts';
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
    const order = new ProgramOrder(registry, root);
    const all = rewriter.walk(root);
    const around = (operation: DraftOperation) =>
      chainOf(operation).slice(0, chainOf(operation).indexOf(root) + 1);
    for (const [i, a] of all.entries()) {
      const loops = around(a)
        .slice(1)
        .filter(({ name }) => name === 'scf.for' || name === 'scf.while');
      expect(order.loopAround(a)).toBe(loops[0]);
      expect(order.spanOf(a)).toMatchObject({
        first: i,
        last: all.findLastIndex((each) => around(each).includes(a)),
      });
      for (const [j, b] of all.entries()) {
        const isIn = around(a).includes(b);
        const isAround = around(b).includes(a);
        expect(order.isWithin(a, b)).toBe(isIn);
        const common = around(a).find((each) => around(b).includes(each))!;
        const areExclusive =
          !isIn && !isAround && common.name === 'scf.if' && regionIn(a, common) !== regionIn(b, common);
        expect(order.areExclusive(a, b)).toBe(areExclusive);
        expect(order.happensBefore(a, b)).toBe(i < j && !isIn && !isAround && !areExclusive);
      }
    }
  });
});
