import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { attributesOf, main, messages, runText, step } from './support.ts';

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

  it('goes on after a silenceable failure that it suppresses, its results empty', () => {
    const result = runText(
      main(
        `%none = transform.include @step failures(suppress) (%all) : ${step}
    %both = transform.merge_handles %all, %none : ${one}
    %m = transform.test.mark %both : ${step}`,
        `transform.named_sequence @step(%x: ${one}) -> ${one} {
    transform.test.fail %x : ${one}
    transform.yield %x : ${one} }`,
      ),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
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
    [include('ignore'), "expected 'propagate' or 'suppress'"],
    [include().replace('failures', 'errors'), "expected 'failures'"],
  ])('does not parse %s', (text, message) => {
    expect(() => runText(main(text, sequence('')))).toThrow(message);
  });
});
