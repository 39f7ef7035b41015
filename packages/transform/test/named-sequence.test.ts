import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import type { Handle } from '../src/index.ts';
import { foreach, include, namedSequence, schedule, sequence as recordedSequence } from '../src/index.ts';
import {
  attributesOf,
  main,
  mark,
  messages,
  registry,
  runText,
  runWithLibrary,
  step,
  yieldedBy,
} from './support.ts';

const one = '!transform.any_op';
const sequence = (body: string, status = 'readonly') =>
  `transform.named_sequence @step(%x: ${one} {transform.${status}}) { ${body} transform.yield }`;
const includeText = (mode = 'propagate') =>
  `transform.include @step failures(${mode}) (%all) : (${one}) -> ()`;

/** A chain of includes: `@step`, then `@step1` up to the last, which does nothing. */
const chainOf = (length: number) =>
  Array.from({ length }, (_, i) => {
    const next = includeText()
      .replace('@step', `@step${i + 1}`)
      .replace('%all', '%x');
    return sequence(i === length - 1 ? '' : next).replace('@step(', i === 0 ? '@step(' : `@step${i}(`);
  }).join('\n');

describe('transform.include', () => {
  it('runs a sequence with its handles', () => {
    const result = runText(
      main(includeText(), sequence(`%m = transform.test.mark %x : ${step}`, 'consumed')),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it('gives what the sequence yields', () => {
    const result = runText(
      main(
        `%m = transform.include @step failures(propagate) (%all) : ${step}
    transform.test.fail %m {at = 1 : i64} : ${one}`,
        `transform.named_sequence @step(%x: ${one} {transform.consumed}) -> ${one} {
    %m = transform.test.mark %x : ${step}
    transform.yield %m : ${one} }`,
      ),
    );
    expect(messages(result)).toContain('as it is now: %1 = "test.a"(%0) {marked, n = 1 : i64}');
  });

  /** An include that suppresses failures in a sequence whose `%a` and `%b` are one op each. */
  const suppressing = (body: string, yields: string) =>
    runText(
      main(
        `%0, %1 = transform.include @step failures(suppress) (%root) : (${one}) -> (${one}, ${one})
    transform.yield %0, %1 : ${one}, ${one}`,
        `transform.named_sequence @step(%x: ${one} {transform.consumed}) -> (${one}, ${one}) {
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
    expect(messages(result)).toContain('note: invalidated by this transform op that consumes its operand #0');
  });

  it.each([
    ['propagate', sequence(`transform.test.fail %x : ${one}`), 'always fails [test/fail]'],
    ['propagate', chainOf(65), 'nest deeper than 64 levels [transform/nesting]'],
    ['propagate', '', "no named sequence '@step' [transform/include-unknown]"],
    [
      'propagate',
      sequence('').replace('(%x: !transform.any_op {transform.readonly})', '()'),
      "'@step' takes 0 handles, but is included with 1 [transform/include-arity]",
    ],
    [
      'propagate',
      `transform.named_sequence private @step(${one} {transform.readonly})`,
      'unresolved external named sequence [transform/include-unknown]',
    ],
    [
      'propagate',
      sequence('').replace('%x: !transform.any_op', '%x: !transform.op<"test.b">'),
      'expected test.b vs test.a [transform/handle-type]',
    ],
  ])('with failures(%s) fails on %s', (mode, more, message) => {
    const result = runWithLibrary(main(includeText(mode)), more);
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(message);
  });

  it.each([
    [
      sequence('').replace('(%x: !transform.any_op {transform.readonly})', '()'),
      'incorrect number of operands for callee',
    ],
    [
      sequence('').replace('%x: !transform.any_op', '%x: !transform.any_value'),
      "operand type mismatch: expected operand type '!transform.any_value', but provided '!transform.any_op' for operand number 0",
    ],
    [
      `transform.named_sequence @step(%x: ${one} {transform.readonly}) -> ${one} { transform.yield %x : ${one} }`,
      'incorrect number of results for callee',
    ],
    ['module @step {}', 'does not reference a named transform sequence'],
    [
      `transform.named_sequence @step(%x: ${one} {transform.readonly}) -> ${one} { transform.yield }`,
      'expected terminator to have as many operands as the parent op has results',
    ],
    [
      `transform.named_sequence @step(%x: ${one} {transform.readonly}) -> !transform.any_value { transform.yield %x : ${one} }`,
      "the type of the terminator operand #0 must match the type of the corresponding parent op result ('!transform.any_op' vs '!transform.any_value')",
    ],
  ])('is checked against %s', (more, message) => {
    const result = parseModule(main(includeText(), more), { registry });
    expect(messages(result)).toContain(message);
  });

  it('runs sequences that include one another 64 levels deep', () => {
    expect(runText(main(includeText(), chainOf(64))).status).toBe('success');
  });

  it.each([
    ['itself', sequence(includeText().replace('%all', '%x'))],
    ['itself, in a body', sequence(`transform.foreach %x : ${one} { ^bb0(%all: ${one}): ${includeText()} }`)],
    [
      'another that includes it',
      [
        sequence(includeText().replace('@step', '@other').replace('%all', '%x')),
        sequence(includeText().replace('%all', '%x')).replace('@step(', '@other('),
      ].join('\n'),
    ],
  ])('does not parse a sequence that includes %s', (_, text) => {
    expect(() => runText(main('', text))).toThrow('recursion not allowed in named sequences');
  });

  it.each([
    [includeText('ignore'), 'expected attribute value'],
    [includeText().replace('failures', 'errors'), "expected 'failures'"],
  ])('does not parse %s', (text, message) => {
    expect(() => runText(main(text, sequence('')))).toThrow(message);
  });
});

/** The verifier's messages for sequences in a script. */
const said = (sequences: string): string =>
  messages(parseModule(`module attributes {transform.with_named_sequence} {\n${sequences}\n}`, { registry }));

const markText = (handle: string) => `%m = transform.test.mark ${handle} : (${one}) -> ${one}`;
const included = (
  status: string,
  body: string,
  by = '',
) => `transform.named_sequence @a(%x: ${one}${status}) {
  ${body}
  transform.yield
}
transform.named_sequence @b(%x: ${one}${by}) {
  transform.include @a failures(propagate) (%x) : (${one}) -> ()
  transform.yield
}`;
const alone = (status: string, body: string) => `transform.named_sequence @a(%x: ${one}${status}) {
  ${body}
  transform.yield
}`;
const [readonly, consumed] = [' {transform.readonly}', ' {transform.consumed}'];

// `mlir-opt` accepts and rejects the same cases, with the same messages.
describe('the status of arguments', () => {
  it.each([
    ['nothing, of a sequence that is not included', alone('', markText('%x'))],
    ['consumed, where it is', alone(consumed, markText('%x'))],
    ['consumed, where it is not', alone(consumed, '')],
    ['readonly, where it is', alone(readonly, '')],
    ['consumed, of an included sequence', included(consumed, markText('%x'))],
    ['readonly, of an included sequence', included(readonly, '', readonly)],
    ['readonly, of one without a body', `transform.named_sequence private @a(${one}${readonly})`],
  ])('may be %s', (_, sequences) => {
    expect(said(sequences)).toBe('');
  });

  const notMarked = 'argument #0 is consumed in the body but is not marked as such';
  const missing = 'must provide consumed/readonly status for arguments of external or called ops';
  it.each([
    [
      'both',
      alone(' {transform.consumed, transform.readonly}', ''),
      'argument #0 cannot be both readonly and consumed',
    ],
    ['readonly, where it is consumed', alone(readonly, markText('%x')), notMarked],
    [
      'readonly, where a body consumes it',
      alone(readonly, `transform.foreach %x : ${one} {\n^bb0(%e: ${one}):\n ${markText('%e')}\n}`),
      notMarked,
    ],
    [
      'readonly, where a sequence consumes it',
      alone(
        readonly,
        `transform.sequence %x : ${one} failures(propagate) {\n^bb0(%e: ${one}):\n ${markText('%e')}\n}`,
      ),
      notMarked,
    ],
    [
      'readonly, where an included sequence consumes it',
      included(consumed, markText('%x'), readonly),
      notMarked,
    ],
    ['nothing, of an included sequence', included('', ''), missing],
    ['nothing, of one without a body', `transform.named_sequence private @a(${one})`, missing],
  ])('must not be %s', (_, sequences, message) => {
    expect(said(sequences)).toContain(message);
  });
});

it('is said in recorded sequences of what their bodies consume', () => {
  const inForeach = namedSequence('in_foreach', (x: Handle) => {
    foreach(x, (each) => {
      mark({ target: each });
    });
  });
  const inSequence = namedSequence('in_sequence', (x: Handle) => {
    recordedSequence(x, (each) => {
      mark({ target: each });
    });
  });
  const through = namedSequence('through', (x: Handle) => {
    include(inForeach, [x]);
  });
  for (const source of [inForeach, inSequence, through]) {
    const text = schedule(($) => {
      include(source, [$.root]);
    }).toMlir(registry);
    expect(messages(parseModule(text, { registry }))).toBe('');
    expect(text).toContain(`@${source.name}(%arg0: ${one} {transform.consumed})`);
  }
});
