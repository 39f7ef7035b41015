import { describe, expect, it } from 'vitest';
import { render, success, silenceable, error, unwrap } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import {
  anyType,
  createRegistry,
  defineOp,
  extendRegistry,
  i64Attribute,
  one,
  parseModule,
  printModule,
  unitAttribute,
  variadic,
  withDefault,
} from '@sconv/ir';
import type { Module } from '@sconv/ir';
import { builtinDialect } from '@sconv/dialects/builtin';
import {
  consumes,
  defineTransformOp,
  mergeHandles,
  produces,
  reads,
  runSchedule,
  schedule,
  transformDialect,
  transformDialectOf,
} from '../src/index.ts';
import type { RunResult } from '../src/index.ts';

const a = defineOp({
  name: 'test.a',
  summary: 'An op.',
  operands: { inputs: variadic(anyType) },
  results: { result: one(anyType) },
});

/** Replaces each target by a marked copy. */
const mark = defineTransformOp({
  name: 'transform.test.mark',
  summary: 'Marks.',
  operands: { target: consumes('ops') },
  results: { marked: produces('copies', 'test.a') },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }) =>
    success({
      marked: target.map((op) =>
        rewriter.replaceWith(
          op,
          a.state({
            operands: { inputs: op.operands },
            extra: { ...op.attributes, marked: unitAttribute },
            resultTypes: op.results.map((result) => result.type),
          }),
        ),
      ),
    }),
});

/** Erases targets but fails at the `at`-th. */
const fail = defineTransformOp({
  name: 'transform.test.fail',
  summary: 'Fails.',
  operands: { target: reads('ops') },
  attributes: { at: withDefault(i64Attribute, 0) },
  failures: { 'test/fail': { mode: 'silenceable', when: 'always' } },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }, { at }) => {
    target.slice(0, at).forEach((op) => rewriter.setAttribute(op, 'touched', unitAttribute));
    return silenceable(error('test/fail', 'always fails', target[at]!.location));
  },
});

/** As two marks, one after the other. */
const markTwice = defineTransformOp({
  name: 'transform.test.mark_twice',
  summary: 'Marks twice.',
  operands: { target: consumes('ops') },
  results: { marked: produces('copies') },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  expand: () =>
    success(
      schedule((recorder) => {
        const first = recorder.stage('first', () => mark({ target: recorder.root }).marked);
        recorder.stage('nothing', () => undefined);
        return [recorder.stage('second', () => mark({ target: first }).marked)];
      }),
    ),
});

const registry = extendRegistry(
  createRegistry([builtinDialect, { name: 'test', operations: [a] }, transformDialect]),
  [transformDialectOf([mark, fail, markTwice])],
);

const payload = unwrap(
  parseModule(
    `module {
  %0 = "test.a"() {n = 0 : i64} : () -> i32
  %1 = "test.a"(%0) {n = 1 : i64} : (i32) -> i32
}`,
    { registry, fileName: 'payload.mlir' },
  ),
);

const main = (body: string, more = '') => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %all = transform.structured.match ops{["test.a"]} in %root : (!transform.any_op) -> !transform.any_op
    ${body}
    transform.yield
  }
  ${more}
}`;

const runText = (script: string): Diagnosed<RunResult> =>
  runSchedule(unwrap(parseModule(script, { registry, fileName: 'script.mlir' })), payload, { registry });

const attributesOf = (module: Module) =>
  module.root.regions[0]!.blocks[0]!.operations.map((op) => Object.keys(op.attributes).join(' '));

const messages = (result: Diagnosed<unknown>) =>
  result.diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

describe('runSchedule', () => {
  it('applies an op to all payload of a handle', () => {
    const result = unwrap(
      runText(main('%m = transform.test.mark %all : (!transform.any_op) -> !transform.op<"test.a">')),
    );
    expect(attributesOf(result.module)).toEqual(['n marked', 'n marked']);
    expect(attributesOf(payload)).toEqual(['n', 'n']);
  });

  it('refuses a handle after it was consumed, and says by what', () => {
    const result = runText(
      main(`%m = transform.test.mark %all : (!transform.any_op) -> !transform.any_op
    %n = transform.test.mark %all : (!transform.any_op) -> !transform.any_op`),
    );
    expect(messages(result)).toMatchInlineSnapshot(`
      "script.mlir:5:10: error: op uses a handle invalidated by a previously executed transform op [transform/invalidated-handle]
      script.mlir:4:10: note: invalidated by this transform.test.mark"
    `);
  });

  it('invalidates other handles to the same payload', () => {
    const result = runText(
      main(`%same = transform.structured.match ops{["test.a"]} in %root : (!transform.any_op) -> !transform.any_op
    %m = transform.test.mark %all : (!transform.any_op) -> !transform.any_op
    transform.test.fail %same : !transform.any_op`),
    );
    expect(messages(result)).toContain('invalidated by this transform.test.mark');
  });

  it('reports a failure at the transform op, then at the payload op, and changes nothing', () => {
    const steps: Module[] = [];
    const script = unwrap(
      parseModule(main('transform.test.fail %all {at = 1 : i64} : !transform.any_op'), {
        registry,
        fileName: 'script.mlir',
      }),
    );
    const result = runSchedule(script, payload, { registry, onStep: (_, module) => steps.push(module) });
    expect(steps).toEqual([payload]);
    expect(steps[0]).toBe(payload);
    expect(messages(result)).toContain('script.mlir:4:5: error: always fails [test/fail]');
    expect(messages(result)).toContain('payload.mlir:3:8: note: payload op');
    expect(messages(result)).toContain('note: as it is now: ');
  });

  it('checks the op name that a handle type promises', () => {
    const result = runText(
      main(
        '%m = transform.structured.match ops{["test.a"]} in %root : (!transform.any_op) -> !transform.op<"test.b">',
      ),
    );
    expect(messages(result)).toContain('incompatible payload operation name, expected test.b, got test.a');
  });

  it('runs the body of foreach for each payload op, and joins what it yields', () => {
    const result = runText(
      main(`%m = transform.foreach %all : !transform.any_op -> !transform.any_op {
    ^bb0(%each: !transform.any_op):
      %c = transform.test.mark %each : (!transform.any_op) -> !transform.any_op
      transform.yield %c : !transform.any_op
    }
    %first, %second = transform.split_handle %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %both = transform.merge_handles deduplicate %first, %second, %first : !transform.any_op`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it('includes sequences, and stops where they include each other without end', () => {
    const include = 'transform.include @step failures(propagate) (%all) : (!transform.any_op) -> ()';
    const step = (body: string) =>
      `transform.named_sequence @step(%all: !transform.any_op) { ${body} transform.yield }`;
    const done = runText(
      main(include, step('%m = transform.test.mark %all : (!transform.any_op) -> !transform.any_op')),
    );
    expect(attributesOf(unwrap(done).module)).toEqual(['n marked', 'n marked']);
    expect(messages(runText(main(include, step(include))))).toContain('nest deeper than 64 levels');
    expect(messages(runText(main(include)))).toContain("no named sequence '@step'");
  });

  it('goes on after a silenceable failure that an include suppresses', () => {
    const result = runText(
      main(
        `transform.include @step failures(suppress) (%all) : (!transform.any_op) -> ()
    %m = transform.test.mark %all : (!transform.any_op) -> !transform.any_op`,
        `transform.named_sequence @step(%x: !transform.any_op) { transform.test.fail %x : !transform.any_op transform.yield }`,
      ),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it('expands an op into a schedule, target by target, with its stages', () => {
    const stages: string[] = [];
    const script = unwrap(
      parseModule(main('%m = transform.test.mark_twice %all : (!transform.any_op) -> !transform.any_op'), {
        registry,
      }),
    );
    const result = unwrap(runSchedule(script, payload, { registry, onStage: (stage) => stages.push(stage) }));
    expect(stages).toEqual(['first', 'nothing', 'second', 'first', 'nothing', 'second']);
    expect(attributesOf(result.module)).toEqual(['n marked', 'n marked']);
  });

  it('needs the entry point', () => {
    expect(messages(runText('module {}'))).toContain(
      'could not find a nested named sequence with name: __transform_main',
    );
  });

  it('stops between ops when aborted', () => {
    const script = unwrap(parseModule(main(''), { registry }));
    expect(runSchedule(script, payload, { registry, signal: { aborted: true } }).status).toBe('definite');
  });
});

describe('schedule', () => {
  it('records the same script that text gives', () => {
    const recorded = schedule((recorder) => {
      const { marked } = mark({ target: recorder.root });
      fail({ target: marked }, { at: 2 });
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
    const again = unwrap(parseModule(recorded.toMlir(registry), { registry }));
    expect(printModule(again, { registry })).toBe(recorded.toMlir(registry));
  });

  it('refuses a consumed handle while recording, with both call sites', () => {
    const record = () =>
      schedule((recorder) => {
        mark({ target: recorder.root });
        mark({ target: recorder.root });
      });
    expect(record).toThrow(
      /run\.test\.ts:\d+:\d+: error: transform\.test\.mark uses a handle that transform\.test\.mark has consumed/,
    );
    expect(record).toThrow(/run\.test\.ts:\d+:\d+: note: consumed here by transform\.test\.mark/);
  });

  it('refuses handles of two schedules in one op', () => {
    schedule((outer) => {
      schedule((inner) => {
        expect(() => mergeHandles({ handles: [outer.root, inner.root] })).toThrow(
          'handles of different schedules are used together',
        );
      });
    });
  });
});

describe('what a script may get wrong', () => {
  it.each([
    [
      'a consumed handle in a yield',
      main(`%f = transform.foreach %all : !transform.any_op -> !transform.any_op {
    ^bb0(%each: !transform.any_op):
      %m = transform.test.mark %each : (!transform.any_op) -> !transform.any_op
      transform.yield %each : !transform.any_op
    }`),
      'op uses a handle invalidated',
    ],
    [
      'the same payload twice in a consumed operand',
      main(`%twice = transform.merge_handles %all, %all : !transform.any_op
    %m = transform.test.mark %twice : (!transform.any_op) -> !transform.any_op`),
      'points to a payload op more than once',
    ],
    [
      'an include with another number of handles',
      main(
        'transform.include @step failures(propagate) () : () -> ()',
        'transform.named_sequence @step(%x: !transform.any_op) { transform.yield }',
      ),
      "'@step' takes 1 handles, but is included with 0",
    ],
    [
      'foreach over handles of different lengths',
      main(`%first, %second = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.foreach %all, %first : !transform.any_op, !transform.any_op {
    ^bb0(%x: !transform.any_op, %y: !transform.any_op):
    }`),
      'different numbers of payload ops: 2, 1',
    ],
    [
      'an entry point with two arguments',
      'module attributes {transform.with_named_sequence} { transform.named_sequence @__transform_main(%a: !transform.any_op, %b: !transform.any_op) { transform.yield } }',
      'the entry point takes the payload',
    ],
  ])('%s', (_, script, message) => {
    const result = runText(script);
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(message);
  });

  it('may run a sequence again on what it made', () => {
    const step = '(!transform.any_op) -> !transform.any_op';
    const result = runText(
      main(
        `%one = transform.include @step failures(propagate) (%all) : ${step}
    %two = transform.include @step failures(propagate) (%one) : ${step}`,
        `transform.named_sequence @step(%x: !transform.any_op) -> !transform.any_op {
    %m = transform.test.mark %x : ${step}
    %n = transform.merge_handles %m : !transform.any_op
    transform.yield %n : !transform.any_op
  }`,
      ),
    );
    expect(messages(result)).toBe('');
  });

  it('names values in the note that shows the payload as they are named in the payload', () => {
    const result = runText(main('transform.test.fail %all {at = 1 : i64} : !transform.any_op'));
    expect(messages(result)).toContain('as it is now: %1 = "test.a"(%0)');
  });
});
