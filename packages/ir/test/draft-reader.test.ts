import { expect, it } from 'vitest';
import type { DraftOperation, Value } from '../src/index.ts';
import { defineOp, edit, findOperation, i32 } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const module = parse(`%a = "a.a"() : () -> i32
"a.b"(%a, %a) ({
^bb0(%x: i32):
  %c = "a.c"(%x) : (i32) -> i32
  "a.d"() ({
    "a.e"(%a, %c) : (i32, i32) -> ()
  }) : () -> ()
}) : (i32, i32) -> ()`);

it('says of a draft what its tree says', () => {
  edit(module, { registry }, (rewriter) => {
    const all = rewriter.walk(rewriter.root);
    const [root, a, b, c, d, e] = all as [
      DraftOperation,
      DraftOperation,
      DraftOperation,
      DraftOperation,
      DraftOperation,
      DraftOperation,
    ];
    expect(all.map(({ name }) => name)).toEqual(['builtin.module', 'a.a', 'a.b', 'a.c', 'a.d', 'a.e']);
    expect(rewriter.root).toBe(root);
    for (const operation of all) {
      expect(rewriter.find(operation.id)).toBe(operation);
      expect(rewriter.find(operation)).toBe(operation);
      expect(rewriter.lookup(operation.id)).toBe(operation);
    }
    const around = new Map([
      [root, [root]],
      [a, [a, root]],
      [b, [b, root]],
      [c, [c, b, root]],
      [d, [d, b, root]],
      [e, [e, d, b, root]],
    ]);
    for (const inner of all) {
      for (const outer of all) {
        expect(rewriter.isWithin(inner, outer)).toBe(around.get(inner)!.includes(outer));
      }
    }

    const block = b.regions[0]!.blocks[0]!;
    const x = block.arguments[0]!;
    const values: readonly (readonly [Value, DraftOperation | undefined, readonly DraftOperation[]])[] = [
      [a.results[0]!, a, [b, e]],
      [x, undefined, [c]],
      [c.results[0]!, c, [e]],
    ];
    for (const [value, definition, users] of values) {
      expect(rewriter.definingOperation(value)).toBe(definition);
      expect(rewriter.owningBlock(value)).toBe(definition === undefined ? block : undefined);
      expect(rewriter.users(value)).toEqual(users);
      expect(rewriter.hasUses(value)).toBe(true);
      // The operation whose region defines it.
      const holder = definition === undefined ? b : definition.parent!;
      for (const operation of all) {
        expect(rewriter.isDefinedOutside(value, operation)).toBe(!around.get(holder)!.includes(operation));
      }
    }
    const stranger: Value = { id: 999, type: i32 };
    expect(rewriter.users(stranger)).toEqual([]);
    expect(rewriter.hasUses(stranger)).toBe(false);
    expect(() => rewriter.isDefinedOutside(stranger, root)).toThrow('a value without a definition');
    expect(() => rewriter.find(999)).toThrow('no operation with id 999 in this module');
    expect(rewriter.lookup(999)).toBeUndefined();
  });
});

it('refuses an operation of another branch of history, whose id is that of something else here', () => {
  const withNew = (name: string) => {
    const definition = defineOp({ name, summary: 'An op.' });
    return edit(module, { registry }, (rewriter) => {
      rewriter.setInsertionPointToStart(rewriter.root.regions[0]!.blocks[0]!);
      return rewriter.create(definition.state({})).id;
    });
  };
  const [one, other] = [withNew('a.one'), withNew('a.other')];
  expect(one.results).toBe(other.results);
  const foreign = findOperation(one.module, one.results, registry)!;
  expect(foreign.name).toBe('a.one');
  edit(one.module, { registry }, (rewriter) => {
    expect(rewriter.find(foreign).name).toBe('a.one');
  });
  edit(other.module, { registry }, (rewriter) => {
    expect(() => rewriter.find(foreign)).toThrow(
      `the operation with id ${foreign.id} is 'a.other' in this module, not 'a.one': it is of another one`,
    );
  });
});

it('knows the branches to a block, whatever becomes of them', () => {
  const branching = parse(`"a.b"() ({
  "a.to"()[^a, ^b] : () -> ()
^a:
  "a.to"()[^b, ^b] : () -> ()
^b:
  "a.to"()[^a] : () -> ()
}) : () -> ()`);
  edit(branching, { registry }, (rewriter) => {
    const [holder] = rewriter.walk(rewriter.root).filter(({ name }) => name === 'a.b');
    const check = (region: DraftOperation['regions'][number]): void => {
      for (const block of region.blocks) {
        const found = region.blocks.flatMap(({ last }) =>
          last?.successors.includes(block.id) === true ? [last] : [],
        );
        expect(new Set(rewriter.branchesTo(block))).toEqual(new Set(found));
        expect(rewriter.onlyBranchTo(block)).toBe(found.length === 1 ? found[0] : undefined);
      }
    };
    const region = holder!.regions[0]!;
    const [entry, a, b] = region.blocks;
    check(region);
    // A copy branches to its own blocks.
    rewriter.setInsertionPointBefore(holder!);
    const copy = rewriter.clone(holder!);
    check(copy.regions[0]!);
    check(region);
    rewriter.setSuccessors(a!.last!, [a!.id]);
    check(region);
    rewriter.setSuccessors(entry!.last!, [b!.id]);
    rewriter.eraseOperation(b!.last!);
    check(region);
    rewriter.eraseBlock(a!);
    expect(rewriter.branchesTo(a!)).toEqual([]);
    check(region);
  });
});
