import { describe, expect, it } from 'vitest';
import { success } from '@sconv/diagnostics';
import { i64Attribute, optionalAttribute } from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  isTransformOp,
  produces,
  producesAll,
  reads,
  readsAll,
  schedule,
} from '../src/index.ts';
import { a, mark } from './support.ts';

const many = defineTransformOp({
  name: 'transform.test.many',
  summary: 'Many.',
  paper: ['ST §9'],
  operands: { first: consumes('one'), rest: readsAll('more') },
  attributes: { count: optionalAttribute(i64Attribute) },
  results: { one: produces('one', 'test.a'), more: producesAll('more') },
  variadicResults: ({ count = 2 }) => count,
  failures: { 'test/never': { mode: 'definite', when: 'never' } },
  apply: () => success({ one: [], more: [] }),
});

describe('defineTransformOp', () => {
  it('keeps what interpreter, docs and tests read', () => {
    const { transform } = many.definition;
    expect(transform.effects).toEqual(['consumes', 'reads']);
    expect(transform.paper).toEqual(['ST §9']);
    expect(Object.keys(transform.failures)).toEqual(['test/never']);
    expect(isTransformOp(many.definition)).toBe(true);
    expect(isTransformOp(a)).toBe(false);
  });

  it('has empty lists for what is not declared', () => {
    expect(mark.definition.transform).toMatchObject({ paper: [], failures: {}, effects: ['consumes'] });
  });

  it.each([
    [undefined, 2],
    [{ count: 3 }, 3],
    [{ count: 0 }, 0],
  ])('names the results of the recorded op, for attributes %j', (attributes, count) => {
    schedule(({ root }) => {
      const { results } = { results: many({ first: root, rest: [] }, attributes) };
      expect(results.one.value.type).toMatchObject({ body: 'op<"test.a">' });
      expect(results.more).toHaveLength(count);
      expect(new Set([results.one, ...results.more].map(({ value }) => value.id)).size).toBe(1 + count);
      return undefined;
    });
  });

  it('refuses an expansion of several operands, which has no one target', () => {
    expect(() =>
      defineTransformOp({
        name: 'transform.test.wrong',
        summary: 'Wrong.',
        operands: { x: reads('one'), y: reads('two') },
        expand: () => success(schedule(() => undefined)),
      }),
    ).toThrow('transform.test.wrong expands, and so has one operand');
  });
});
