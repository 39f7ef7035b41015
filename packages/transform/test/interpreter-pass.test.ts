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

describe('withLibrary', () => {
  it('adds what a script does not define itself', () => {
    const own = script(sequence('other', marking));
    const joined = withLibrary(own, library, registry);
    expect(children(joined.root).map(symbolNameOf)).toEqual(['other', '__transform_main']);
    expect(printModule(joined, { registry }).match(/test\.mark/g)).toHaveLength(2);
    expect(children(own.root)).toHaveLength(1);
  });
});
