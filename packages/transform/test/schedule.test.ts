import { describe, expect, it } from 'vitest';
import { bodyOf, children, i32, printModule } from '@sconv/ir';
import { fileLocation, filePosition, unwrap } from '@sconv/diagnostics';
import { foreach, match, mergeHandles, schedule, splitHandle } from '../src/index.ts';
import type { Handle, Recorder } from '../src/index.ts';
import { attributesOf, fail, mark, messages, parse, payload, registry } from './support.ts';

describe('schedule', () => {
  it('records the same script that text gives', () => {
    const recorded = schedule((recorder) => {
      const { marked } = mark({ target: recorder.root });
      fail({ target: marked }, { at: 2 });
      return undefined;
    });
    expect(recorded.toMlir(registry)).toMatchInlineSnapshot(`
      "module attributes {transform.with_named_sequence} {
        transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
          %0 = transform.test.mark %arg0 : (!transform.any_op) -> !transform.op<"test.a">
          transform.test.fail %0 {at = 2 : i64} : !transform.op<"test.a">
          transform.yield 
        }
      }
      "
    `);
    const again = parse(recorded.toMlir(registry));
    expect(printModule(again, { registry })).toBe(recorded.toMlir(registry));
  });

  it('runs, and gives what its callback returns', () => {
    const recorded = schedule((recorder) => {
      const { results } = match({ target: recorder.root }, { ops: ['test.a'] });
      return [mark({ target: results }).marked];
    });
    const { module, yielded } = unwrap(recorded.run(payload, { registry }));
    expect(attributesOf(module)).toEqual(['n marked', 'n marked']);
    expect(yielded).toEqual([
      { kind: 'operations', operations: module.root.regions[0]!.blocks[0]!.operations },
    ]);
  });

  it('reports what is wrong with a recorded op at its call site', () => {
    const recorded = schedule((recorder) => {
      const { results } = match({ target: recorder.root }, { ops: ['test.a'] });
      fail({ target: results });
      return undefined;
    });
    expect(messages(recorded.run(payload, { registry }))).toMatch(
      /^.*schedule\.test\.ts:\d+:\d+: error: always fails \[test\/fail\]/,
    );
  });

  it('has nothing of an op whose body throws', () => {
    const recorded = schedule(($) => {
      const all = $.match('test.a');
      const stop = (): undefined => {
        throw new Error('stopped');
      };
      expect(() => foreach(all, stop)).toThrow('stopped');
      mark({ target: all });
    });
    expect(recorded.toMlir(registry)).not.toContain('foreach');
    expect(recorded.run(payload, { registry }).status).toBe('success');
  });

  it('records at a place that is given, and at call sites again after it', () => {
    const place = fileLocation('elsewhere', 3, 4);
    const recorded = schedule((recorder) => {
      const { root } = recorder;
      const { marked } = recorder.at(place, () => mark({ target: root }));
      const stop = (): never => {
        throw new Error('stopped');
      };
      expect(() => recorder.at(place, stop)).toThrow('stopped');
      mark({ target: marked });
      return undefined;
    });
    const { operations } = bodyOf(children(recorded.module.root)[0]!);
    expect(operations.map(({ location }) => filePosition(location)?.file.replace(/.*\//, ''))).toEqual([
      'elsewhere',
      'schedule.test.ts',
      undefined,
    ]);
  });

  it('refuses a consumed handle while recording, with both call sites', () => {
    const record = () =>
      schedule((recorder) => {
        mark({ target: recorder.root });
        mark({ target: recorder.root });
        return undefined;
      });
    expect(record).toThrow(
      /schedule\.test\.ts:\d+:\d+: error: transform\.test\.mark uses a handle that transform\.test\.mark has consumed \[schedule\/consumed-handle\]/,
    );
    expect(record).toThrow(/schedule\.test\.ts:\d+:\d+: note: consumed here by transform\.test\.mark/);
  });

  it('refuses to yield a consumed handle', () => {
    expect(() =>
      schedule(({ root }) => {
        mark({ target: root });
        return [root];
      }),
    ).toThrow('the end of a schedule uses a handle that transform.test.mark has consumed');
  });

  it.each<[string, (recorder: Recorder, other: Handle) => unknown]>([
    ['an object of handles', ({ root }) => ({ root })],
    ['a promise', () => Promise.resolve()],
    ['a handle of another schedule', (_, other) => [other]],
  ])('refuses to yield %s', (_, record) => {
    schedule(({ root: other }) => {
      expect(() => schedule((recorder) => record(recorder, other) as undefined)).toThrow(
        /schedule\.test\.ts:\d+:\d+: error: a schedule yields nothing, a handle or parameter of its own, or a list of such \[schedule\/yield\]/,
      );
      return undefined;
    });
  });

  it('refuses handles of two schedules in one op', () => {
    schedule((outer) => {
      schedule((inner) => {
        expect(() => mergeHandles({ handles: [outer.root, inner.root] })).toThrow(
          'handles of different schedules, or of a body that sees its own arguments alone, are used together',
        );
        return undefined;
      });
      return undefined;
    });
  });

  it('refuses an op without operands, which belongs to no schedule', () => {
    expect(() => mergeHandles({ handles: [] })).toThrow('recorded through the recorder');
  });

  it('wants to know how many results an op has that does not say so itself', () => {
    schedule(({ root }) => {
      expect(() => splitHandle({ handle: root })).toThrow(
        'say how many results transform.split_handle has: { resultCount: … }',
      );
      const { results } = splitHandle({ handle: root }, {}, { resultCount: 2 });
      expect(results).toHaveLength(2);
      return undefined;
    });
  });

  it('verifies what was recorded, and reports it at its call site', () => {
    const recorded = schedule(({ root }) => {
      splitHandle({ handle: root }, {}, { resultTypes: [i32] });
    });
    expect(messages(recorded.run(payload, { registry }))).toMatch(
      /schedule\.test\.ts:\d+:\d+: error: .* result #0 must be .*TransformHandleTypeInterface instance, but got 'i32'/,
    );
  });
});
