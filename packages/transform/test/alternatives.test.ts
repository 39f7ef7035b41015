import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { attributesOf, main, messages, parse, runText, step } from './support.ts';

const one = '!transform.any_op';
const find = (n: number, name = 'x') =>
  `%${name} = transform.structured.match attributes {n = ${n} : i64} in %scope : ${step}`;

/** Alternatives on the payload's module, with these bodies; then `after`; returns the attributes of the ops. */
const alternatives = (bodies: readonly string[], after = '') => {
  const regions = bodies.map((body) => `{ ^bb0(%scope: ${one}): ${body} }`).join(', ');
  const script = main(`%module = transform.structured.match attributes {test.inner} in %root : ${step}
    transform.alternatives %module : ${one} ${regions}
    ${after}`);
  return runText(script, {}, payload);
};

const payload = parse(
  `module {
  module attributes {test.inner} {
    %0 = "test.a"() {n = 0 : i64} : () -> i32
    %1 = "test.a"(%0) {n = 1 : i64} : (i32) -> i32
  }
}`,
  'payload.mlir',
);

const mark = (n: number) => `${find(n)} %m = transform.test.mark %x : ${step}`;
const failing = (n: number) => `${find(n, 'y')} transform.test.fail %y {at = 0 : i64} : ${one}`;

describe('transform.alternatives', () => {
  it.each([
    ['the first', [mark(0), mark(1)], ['n marked', 'n']],
    ['the second, without what the first one did', [`${mark(0)} ${failing(1)}`, mark(1)], ['n', 'n marked']],
    ['an empty one', [`${mark(0)} ${failing(1)}`, ''], ['n', 'n']],
  ])('does %s', (_, bodies, attributes) => {
    const result = alternatives(bodies);
    const { module } = unwrap(result);
    const [inner] = module.root.regions[0]!.blocks[0]!.operations;
    expect(attributesOf({ ...module, root: inner! })).toEqual(attributes);
    expect(messages(result)).toBe('');
  });

  it('fails with the reasons where all fail, and leaves the payload', () => {
    const result = alternatives([`${mark(0)} ${failing(1)}`, failing(0)]);
    expect(messages(result)).toMatchInlineSnapshot(`
      "script.mlir:5:5: error: all alternatives failed [transform/alternatives-failed]
      script.mlir:5:382: note: always fails
      script.mlir:5:588: note: always fails"
    `);
    const suppressed = main(`transform.sequence %root : ${one} failures(suppress) { ^bb0(%scope: ${one}):
      transform.alternatives %scope : ${one} { ^bb0(%s: ${one}):
        %m = transform.structured.match ops{["test.a"]} in %s : ${step}
        transform.test.erase %m : ${one}
        %n = transform.structured.match ops{["builtin.module"]} in %s : ${step}
        transform.test.fail %n : ${one}
      }
    }`);
    expect(unwrap(runText(suppressed, {}, payload)).module).toBe(payload);
  });

  it.each([
    [
      'a definite failure',
      [`%b = transform.cast %scope : ${one} to !transform.op<"test.b">`, ''],
      '',
      'vs builtin.module [transform/handle-type]',
    ],
    [
      'the scope',
      [''],
      `transform.test.fail %module : ${one}`,
      'invalidated by this transform op that consumes its operand #0',
    ],
    [
      'a handle into the scope',
      [''],
      `transform.test.fail %all : ${one}`,
      'invalidated by this transform op that consumes its operand #0',
    ],
  ])('ends the schedule at %s', (_, bodies, after, message) => {
    const result = alternatives(bodies, after);
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(message);
  });

  it('takes no scope that is not isolated from above', () => {
    const result = runText(main(`transform.alternatives %all : ${one} { ^bb0(%scope: ${one}): }`));
    expect(messages(result)).toContain(
      'only ops that are isolated from above can be alternative scopes, not test.a [transform/alternatives-scope]',
    );
  });

  it('takes the whole payload without a scope', () => {
    const result = runText(main(`transform.alternatives { ^bb0(%scope: ${one}): ${mark(0)} }`));
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n']);
  });

  it.each([
    ['{ }', 'expects the entry block to have at least one argument'],
    [
      `{ ^bb0(%scope: ${one}): transform.yield %scope : ${one} }`,
      'expects terminator operands to have the same type as results of the operation',
    ],
  ])('does not parse %s', (region, message) => {
    expect(() => runText(main(`transform.alternatives %all : ${one} ${region}`))).toThrow(message);
  });
});
