import { describe, expect, it } from 'vitest';
import { success, unwrap } from '@sconv/diagnostics';
import { extendRegistry, i64, tensorType } from '@sconv/ir';
import {
  anyOp,
  collectTrace,
  defineTransformOp,
  expansionsIn,
  reads,
  schedule,
  ScheduleRun,
  transformDialectOf,
} from '../src/index.ts';
import type { Handle } from '../src/index.ts';
import {
  attributesOf,
  main,
  messages,
  parse,
  payload,
  registry,
  runText,
  runWithLibrary,
  step,
  yieldedBy,
} from './support.ts';

describe('runSchedule', () => {
  it('applies an op to all payload of a handle, and leaves the payload that it was given', () => {
    const result = unwrap(runText(main(`%m = transform.test.mark %all : ${step}`)));
    expect(attributesOf(result.module)).toEqual(['n marked', 'n marked']);
    expect(attributesOf(payload)).toEqual(['n', 'n']);
  });

  it('gives the operations that the sequence yields', () => {
    const script = main('').replace('transform.yield', 'transform.yield %all : !transform.any_op');
    const result = runText(script);
    const { module } = unwrap(result);
    expect(yieldedBy(result)).toEqual([module.root.regions[0]!.blocks[0]!.operations]);
  });

  it('runs the entry point that it is told', () => {
    const script = main('').replace('@__transform_main', '@other');
    expect(messages(runText(script))).toContain('named sequence with name: __transform_main');
    expect(runText(script, { entryPoint: 'other' }).status).toBe('success');
  });

  it('reports a failure at the transform op, then at the payload op, and changes nothing', () => {
    const trace = collectTrace();
    const result = runText(main('transform.test.fail %all {at = 1 : i64} : !transform.any_op'), { trace });
    expect(trace.children.map((node) => [node.status, node.after() === payload])).toEqual([
      ['success', true],
      ['silenceable', true],
    ]);
    expect(messages(result)).toMatchInlineSnapshot(`
      "script.mlir:4:5: error: always fails [test/fail]
      payload.mlir:3:8: note: payload op
      payload.mlir:3:8: note: as it is now: %1 = "test.a"(%0) {n = 1 : i64} : (i32) -> i32"
    `);
  });

  it('expands an op into a schedule, target by target', () => {
    const result = unwrap(runText(main(`%m = transform.test.mark_twice %all : ${step}`)));
    expect(attributesOf(result.module)).toEqual(['n marked', 'n marked']);
  });

  it('fails where an op expands to itself', () => {
    let again: (target: Handle) => void = () => undefined;
    const forever = defineTransformOp({
      name: 'transform.test.forever',
      summary: 'Expands to itself.',
      operands: { target: reads('ops') },
      assembly: { format: '$target attr-dict `:` type($target)' },
      expand: () =>
        success(
          schedule(({ root }) => {
            again(root);
          }),
        ),
    });
    again = (target) => {
      forever({ target });
    };
    const known = extendRegistry(registry, [transformDialectOf([forever])]);
    const recorded = schedule(({ root }) => {
      again(root);
    });
    expect(recorded.run(payload, { registry: known })).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'transform/nesting' }],
    });
  });

  it('fails where a number passes 2^53, in an op and in an expansion', () => {
    const declared = {
      summary: 'Makes a type that is too wide.',
      operands: { target: reads('ops') },
      assembly: { format: '$target attr-dict `:` type($target)' },
    } as const;
    const grow = () => {
      tensorType([2 ** 53], i64);
      return success({});
    };
    const applied = defineTransformOp({ ...declared, name: 'transform.test.wide', apply: grow });
    const expanded = defineTransformOp({
      ...declared,
      name: 'transform.test.widen',
      expand: () => {
        grow();
        return success(schedule(() => undefined));
      },
    });
    const known = extendRegistry(registry, [transformDialectOf([applied, expanded])]);
    for (const op of [applied, expanded]) {
      const recorded = schedule(({ root }) => {
        op({ target: root });
      });
      expect(recorded.run(payload, { registry: known })).toMatchObject({
        diagnostics: [{ code: 'transform/arithmetic' }],
      });
    }
  });

  /** A sequence without results. */
  const sequence = (name: string, body: string): string =>
    `transform.named_sequence @${name}(%root: !transform.any_op {transform.readonly}) {\n${body}transform.yield\n}\n`;

  it('ends where sequences include each other too often', () => {
    const twice = (name: string): string =>
      `transform.include @${name} failures(propagate) (%root) : (!transform.any_op) -> ()\n`.repeat(2);
    const names = Array.from({ length: 40 }, (_, i) => `s${i}`);
    const sequences = names.map((name, i) => sequence(name, i === 0 ? '' : twice(names[i - 1]!)));
    const script = `${sequence('__transform_main', twice('s39'))}${sequences.join('')}`;
    const message = 'the schedule has run 1048576 steps, and is not at its end [transform/steps]';
    expect(messages(runText(script))).toContain(message);
  });

  it('ends where a handle refers to too much', () => {
    const merges = Array.from({ length: 40 }, (_, i) => {
      const from = i === 0 ? 'root' : i - 1;
      return `%${i} = transform.merge_handles %${from}, %${from} : !transform.any_op\n`;
    });
    const message = 'a handle to more than 1048576 items [transform/handle-size]';
    expect(messages(runText(sequence('__transform_main', merges.join(''))))).toContain(message);
  });

  it('tells warnings in the order in which they arose', () => {
    const found = (name: string) =>
      `%${name} = transform.structured.match ops{["x.${name}"]} in %root : ${step}`;
    const result = runText(main(`${found('one')}\n${found('two')}`));
    expect(messages(result).match(/x\.\w+/g)).toEqual(['x.one', 'x.two']);
  });

  it('takes a failing expansion back for all targets', () => {
    const trace = collectTrace();
    const result = runText(main('transform.test.mark_then_fail %all : !transform.any_op'), { trace });
    const [, failing] = trace.children;
    expect(result.status).toBe('definite');
    expect(failing!.children.map(({ status, isUndone }) => [status, isUndone])).toEqual([
      ['success', true],
      ['silenceable', true],
    ]);
    expect(attributesOf(failing!.children[0]!.after())).toEqual(['n marked', 'n']);
    expect(failing!.after()).toBe(payload);
    expect(expansionsIn(trace)).toEqual([]);
  });

  it.each([
    ['between two ops', 1, `%m = transform.test.mark %all : ${step}`],
    ['in an expansion', 3, `%m = transform.test.mark_twice %all : ${step}`],
  ])('stops %s when aborted', (_, after, body) => {
    let asked = 0;
    const signal = {
      get aborted() {
        return asked++ >= after;
      },
    };
    const result = runText(main(body), { signal });
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain('the schedule was aborted [transform/aborted]');
  });
});

describe('handles', () => {
  it('are refused after they were consumed, with what consumed them', () => {
    const result = runText(
      main(`%m = transform.test.mark %all : ${step}
    %n = transform.test.mark %all : ${step}`),
    );
    expect(messages(result)).toMatchInlineSnapshot(`
      "script.mlir:5:10: error: op uses a handle invalidated by a previously executed transform op [transform/invalidated-handle]
      script.mlir:3:12: note: handle to invalidated ops
      script.mlir:4:10: note: invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them
      payload.mlir:2:8: note: ancestor payload op
      payload.mlir:2:8: note: nested payload op"
    `);
  });

  it('to values are refused after what defines these was consumed', () => {
    const result = runText(
      main(`%v = transform.get_result %all[0] : (!transform.any_op) -> !transform.any_value
    %m = transform.test.mark %all : ${step}
    %d = transform.get_defining_op %v : (!transform.any_value) -> !transform.any_op`),
    );
    const said = messages(result).split('\n');
    expect(said.map((line) => line.replace(/^\S+ /, '')).slice(-3)).toEqual([
      'note: ancestor op associated with the consumed handle',
      'note: op defining the value as result #0',
      'note: payload value',
    ]);
  });

  it('are invalidated with others to the same payload', () => {
    const result = runText(
      main(`%same = transform.structured.match ops{["test.a"]} in %root : ${step}
    %m = transform.test.mark %all : ${step}
    transform.test.fail %same : !transform.any_op`),
    );
    expect(messages(result)).toContain('invalidated by this transform op that consumes its operand #0');
  });

  it('are invalidated with what stands around their payload', () => {
    const nested = parse('"test.b"() ({ %0 = "test.a"() : () -> i32 }) : () -> ()');
    const result = runText(
      main(`%outer = transform.structured.match ops{["test.b"]} in %root : ${step}
    %m = transform.test.mark %outer : ${step}
    transform.test.fail %all : !transform.any_op`),
      {},
      nested,
    );
    expect(messages(result)).toContain('invalidated by this transform op that consumes its operand #0');
  });

  it('follow their payload through edits', () => {
    const result = runText(
      main(`%again = transform.structured.match ops{["test.a"]} in %root : ${step}
    transform.test.remake %all : !transform.any_op
    %m = transform.test.mark %again : ${step}`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it('follow their payload through the edits of an expansion', () => {
    const result = runText(
      main(`%m = transform.test.mark_twice %all : ${step}
    %n = transform.test.mark_twice %m : ${step}
    transform.test.fail %n {at = 1 : i64} : !transform.any_op`),
    );
    expect(messages(result)).toContain('as it is now: %1 = "test.a"(%0)');
  });

  it('follow their payload through the expansion of an op that reads it', () => {
    const result = runText(
      main(`%again = transform.structured.match ops{["test.a"]} in %root : ${step}
    transform.test.remake_later %all : !transform.any_op
    %m = transform.test.mark %again : ${step}`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it('are refused after they were consumed without any payload', () => {
    const result = runText(
      main(`%none = transform.structured.match ops{[]} in %root : ${step}
    %m = transform.test.mark %none : ${step}
    %n = transform.test.mark %none : ${step}`),
    );
    expect(messages(result)).toContain('[transform/invalidated-handle]');
  });

  it('point a person to the payload that stands twice', () => {
    const result = runText(
      main(`%twice = transform.merge_handles %all, %all : !transform.any_op
    %m = transform.test.mark %twice : ${step}`),
    );
    expect(messages(result)).toContain('payload.mlir:2:8: note: repeated target op');
  });

  it('may be bound anew by a sequence that runs again', () => {
    const result = runText(
      main(
        `%one = transform.include @step failures(propagate) (%all) : ${step}
    %two = transform.include @step failures(propagate) (%one) : ${step}`,
        `transform.named_sequence @step(%x: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %m = transform.test.mark %x : ${step}
    %n = transform.merge_handles %m : !transform.any_op
    transform.yield %n : !transform.any_op
  }`,
      ),
    );
    expect(messages(result)).toBe('');
  });
});

describe('what a script may get wrong', () => {
  it.each([
    [
      'transform/handle-type',
      main(
        '%m = transform.structured.match ops{["test.a"]} in %root : (!transform.any_op) -> !transform.op<"test.b">',
      ),
      'incompatible payload operation name expected test.b vs test.a',
    ],
    [
      'transform/repeated-payload',
      main(`%twice = transform.merge_handles %all, %all : !transform.any_op
    %m = transform.test.mark %twice : ${step}`),
      'points to a payload entity more than once',
    ],
    [
      'transform/not-a-transform',
      main('%x = "test.a"() : () -> i32'),
      "'test.a' is not a transform operation",
    ],
    ['transform/no-entry-point', 'module {}', 'named sequence with name: __transform_main [transform'],
    [
      'transform/no-entry-point',
      'module attributes {transform.with_named_sequence} { transform.named_sequence @main(%a: !transform.any_op) { transform.yield } }',
      'could not find a nested named sequence with name: __transform_main (there are @main)',
    ],
    [
      'transform/entry-arguments',
      'module attributes {transform.with_named_sequence} { transform.named_sequence @__transform_main(%a: !transform.any_op, %b: !transform.any_op) { transform.yield } }',
      'operation expects 1 extra value bindings, but 0 were provided to the interpreter',
    ],
    [
      'transform/no-entry-point',
      'module attributes {transform.with_named_sequence} { transform.named_sequence private @__transform_main(!transform.any_op {transform.readonly}) }',
      "the sequence '@__transform_main' has no body",
    ],
  ])('%s', (code, script, message) => {
    const result = runText(script);
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(message);
    expect(messages(result)).toContain(`[${code}]`);
  });

  it('transform/result-count', () => {
    const result = runWithLibrary(
      main('%x = transform.include @nothing failures(propagate) () : () -> !transform.any_op'),
      'transform.named_sequence @nothing() { transform.yield }',
    );
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(
      "'transform.include' produces 0 handles, but 1 are bound [transform/result-count]",
    );
  });

  it('transform/not-implemented', () => {
    const result = runText(main('transform.test.idle %all : !transform.any_op'));
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(
      "'transform.test.idle' is not implemented [transform/not-implemented]",
    );
  });

  it('is no matter of the script that a value was never bound', () => {
    const run = new ScheduleRun(payload, payload, { registry });
    expect(() => run.idsOf({ id: 0, type: anyOp })).toThrow('a script value that no op has bound');
  });

  it('transform/nested-payload', () => {
    const nested = parse('"test.b"() ({ %0 = "test.a"() : () -> i32 }) : () -> ()');
    const outer = (name: string) => `transform.structured.match ops{["${name}"]} in %root : ${step}`;
    const result = runText(
      main(`%b = ${outer('test.b')}
    %a = ${outer('test.a')}
    %both = transform.merge_handles %b, %a : !transform.any_op
    %m = transform.test.mark %both : ${step}`),
      {},
      nested,
    );
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(
      'consumes a handle pointing to an ancestor payload operation before its descendant [transform/nested-payload]',
    );
  });
});
