import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { attributesOf, main, messages, runText, step, yieldedBy } from './support.ts';

const one = '!transform.any_op';
const sequence = (body: string) => `transform.named_sequence @step(%x: ${one}) { ${body} transform.yield }`;
const include = (mode = 'propagate') => `transform.include @step failures(${mode}) (%all) : (${one}) -> ()`;

/** Sequences that include one another: `@step`, then `@step1` up to the last, which does nothing. */
const chainOf = (length: number) =>
  Array.from({ length }, (_, i) => {
    const next = include()
      .replace('@step', `@step${i + 1}`)
      .replace('%all', '%x');
    return sequence(i === length - 1 ? '' : next).replace('@step(', i === 0 ? '@step(' : `@step${i}(`);
  }).join('\n');

describe('transform.include', () => {
  it('runs a sequence with its handles', () => {
    const result = runText(main(include(), sequence(`%m = transform.test.mark %x : ${step}`)));
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it('gives what the sequence yields', () => {
    const result = runText(
      main(
        `%m = transform.include @step failures(propagate) (%all) : ${step}
    transform.test.fail %m {at = 1 : i64} : ${one}`,
        `transform.named_sequence @step(%x: ${one}) -> ${one} {
    %m = transform.test.mark %x : ${step}
    transform.yield %m : ${one} }`,
      ),
    );
    expect(messages(result)).toContain('as it is now: %1 = "test.a"(%0) {marked, n = 1 : i64}');
  });

  /** An include that suppresses what fails in a sequence whose `%a` and `%b` are one op each. */
  const suppressing = (body: string, yields: string) =>
    runText(
      main(
        `%0, %1 = transform.include @step failures(suppress) (%root) : (${one}) -> (${one}, ${one})
    transform.yield %0, %1 : ${one}, ${one}`,
        `transform.named_sequence @step(%x: ${one}) -> (${one}, ${one}) {
    %a = transform.structured.match attributes {n = 0 : i64} in %x : ${step}
    %b = transform.structured.match attributes {n = 1 : i64} in %x : ${step}
    ${body}
    transform.yield ${yields} : ${one}, ${one} }`,
      ).replace('    transform.yield\n', ''),
    );

  it('goes on with the next op after a silenceable failure that it suppresses, and keeps what was done', () => {
    const result = suppressing(
      `%m = transform.test.mark %a : ${step}
    %none = transform.test.refuse %b : ${step}
    %c = transform.structured.match attributes {n = 1 : i64} in %x : ${step}
    %n = transform.test.mark %c : ${step}`,
      '%n, %none',
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
    expect(yieldedBy(result).map((each) => each.length)).toEqual([1, 0]);
    expect(messages(result)).toBe('');
  });

  it('ends where an op uses a handle that another one consumed, though it failed', () => {
    const result = suppressing(`%none = transform.test.refuse %b : ${step}`, '%a, %b');
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain('note: invalidated by this transform.test.refuse');
  });

  it.each([
    ['propagate', sequence(`transform.test.fail %x : ${one}`), 'always fails [test/fail]'],
    ['propagate', chainOf(65), 'nest deeper than 64 levels [transform/nesting]'],
    ['propagate', '', "no named sequence '@step' [transform/include-unknown]"],
    [
      'propagate',
      sequence('').replace('(%x: !transform.any_op)', '()'),
      "'@step' takes 0 handles, but is included with 1 [transform/include-arity]",
    ],
    [
      'propagate',
      `transform.named_sequence private @step(${one})`,
      "the sequence '@step' has no body [transform/include-unknown]",
    ],
    [
      'propagate',
      sequence('').replace('%x: !transform.any_op', '%x: !transform.op<"test.b">'),
      'expected test.b, got test.a [transform/handle-type]',
    ],
  ])('with failures(%s) fails on %s', (mode, more, message) => {
    const result = runText(main(include(mode), more));
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(message);
  });

  it('runs sequences that include one another 64 levels deep', () => {
    expect(runText(main(include(), chainOf(64))).status).toBe('success');
  });

  it.each([
    ['itself', sequence(include().replace('%all', '%x'))],
    ['itself, in a body', sequence(`transform.foreach %x : ${one} { ^bb0(%all: ${one}): ${include()} }`)],
    [
      'another that includes it',
      [
        sequence(include().replace('@step', '@other').replace('%all', '%x')),
        sequence(include().replace('%all', '%x')).replace('@step(', '@other('),
      ].join('\n'),
    ],
  ])('does not parse a sequence that includes %s', (_, text) => {
    expect(() => runText(main('', text))).toThrow('recursion not allowed in named sequences');
  });

  it.each([
    [include('ignore'), 'expected attribute value'],
    [include().replace('failures', 'errors'), "expected 'failures'"],
  ])('does not parse %s', (text, message) => {
    expect(() => runText(main(text, sequence('')))).toThrow(message);
  });
});
