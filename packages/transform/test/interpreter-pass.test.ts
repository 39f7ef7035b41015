import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { children, printModule, symbolNameOf } from '@sconv/ir';
import type { Module } from '@sconv/ir';
import { interpreterPassWith, transformInterpreterPass, withLibrary } from '../src/index.ts';
import { attributesOf, parse, payload, registry } from './support.ts';

const sequence = (name: string, body: string): string =>
  `transform.named_sequence @${name}(%root: !transform.any_op) {
    ${body}
    transform.yield
  }`;
const marking = `%a = transform.structured.match ops{["test.a"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.test.mark %a : (!transform.any_op) -> !transform.op<"test.a">`;
const script = (...sequences: readonly string[]): Module =>
  parse(`module attributes {transform.with_named_sequence} { ${sequences.join('\n')} }`);
const library = script(sequence('__transform_main', marking), sequence('other', ''));
const include = 'transform.include @marking failures(propagate) (%root) : (!transform.any_op) -> ()';

const marked = (result: ReturnType<ReturnType<typeof transformInterpreterPass>['run']>) =>
  attributesOf(unwrap(result)).filter((text) => text.includes('marked')).length;

describe('transform-interpreter', () => {
  it('runs the sequence of the module, or of one in it', () => {
    const whole = parse(`module attributes {transform.with_named_sequence} {
      %0 = "test.a"() : () -> i32
      ${sequence('__transform_main', marking)}
    }`);
    expect(marked(transformInterpreterPass().run(whole, { registry }))).toBe(1);
    const inner = parse(`module {
      %0 = "test.a"() : () -> i32
      module attributes {transform.with_named_sequence} { ${sequence('__transform_main', marking)} }
    }`);
    expect(marked(transformInterpreterPass().run(inner, { registry }))).toBe(1);
  });

  it('runs the one that is asked for', () => {
    const pass = interpreterPassWith({ library: () => library });
    expect(marked(pass({ entryPoint: '__transform_main' }).run(payload, { registry }))).toBe(2);
    expect(pass({ entryPoint: 'other' }).run(payload, { registry })).toMatchObject({ value: payload });
  });

  it.each([
    ['without a library', transformInterpreterPass()],
    ['with one that lacks it', interpreterPassWith({ library: () => library })({ entryPoint: 'none' })],
    ['with a library that is not there', interpreterPassWith({ library: () => undefined })()],
  ])('fails %s where there is no such sequence', (_, pass) => {
    expect(pass.run(payload, { registry })).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'transform/no-entry-point' }],
    });
  });

  it('takes from a library what its own sequence includes', () => {
    const main = script(sequence('__transform_main', include));
    const both = { ...main, root: main.root };
    const parts = script(sequence('marking', marking));
    const pass = interpreterPassWith({ library: () => parts });
    expect(pass().run(both, { registry }).status).toBe('success');
    expect(transformInterpreterPass().run(both, { registry }).status).toBe('definite');
  });

  it('tells of the steps', () => {
    const names: string[] = [];
    const pass = interpreterPassWith({
      library: () => library,
      trace: {
        leave: (node) => {
          if (node.kind === 'step') names.push(node.operation.name);
        },
      },
    });
    unwrap(pass().run(payload, { registry }));
    expect(names).toEqual(['transform.structured.match', 'transform.test.mark']);
  });
});

describe('the arguments of the entry point', () => {
  const tagged = (tags: readonly string[]) =>
    parse(
      `module {
  ${tags.map((tag) => `module attributes {transform.target_tag = "${tag}"} { %0 = "test.a"() : () -> i32 }`).join('\n  ')}
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}, %ops: !transform.any_op, %values: !transform.any_value, %numbers: !transform.param<i64>) {
      transform.debug.emit_remark_at %root, "root" : !transform.any_op
      transform.debug.emit_remark_at %ops, "op" : !transform.any_op
      transform.debug.emit_remark_at %values, "value" : !transform.any_value
      transform.debug.emit_param_as_remark %numbers : !transform.param<i64>
      transform.yield
    }
  }
}`,
      'both.mlir',
    );
  const run = (tags: readonly string[], options: Parameters<typeof transformInterpreterPass>[0]) =>
    transformInterpreterPass(options).run(tagged(tags), { registry });
  const said = (result: ReturnType<typeof run>) =>
    result.diagnostics.map(({ message, location }) =>
      location.kind === 'file' ? `${location.line}: ${message}` : message,
    );
  const debugBindTrailingArgs = ['test.a', '^test.a', '#1;-2'];

  it('stand for operations, their results and numbers', () => {
    expect(said(run(['x', 'y'], { debugBindTrailingArgs }))).toEqual([
      '1: root',
      '2: op',
      '3: op',
      '2: value',
      '3: value',
      '9: 1 : i64, -2 : i64',
    ]);
  });

  it('are looked for in the payload that has a tag', () => {
    expect(said(run(['x', 'y'], { debugBindTrailingArgs, debugPayloadRootTag: 'y' }))).toEqual([
      '3: root',
      '3: op',
      '3: value',
      '9: 1 : i64, -2 : i64',
    ]);
  });

  it.each([
    [
      'transform/target-tag',
      { debugPayloadRootTag: 'z' },
      '1: could not find the operation with transform.target_tag="z" attribute',
    ],
    ['transform/repeated-tag', { debugPayloadRootTag: 'x' }, "3: repeated operation with the target tag 'x'"],
    [
      'transform/bound-integers',
      { debugBindTrailingArgs: ['test.a', '^test.a', '#one'] },
      "couldn't parse integer pass argument #one",
    ],
    [
      'transform/entry-arguments',
      { debugBindTrailingArgs: ['test.a'] },
      '5: operation expects 3 extra value bindings, but 1 were provided to the interpreter',
    ],
    [
      'transform/entry-arguments',
      { debugBindTrailingArgs: ['#1', '^test.a', '#1'] },
      '5: wrong kind of value provided for top-level operation handle',
    ],
    [
      'transform/entry-arguments',
      { debugBindTrailingArgs: ['test.a', '#1', '#1'] },
      '5: wrong kind of value provided for the top-level value handle',
    ],
    [
      'transform/entry-arguments',
      { debugBindTrailingArgs: ['test.a', '^test.a', 'test.a'] },
      '5: wrong kind of value provided for top-level parameter',
    ],
  ])('%s', (code, options, message) => {
    const result = run(['x', 'x'], options);
    expect(result.status).toBe('definite');
    expect(result.diagnostics.map((each) => each.code)).toEqual([code]);
    expect(said(result)).toEqual([message]);
  });
});

describe('what is lacking of a library', () => {
  it('is added to the module of the entry point', () => {
    const own = parse(`module {
  module attributes {transform.with_named_sequence} {
    transform.named_sequence private @marking(!transform.any_op {transform.readonly})
    ${sequence('__transform_main', include)}
  }
}`);
    const definition = sequence('marking', '').replace('any_op)', 'any_op {transform.readonly})');
    const pass = interpreterPassWith({ library: () => script(definition) });
    const [inner] = children(unwrap(pass().run(own, { registry })).root);
    expect(children(inner!).map(symbolNameOf)).toEqual(['__transform_main', 'marking']);
    expect(children(inner!)[1]!.regions[0]!.blocks).toHaveLength(1);
  });
});

describe('withLibrary', () => {
  it('adds what a script does not define itself', () => {
    const own = script(sequence('other', marking));
    const joined = withLibrary(own, library, registry);
    expect(children(joined.root).map(symbolNameOf)).toEqual(['other', '__transform_main']);
    expect(printModule(joined, { registry }).match(/test\.mark/g)).toHaveLength(2);
    expect(children(own.root)).toHaveLength(1);
  });
});
