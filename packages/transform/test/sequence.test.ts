import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { attributesOf, main, messages, runText, step } from './support.ts';

const one = '!transform.any_op';
const body = `^bb0(%x: ${one}):
      %first = transform.structured.match attributes {n = 0 : i64} in %x : ${step}
      %m = transform.test.mark %first : ${step}
      transform.test.fail %x : ${one}
      %second = transform.structured.match attributes {n = 1 : i64} in %x : ${step}
      %n = transform.test.mark %second : ${step}`;

describe('transform.sequence', () => {
  it('goes on after a failure that it suppresses', () => {
    const result = runText(main(`transform.sequence %root : ${one} failures(suppress) { ${body} }`));
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
    expect(messages(result)).toBe('');
  });

  it('ends at a failure that it propagates, and what was done stays where that is suppressed', () => {
    const sequence = `transform.sequence %root : ${one} failures(propagate) { ${body} }`;
    expect(messages(runText(main(sequence)))).toContain('always fails [test/fail]');
    const around = `transform.sequence %root : ${one} failures(suppress) { ^bb0(%y: ${one}): ${sequence} }`;
    expect(attributesOf(unwrap(runText(main(around))).module)).toEqual(['n marked', 'n']);
  });

  it('takes the whole payload without operands, and gives what it yields', () => {
    const result = runText(
      main(`%m = transform.sequence -> ${one} failures(propagate) { ^bb0(%x: ${one}):
      %again = transform.structured.match ops{["test.a"]} in %x : ${step}
      transform.yield %again : ${one}
    }
    %n = transform.test.mark %m : ${step}`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  const marked = `%m = transform.test.mark %x : ${step}`;
  it.each([
    ['a sequence', `transform.sequence %e : ${one} failures(propagate) { ^bb0(%x: ${one}): ${marked} }`],
    ['an iteration', `transform.foreach %e : ${one} { ^bb0(%x: ${one}): ${marked} }`],
    ['a sequence that is included', `transform.include @step failures(propagate) (%e) : (${one}) -> ()`],
  ])('consumes a handle that stands for nothing, where the body of %s does', (_, text) => {
    const result = runText(
      main(
        `%e = transform.structured.match ops{["test.none"]} in %root : ${step}
    ${text}
    %n = transform.test.mark %e : ${step}`,
        `transform.named_sequence @step(%x: ${one} {transform.consumed}) { ${marked} transform.yield }`,
      ),
    );
    expect(messages(result)).toContain('[transform/invalidated-handle]');
    expect(messages(result)).toContain('note: invalidated by this transform op that consumes its operand #0');
  });

  it.each([
    ['without failures(…)', '%root : !transform.any_op { }', "expected 'failures'"],
    [
      'with other arguments',
      '%root : !transform.any_op failures(propagate) { }',
      'expects the entry block to have at least one argument',
    ],
  ])('does not parse one %s', (_, text, message) => {
    expect(() => runText(main(`transform.sequence ${text}`))).toThrow(message);
  });
});
