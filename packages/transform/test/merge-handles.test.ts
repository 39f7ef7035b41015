import { describe, expect, it } from 'vitest';
import { printModule } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { mergeHandles, schedule } from '../src/index.ts';
import type { Handle } from '../src/index.ts';
import { attributesOf, mark, parse, payload, registry, yieldedBy } from './support.ts';

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
});
