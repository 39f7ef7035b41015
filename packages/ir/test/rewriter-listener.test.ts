/** What listeners of a rewriter are told. */
import { describe, expect, it } from 'vitest';
import { edit, i32, unitAttribute } from '../src/index.ts';
import type { DraftOperation, Rewriter } from '../src/index.ts';
import { named, sample, source } from './sample-module.ts';
import { registry } from './test-dialect.ts';

describe('a listener', () => {
  /** The notifications during `change`. */
  const heard = (change: (rewriter: Rewriter, loopOp: DraftOperation, useOp: DraftOperation) => void) => {
    const events: string[] = [];
    const module = sample();
    edit(module, { registry }, (rewriter) => {
      const [loopOp, useOp] = [
        rewriter.find(named(module, 'test.loop')[0]!),
        rewriter.find(named(module, 'test.use')[1]!),
      ];
      const note = (event: string) => (operation: DraftOperation) =>
        void events.push(`${event} ${operation.name}${operation.block === undefined ? ' outside' : ''}`);
      rewriter.listening(
        { inserted: note('inserted'), changed: note('changed'), erasing: note('erasing') },
        () => change(rewriter, loopOp, useOp),
      );
      rewriter.setAttribute(useOp, 'after', unitAttribute);
    });
    return events;
  };

  it.each<[string, Parameters<typeof heard>[0], readonly string[]]>([
    ['attributes', (r, loopOp) => r.setAttribute(loopOp, 'mark', unitAttribute), ['changed test.loop']],
    ['operands', (r, _, useOp) => r.setOperands(useOp, useOp.operands), ['changed test.use']],
    [
      'operations that are created',
      (r, loopOp) => {
        r.setInsertionPointBefore(loopOp);
        r.create(source.state({ resultTypes: [i32] }));
      },
      ['inserted test.source'],
    ],
    ['operations that are moved', (r, loopOp, useOp) => r.moveBefore(useOp, loopOp), ['inserted test.use']],
    [
      'operations that are erased, from the outside in, while they are there',
      (r, loopOp) => r.eraseOperation(loopOp),
      ['erasing test.loop', 'erasing test.use'],
    ],
    [
      'copies, with what is in them',
      (r, loopOp, useOp) => {
        r.setInsertionPointBefore(useOp);
        r.clone(loopOp);
      },
      ['inserted test.loop', 'inserted test.use'],
    ],
    [
      'copied regions',
      (r, loopOp, useOp) => r.cloneRegion(loopOp.regions[0]!, r.createRegion(useOp)),
      ['changed test.use', 'changed test.use', 'inserted test.use'],
    ],
  ])('hears of %s', (_, change, events) => {
    expect(heard(change)).toEqual(events);
  });

  it('hears nothing more after an error', () => {
    const events: string[] = [];
    edit(sample(), { registry }, (rewriter) => {
      const listener = { changed: ({ name }: DraftOperation) => void events.push(name) };
      expect(() =>
        rewriter.listening(listener, () => {
          throw new Error('stop');
        }),
      ).toThrow('stop');
      rewriter.setAttribute(rewriter.root, 'mark', unitAttribute);
    });
    expect(events).toEqual([]);
  });
});
