import { describe, expect, it } from 'vitest';
import { main, messages, runText, yieldedBy } from './support.ts';

const one = '!transform.any_op';

/** How many of the payload's two ops each of `count` results gets, and the diagnostics. */
const split = (count: number, attributes: string, from = '%all') => {
  const names = ['%x', '%y', '%z'].slice(0, count).join(', ');
  const types = Array<string>(count).fill(one).join(', ');
  const result = runText(
    main(`%none = transform.structured.match ops{[]} in %all : (${one}) -> ${one}
    ${names} = transform.split_handle ${from} ${attributes} : (${one}) -> (${types})`).replace(
      'transform.yield',
      `transform.yield ${names} : ${types}`,
    ),
  );
  return {
    sizes: result.status === 'success' ? yieldedBy(result).map((each) => each.length) : undefined,
    said: messages(result),
  };
};

describe('transform.split_handle', () => {
  it.each([
    [2, '', '%all', [1, 1]],
    [2, '', '%none', [0, 0]],
    [3, '{fail_on_payload_too_small = false}', '%all', [1, 1, 0]],
    [1, '{overflow_result = 0 : i64}', '%all', [2]],
    [3, '{overflow_result = 1 : i64, fail_on_payload_too_small = false}', '%all', [1, 1, 0]],
    [2, '{pass_through_empty_handle = false, fail_on_payload_too_small = false}', '%none', [0, 0]],
  ])('into %d %s of %s, as upstream: %j', (count, attributes, from, sizes) => {
    expect(split(count, attributes, from)).toEqual({ sizes, said: '' });
  });

  it.each([
    [1, '', '%all', 'handle expected to contain 1 payload ops but it contains 2 payload ops'],
    [3, '', '%all', 'handle expected to contain 3 payload ops but it contains 2 payload ops'],
    [
      3,
      '{overflow_result = 1 : i64}',
      '%all',
      'handle expected to contain 3 payload ops but it contains 2 payload ops',
    ],
    [
      2,
      '{pass_through_empty_handle = false}',
      '%none',
      'handle expected to contain 2 payload ops but it contains 0 payload ops',
    ],
  ])('into %d %s of %s fails', (count, attributes, from, message) => {
    expect(split(count, attributes, from).said).toContain(`${message} [transform/split-handle-sizes]`);
  });

  it('fails silenceably', () => {
    const suppressed = main(`transform.sequence %all : ${one} failures(suppress) { ^bb0(%x: ${one}):
      %y = transform.split_handle %x : (${one}) -> ${one}
    }`);
    expect(runText(suppressed).status).toBe('success');
  });

  it.each([-1, 2])('has no result %d for what is too many', (result) => {
    expect(() => split(2, `{overflow_result = ${result} : i64}`)).toThrow(
      'overflow_result must be a valid result index',
    );
  });
});
