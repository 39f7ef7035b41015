import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { dictionaryAttribute, printModule, unitAttribute } from '@sconv/ir';
import type { Handle, NamedSequence, Param, Recorder, Yields } from '../src/index.ts';
import {
  alternatives,
  foreach,
  include,
  match,
  mergeHandles,
  namedSequence,
  schedule,
  sequence,
  suppress,
} from '../src/index.ts';
import { fail, mark, parse, refuse, registry, runText } from './support.ts';

/** Two modules with one op each. */
const payload = parse(
  `module {
  module attributes {test.inner} {
    %0 = "test.a"() {n = 0 : i64} : () -> i32
  }
  module attributes {test.inner} {
    %0 = "test.a"() {n = 1 : i64} : () -> i32
  }
}`,
  'payload.mlir',
);

const any = '!transform.any_op';
const typed = '!transform.op<"test.a">';

/** A script with these lines in its sequence, after other sequences. */
const script = (lines: string, before = '') => `module attributes {transform.with_named_sequence} {
${before}  transform.named_sequence @__transform_main(%arg0: ${any}) {
${lines}
    transform.yield 
  }
}
`;

const matched = `    %0 = transform.structured.match ops{["test.a"]} in %arg0 : (${any}) -> ${typed}`;
const inner = `transform.structured.match ops{["test.a"]} in %arg1 : (!transform.op<"builtin.module">) -> ${typed}`;

const markAll = namedSequence('mark_all', (target: Handle<'test.a'>) => mark({ target }).marked);
const failAndMark = namedSequence('fail_and_mark', (target: Handle<'test.a'>, count: Param<number>) => {
  fail({ target });
  mark({ target });
  return [count];
});

/** The two modules, each a scope. */
const modules = ({ root }: Recorder) =>
  match(
    { target: root },
    { ops: ['builtin.module'], opAttrs: dictionaryAttribute({ 'test.inner': unitAttribute }) },
  ).results;

describe('control flow as code', () => {
  it.each<[string, (recorder: Recorder) => Yields, string, string]>([
    [
      'foreach',
      ($) => {
        const marked = foreach($.match('test.a'), (each) => mark({ target: each }).marked);
        fail({ target: marked }, { at: 1 });
      },
      `${matched}
    %1 = transform.foreach %0 : ${typed} -> ${typed} {
    ^bb0(%arg1: ${typed}):
      %2 = transform.test.mark %arg1 : (${typed}) -> ${typed}
      transform.yield %2 : ${typed}
    }
    transform.test.fail %1 {at = 1 : i64} : ${typed}`,
      '',
    ],
    [
      'foreach over two handles, up to the end of the shorter',
      ($) => {
        foreach(
          [$.match('test.a'), $.root],
          (each, root) => {
            mark({ target: each });
            match({ target: root }, { ops: [] });
          },
          { zipShortest: true },
        );
      },
      `${matched}
    transform.foreach %0, %arg0 with_zip_shortest : ${typed}, ${any} {
    ^bb0(%arg1: ${typed}, %arg2: ${any}):
      %1 = transform.test.mark %arg1 : (${typed}) -> ${typed}
      %2 = transform.structured.match ops{[]} in %arg2 : (${any}) -> ${any}
    }`,
      '',
    ],
    [
      'a sequence, included twice',
      ($) => {
        const all = include(markAll, [$.match('test.a')]);
        include(markAll, [all]);
      },
      `${matched}
    %1 = transform.cast %0 : ${typed} to ${any}
    %2 = transform.include @mark_all failures(propagate) (%1) : (${any}) -> ${typed}
    %3 = transform.cast %2 : ${typed} to ${any}
    %4 = transform.include @mark_all failures(propagate) (%3) : (${any}) -> ${typed}`,
      `  transform.named_sequence @mark_all(%arg0: ${any} {transform.consumed}) -> ${typed} {
    %0 = transform.test.mark %arg0 : (${any}) -> ${typed}
    transform.yield %0 : ${typed}
  }
`,
    ],
    [
      'a sequence with a parameter, whose failures are suppressed',
      ($) => {
        include(failAndMark, [$.match('test.a'), $.param(3)], { failures: 'suppress' });
      },
      `${matched}
    %1 = transform.param.constant 3 : i64 -> !transform.param<i64>
    %2 = transform.cast %0 : ${typed} to ${any}
    %3 = transform.include @fail_and_mark failures(suppress) (%2, %1) : (${any}, !transform.param<i64>) -> !transform.param<i64>`,
      `  transform.named_sequence @fail_and_mark(%arg0: ${any} {transform.consumed}, %arg1: !transform.param<i64> {transform.readonly}) -> !transform.param<i64> {
    transform.test.fail %arg0 : ${any}
    %0 = transform.test.mark %arg0 : (${any}) -> ${typed}
    transform.yield %arg1 : !transform.param<i64>
  }
`,
    ],
    [
      'steps whose failures are suppressed',
      ($) => {
        const all = $.match('test.a');
        suppress(all, (target) => {
          fail({ target });
          mark({ target });
        });
      },
      `${matched}
    transform.sequence %0 : ${typed} failures(suppress) {
    ^bb0(%arg1: ${typed}):
      transform.test.fail %arg1 : ${typed}
      %1 = transform.test.mark %arg1 : (${typed}) -> ${typed}
    }`,
      '',
    ],
    [
      'steps on several targets',
      ($) => sequence([$.match('test.a'), $.param('x')], (target, label) => [label, mark({ target }).marked]),
      `${matched}
    %1 = transform.param.constant "x" -> !transform.any_param
    %2:2 = transform.sequence %0, %1 : (${typed}, !transform.any_param) -> !transform.any_param, ${typed} failures(propagate) {
    ^bb0(%arg1: ${typed}, %arg2: !transform.any_param):
      %3 = transform.test.mark %arg1 : (${typed}) -> ${typed}
      yield %arg2, %3 : !transform.any_param, ${typed}
    }`,
      '',
    ],
    [
      'alternatives, what they yield being of several types',
      ($) => {
        alternatives(modules($), [
          (scope) => refuse({ target: scope.recorder.match('test.a') }).refused,
          (scope) => mark({ target: scope.recorder.match('test.a') }).marked,
        ]);
      },
      `    %0 = transform.structured.match ops{["builtin.module"]} attributes {test.inner} in %arg0 : (${any}) -> !transform.op<"builtin.module">
    %1 = transform.alternatives %0 : !transform.op<"builtin.module"> -> ${any} {
    ^bb0(%arg1: !transform.op<"builtin.module">):
      %2 = ${inner}
      %3 = transform.test.refuse %2 : (${typed}) -> ${any}
      transform.yield %3 : ${any}
    }, {
    ^bb0(%arg1: !transform.op<"builtin.module">):
      %2 = ${inner}
      %3 = transform.test.mark %2 : (${typed}) -> ${typed}
      %4 = transform.cast %3 : ${typed} to ${any}
      transform.yield %4 : ${any}
    }`,
      '',
    ],
  ])('%s, and the same as text', (_, record, lines, before) => {
    const recorded = schedule(($) => {
      record($);
    });
    const text = recorded.toMlir(registry);
    expect(text).toBe(script(lines, before));
    const asCode = recorded.run(payload, { registry });
    const asText = runText(text, {}, payload);
    expect(asCode.status).toBe(asText.status);
    if (asCode.status !== 'success') return;
    expect(printModule(asCode.value.module, { registry })).toBe(
      printModule(unwrap(asText).module, { registry }),
    );
  });

  it.each<[string, (recorder: Recorder) => unknown, RegExp]>([
    [
      'a target that a body has consumed',
      ($) => {
        const all = $.match('test.a');
        foreach(all, (target) => mark({ target }).marked);
        return mark({ target: all });
      },
      /mark uses a handle that transform\.test\.mark has consumed \[schedule\/consumed-handle\]/,
    ],
    [
      'what a sequence has consumed',
      ($) => {
        const all = $.match('test.a');
        include(markAll, [all]);
        return mark({ target: all });
      },
      /mark uses a handle that transform\.include has consumed \[schedule\/consumed-handle\]/,
    ],
    [
      'the scope of alternatives',
      ($) => {
        const scope = modules($);
        alternatives(scope, [() => undefined]);
        return match({ target: scope });
      },
      /match uses a handle that transform\.alternatives has consumed \[schedule\/consumed-handle\]/,
    ],
    [
      'a handle from outside in an alternative',
      ($) => {
        const all = $.match('test.a');
        alternatives(modules($), [(scope) => mergeHandles({ handles: [all, scope] }).result]);
      },
      /handles of different schedules, or of a body that sees its own arguments alone/,
    ],
    [
      'alternatives that yield different numbers',
      ($) => alternatives(modules($), [(scope) => scope, () => undefined]),
      /bodies of which one is run yield different numbers of handles \[schedule\/yield\]/,
    ],
    [
      'alternatives of which one yields a handle, another a list of it',
      ($) => alternatives(modules($), [(scope) => scope, (scope) => [scope]]),
      /bodies of which one is run yield different numbers of handles \[schedule\/yield\]/,
    ],
    [
      'alternatives that yield lists of other lengths',
      ($) => alternatives(modules($), [(scope) => [scope], (scope) => [scope, scope]]),
      /bodies of which one is run yield different numbers of handles \[schedule\/yield\]/,
    ],
    [
      'a promise as what a body yields',
      ($) => foreach($.root, () => Promise.resolve() as unknown as undefined),
      /a body yields nothing, a handle or parameter of its own, or a list of such \[schedule\/yield\]/,
    ],
    [
      'two sequences of one name',
      ($) => {
        include(markAll, [$.match('test.a')]);
        return include(
          namedSequence('mark_all', (target: Handle) => target),
          [$.root],
        );
      },
      /there are two sequences of the name 'mark_all' \[schedule\/sequence\]/,
    ],
    [
      'a sequence of the name of the schedule itself',
      ($) =>
        include(
          namedSequence('__transform_main', (target: Handle) => target),
          [$.root],
        ),
      /there are two sequences of the name '__transform_main' \[schedule\/sequence\]/,
    ],
    [
      'a sequence that includes itself',
      ($) => {
        const again: NamedSequence<readonly [Handle], undefined> = namedSequence(
          'again',
          (target: Handle) => {
            include(again, [target]);
          },
        );
        include(again, [$.root]);
      },
      /the sequence 'again' includes itself \[schedule\/sequence\]/,
    ],
    [
      'a sequence with parameters of other types than before',
      ($) => {
        const labelled = namedSequence('labelled', (_: Handle, label: Param) => label);
        include(labelled, [$.root, $.param(1)]);
        return include(labelled, [$.root, $.param('x')]);
      },
      /the sequence 'labelled' was included with parameters of other types before \[schedule\/sequence\]/,
    ],
  ])('refuses %s', (_, record, message) => {
    expect(() =>
      schedule(($) => {
        record($);
      }),
    ).toThrow(message);
  });
});

describe('what a body yields is given in the same form', () => {
  const forms: readonly (readonly [
    form: string,
    of: (handle: Handle) => Yields,
    isAsBefore: (given: Yields) => boolean,
  ])[] = [
    ['nothing', () => undefined, (given) => given === undefined],
    [
      'a handle',
      (handle) => handle,
      (given) => given !== undefined && 'kind' in given && given.kind === 'handle',
    ],
    ['an empty list', () => [], (given) => Array.isArray(given) && given.length === 0],
    ['a list of one', (handle) => [handle], (given) => Array.isArray(given) && given.length === 1],
    ['a list of two', (handle) => [handle, handle], (given) => Array.isArray(given) && given.length === 2],
  ];
  const operations: readonly (readonly [
    string,
    ($: Recorder, body: (handle: Handle) => Yields) => Yields,
  ])[] = [
    ['foreach', ($, body) => foreach($.root, body)],
    ['sequence', ($, body) => sequence($.root, body)],
    ['suppress', ($, body) => suppress($.root, body)],
    ['alternatives', ($, body) => alternatives(modules($) as Handle, [body, body])],
    ['include', ($, body) => include(namedSequence('step', body), [$.root])],
  ];
  const table = operations.flatMap(([name, operation]) =>
    forms.map(([form, ...rest]) => [name, form, operation, ...rest] as const),
  );

  it.each(table)('%s, %s', (_, __, operation, yields, isAsBefore) => {
    const recorded = schedule(($) => {
      const given = operation($, yields);
      expect(isAsBefore(given)).toBe(true);
      for (const each of given === undefined ? [] : [given].flat()) expect(each.recorder).toBe($);
    });
    const { status, diagnostics } = recorded.run(payload, { registry });
    expect([status, diagnostics]).toEqual(['success', []]);
  });
});
