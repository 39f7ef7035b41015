import { expect, it } from 'vitest';
import type { DraftOperation } from '../src/index.ts';
import { ancestorInBlock, closestParent, edit, precedes } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const module = parse(`"a.a"() : () -> ()
"a.b"() ({
  "a.c"() ({
    "a.d"() : () -> ()
  }) : () -> ()
}) : () -> ()
"a.e"() : () -> ()`);

it('finds what is around an operation, and what comes before it', () => {
  edit(module, { registry }, (rewriter) => {
    const [root, a, b, c, d, e] = rewriter.walk(rewriter.root) as [
      DraftOperation,
      DraftOperation,
      DraftOperation,
      DraftOperation,
      DraftOperation,
      DraftOperation,
    ];
    expect(closestParent(d, () => true)).toBe(c);
    expect(closestParent(d, ({ name }) => name === 'a.b')).toBe(b);
    expect(closestParent(d, (parent) => parent === d)).toBeUndefined();
    expect(closestParent(root, () => true)).toBeUndefined();

    expect(ancestorInBlock(a.block, d)).toBe(b);
    expect(ancestorInBlock(d.block, d)).toBe(d);
    expect(ancestorInBlock(d.block, c)).toBeUndefined();
    expect(ancestorInBlock(a.block, root)).toBeUndefined();

    const all = [a, b, c, d, e];
    expect(all.map((other) => precedes(a, other))).toEqual([false, true, true, true, true]);
    expect(all.map((other) => precedes(b, other))).toEqual([false, false, false, false, true]);
    expect(all.map((other) => precedes(d, other))).toEqual([false, false, false, false, false]);
  });
});
