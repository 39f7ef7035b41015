import { describe, expect, it } from 'vitest';
import { i64, integerAttribute, printModule } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { mergeHandles, schedule } from '../src/index.ts';
import type { Handle } from '../src/index.ts';
import { attributesOf, main, mark, parse, payload, registry, runText, yieldedBy } from './support.ts';

const one = '!transform.any_op';

/** A schedule that merges handles of two types. */
const merging = (
  handles: (typed: Handle<'test.a'>, any: Handle) => readonly Handle[],
  deduplicate?: boolean,
) =>
  schedule(($) => {
    const { marked } = mark({ target: $.match('test.a') });
    const { result } = mergeHandles(
      { handles: handles(marked, $.root) },
      { deduplicate: deduplicate ?? false },
    );
    return [result];
  });

describe('mergeHandles', () => {
  it.each<[string, Parameters<typeof merging>[0], string]>([
    [
      'the type that all share',
      (typed) => [typed, typed],
      '%2 = transform.merge_handles %1, %1 : !transform.op<"test.a">',
    ],
    [
      'any, which all are cast to',
      (typed, any) => [typed, any],
      '%3 = transform.merge_handles %2, %arg0 : !transform.any_op',
    ],
  ])('gives the handle %s, and text that reads back', (_, handles, line) => {
    const text = merging(handles).toMlir(registry);
    expect(text).toContain(`    ${line}\n`);
    expect(printModule(parse(text), { registry })).toBe(text);
  });

  it.each([
    [false, ['builtin.module', 'test.a', 'test.a', 'builtin.module']],
    [true, ['builtin.module', 'test.a', 'test.a']],
  ])('joins payloads in order, deduplicated: %j', (deduplicate, names) => {
    const merged = merging((typed, any) => [any, typed, any], deduplicate);
    const result = merged.run(payload, { registry });
    expect(yieldedBy(result)[0]!.map(({ name }) => name)).toEqual(names);
    expect(attributesOf(unwrap(result).module)).toEqual(['n marked', 'n marked']);
  });

  it.each([
    ['', [1, 2, 1]],
    [' deduplicate', [1, 2]],
  ])('joins parameters, too:%s', (deduplicate, values) => {
    const result = runText(
      main(`%p = transform.param.constant 1 : i64 -> !transform.param<i64>
    %q = transform.param.constant 2 : i64 -> !transform.param<i64>
    %m = transform.merge_handles${deduplicate} %p, %q, %p : !transform.param<i64>
    transform.yield %m : !transform.param<i64>`).replace('    transform.yield\n', ''),
    );
    expect(unwrap(result).yielded).toEqual([
      { kind: 'params', attributes: values.map((value) => integerAttribute(value, i64)) },
    ]);
  });
});

describe('transform.merge_handles', () => {
  it.each([
    ['keeps what stands twice', 'merge_handles %all, %first', 3],
    ['deduplicates', 'merge_handles deduplicate %all, %first', 2],
  ])('%s', (_, merge, size) => {
    const script = main(`%first, %second = transform.split_handle %all : (${one}) -> (${one}, ${one})
    %m = transform.${merge} : ${one}`).replace('transform.yield', `transform.yield %m : ${one}`);
    expect(yieldedBy(runText(script))[0]).toHaveLength(size);
  });

  it('keeps the order', () => {
    const script = main(`%first, %second = transform.split_handle %all : (${one}) -> (${one}, ${one})
    %m = transform.merge_handles %second, %first : ${one}`).replace(
      'transform.yield',
      `transform.yield %m : ${one}`,
    );
    const [first, second] = payload.root.regions[0]!.blocks[0]!.operations;
    expect(yieldedBy(runText(script))[0]).toEqual([second, first]);
  });
});
