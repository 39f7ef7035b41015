import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { attributesOf, main, messages, payload, runText, step, yieldedBy } from './support.ts';

const one = '!transform.any_op';

describe('transform.foreach', () => {
  it('runs its body for each payload op, and joins what it yields', () => {
    const result = runText(
      main(`%m = transform.foreach %all : ${one} -> ${one} {
    ^bb0(%each: ${one}):
      %c = transform.test.mark %each : ${step}
      transform.yield %c : ${one}
    }
    %first, %second = transform.split_handle %m : (${one}) -> (${one}, ${one})
    transform.test.fail %second : ${one}`),
    );
    expect(messages(result)).toContain('as it is now: %1 = "test.a"(%0) {marked, n = 1 : i64}');
  });

  it('walks several handles together', () => {
    const result = runText(
      main(`%again = transform.structured.match ops{["test.a"]} in %root : ${step}
    transform.foreach %all, %again : ${one}, ${one} {
    ^bb0(%x: ${one}, %y: ${one}):
      %m = transform.test.mark %x : ${step}
      transform.test.rename %m : ${one}
    }`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['', '']);
  });

  it('does nothing for no payload', () => {
    const script = main(`%none = transform.structured.match ops{[]} in %root : ${step}
    %m = transform.foreach %none : ${one} -> ${one} {
    ^bb0(%each: ${one}):
      transform.test.fail %each : ${one}
      transform.yield %each : ${one}
    }`).replace(/transform\.yield\n {2}\}\n {2}\n/, `transform.yield %m : ${one}\n  }\n`);
    const result = runText(script);
    expect(unwrap(result).module).toBe(payload);
    expect(yieldedBy(result)).toEqual([[]]);
  });

  /** Every iteration works on all ops of the payload, so the first changes the targets of the second. */
  const changing = (what: string) =>
    runText(
      main(`transform.foreach %all : ${one} {
    ^bb0(%each: ${one}):
      %others = transform.structured.match ops{["test.a"]} in %root : ${step}
      transform.test.${what} %others : ${one}
      %m = transform.test.mark %each : ${step}
    }`),
    );

  it('goes on with what a target became in an earlier iteration', () => {
    // The second iteration copies what the first one marked, then marks its own target's replacement.
    expect(attributesOf(unwrap(changing('remake')).module)).toEqual(['n marked', 'n marked']);
  });

  it('binds a target that became several as several', () => {
    // The first iteration duplicates each op and marks the copy that the handle tracks; the second, whose target has
    // become two ops, duplicates all four, and marks two.
    const { module } = unwrap(changing('duplicate'));
    expect(attributesOf(module).filter((names) => names.includes('marked'))).toHaveLength(4);
    expect(attributesOf(module)).toHaveLength(8);
  });

  it('skips a target that an earlier iteration erased, and says so', () => {
    const result = runText(
      main(`transform.foreach %all : ${one} {
    ^bb0(%each: ${one}):
      %others = transform.structured.match ops{["test.a"]} in %root : ${step}
      transform.test.erase %others : ${one}
    }`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual([]);
    expect(messages(result)).toContain(
      'script.mlir:4:5: warning: target 1 was erased by an earlier iteration [transform/foreach-erased]',
    );
  });

  it('follows what earlier iterations yielded', () => {
    const result = runText(
      main(`%m = transform.foreach %all : ${one} -> ${one} {
    ^bb0(%each: ${one}):
      %others = transform.structured.match ops{["test.a"]} in %root : ${step}
      transform.test.duplicate %others : ${one}
      transform.yield %each : ${one}
    }
    transform.test.fail %m {at = 3 : i64} : ${one}`),
    );
    expect(messages(result)).toContain('[test/fail]');
  });

  it('leaves handles from outside with what its body made of their payload', () => {
    const result = runText(
      main(`%same = transform.structured.match ops{["test.a"]} in %root : ${step}
    transform.foreach %all : ${one} {
    ^bb0(%each: ${one}):
      transform.test.remake %each : ${one}
    }
    %m = transform.test.mark %same : ${step}`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it('refuses an argument whose type promises another op', () => {
    const result = runText(
      main(`transform.foreach %all : ${one} {
    ^bb0(%each: !transform.op<"test.b">):
    }`),
    );
    expect(messages(result)).toContain('expected test.b vs test.a [transform/handle-type]');
  });

  it('refuses a consumed handle in its yield', () => {
    const result = runText(
      main(`%f = transform.foreach %all : ${one} -> ${one} {
    ^bb0(%each: ${one}):
      %m = transform.test.mark %each : ${step}
      transform.yield %each : ${one}
    }`),
    );
    expect(messages(result)).toContain('op uses a handle invalidated');
  });

  it('refuses handles of different lengths', () => {
    const result = runText(
      main(`%first, %second = transform.split_handle %all : (${one}) -> (${one}, ${one})
    transform.foreach %all, %first : ${one}, ${one} {
    ^bb0(%x: ${one}, %y: ${one}):
    }`),
    );
    expect(messages(result)).toContain(
      'payload size (2) differs from payload size (1) of target #1 [transform/foreach-sizes]',
    );
  });

  it('lets itself be suppressed for handles of different lengths', () => {
    const result = runText(
      main(
        `transform.include @step failures(suppress) (%all) : (${one}) -> ()`,
        `transform.named_sequence @step(%x: ${one} {transform.consumed}) {
    %first, %second = transform.split_handle %x : (${one}) -> (${one}, ${one})
    transform.foreach %x, %first : ${one}, ${one} { ^bb0(%y: ${one}, %z: ${one}): }
    transform.yield }`,
      ),
    );
    expect(result.status).toBe('success');
  });

  it('stops at the shortest handle if it is told to', () => {
    const result = runText(
      main(`%first, %second = transform.split_handle %all : (${one}) -> (${one}, ${one})
    transform.foreach %all, %second with_zip_shortest : ${one}, ${one} {
    ^bb0(%x: ${one}, %y: ${one}):
      %m = transform.test.mark %x : ${step}
    }`),
    );
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n']);
  });

  it.each([
    ['fewer', '%a, %b = ', ` -> ${one}, ${one}`],
    ['more', '', ''],
  ])('refuses to yield %s handles than it has results', (_, results, types) => {
    const text = `${results}transform.foreach %all : ${one}${types} { ^bb0(%x: ${one}): transform.yield %x : ${one} }`;
    expect(() => runText(main(text))).toThrow(
      'expects the same number of results as the yield terminator has operands',
    );
  });

  it('refuses another number of arguments than targets', () => {
    expect(() => runText(main(`transform.foreach %all : ${one} { ^bb0(%x: ${one}, %y: ${one}): }`))).toThrow(
      'expects the same number of targets as the body has block arguments',
    );
  });
});
