import { describe, expect, it } from 'vitest';
import type { Operation, Rewriter } from '@sconv/ir';
import { edit, noForward, unitAttribute } from '@sconv/ir';
import { irDiff } from '../src/index.ts';
import { a, b, parse, registry } from './support.ts';

const payload = parse(`module {
  %0 = "test.a"() {first} : () -> i32
  %1 = "test.b"(%0) ({
    %2 = "test.a"() {inner} : () -> i32
  }) {outer} : (i32) -> i32
}`);

const label = ({ name, attributes }: Operation) => [name, ...Object.keys(attributes)].join(' ');
const find = (rewriter: Rewriter, name: string) =>
  rewriter.walk(rewriter.root).find(({ attributes }) => name in attributes)!;

/** The names in the diff of an edit. */
const diffOf = (rewrite: (rewriter: Rewriter) => void) => {
  const { module, forward } = edit(payload, { registry }, rewrite);
  const { removed, added, changed, moved } = irDiff(payload, module, forward);
  return {
    removed: removed.map(label),
    added: added.map(label),
    changed: changed.map(({ before, after }) => `${label(before)} -> ${label(after)}`),
    moved: moved.map(label),
  };
};
const nothing = { removed: [], added: [], changed: [], moved: [] };

describe('irDiff', () => {
  it('is empty where nothing was done', () => {
    expect(irDiff(payload, payload, noForward)).toEqual(nothing);
  });

  it('has what was replaced, and what uses something else now', () => {
    const diff = diffOf((rewriter) => {
      const first = find(rewriter, 'first');
      const state = a.state({ operands: { inputs: [] }, resultTypes: first.results.map(({ type }) => type) });
      rewriter.replaceWith(first, state);
    });
    const { outer, ...rest } = { ...diff, outer: diff.changed };
    expect(rest).toEqual({ ...nothing, removed: ['test.a first'], added: ['test.a'], changed: outer });
    expect(outer).toEqual(['test.b outer -> test.b outer']);
  });

  it('has attributes that changed, before and after', () => {
    const diff = diffOf((rewriter) =>
      rewriter.setAttribute(find(rewriter, 'inner'), 'marked', unitAttribute),
    );
    expect(diff).toEqual({ ...nothing, changed: ['test.a inner -> test.a inner marked'] });
  });

  it('has what went with its body once, and what was moved out of it', () => {
    const diff = diffOf((rewriter) => {
      const outer = find(rewriter, 'outer');
      rewriter.moveBefore(find(rewriter, 'inner'), outer);
      rewriter.eraseOperation(outer);
    });
    expect(diff).toEqual({ ...nothing, removed: ['test.b outer'], moved: ['test.a inner'] });
    expect(diffOf((rewriter) => rewriter.eraseOperation(find(rewriter, 'outer')))).toEqual({
      ...nothing,
      removed: ['test.b outer'],
    });
  });

  it('has what came with its body once, and what was moved into it', () => {
    const diff = diffOf((rewriter) => {
      const first = find(rewriter, 'first');
      rewriter.setInsertionPointBefore(first);
      const around = rewriter.create(
        b.state({
          operands: { inputs: [] },
          resultTypes: [],
          bodies: [
            {
              argumentTypes: [],
              build: (body) => {
                body.create(a.state({ operands: { inputs: [] }, resultTypes: [first.results[0]!.type] }));
              },
            },
          ],
        }),
      );
      rewriter.moveBefore(find(rewriter, 'inner'), around.regions[0]!.blocks[0]!.first!);
    });
    expect(diff).toEqual({ ...nothing, added: ['test.b'], moved: ['test.a inner'] });
  });
});
