import { describe, expect, it } from 'vitest';
import {
  anyType,
  attach,
  constantLike,
  constantValueOf,
  defineOp,
  extendRegistry,
  i1,
  i32,
  i64,
  implement,
  integerAttribute,
  materializeConstant,
  one,
  stringAttribute,
  unitAttribute,
  walk,
} from '../src/index.ts';
import type { Attribute, Operation, Type } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const result = { result: one(anyType) };
/** Holds integers, like `test.constant`; `c.flag`, which has no fold, holds booleans. */
const own = defineOp({
  name: 'c.own',
  summary: 'a constant',
  results: result,
  interfaces: [
    implement(constantLike, {
      value: ({ attributes }) => attributes['own'],
      attributesFor: (value, type) => (value.kind === 'integer' && type !== i1 ? { own: value } : undefined),
    }),
  ],
});
const flag = defineOp({ name: 'c.flag', summary: 'a truth value', results: result });
const known = extendRegistry(
  registry,
  [{ name: 'c', operations: [own, flag] }],
  [
    attach(constantLike, 'c.flag', {
      value: () => integerAttribute(1, i1),
      attributesFor: (value) => (value.kind === 'unit' ? {} : undefined),
    }),
  ],
);
const operation = (text: string): Operation => [...walk(parse(text, known).root)][1]!;

describe('materializeConstant', () => {
  it.each<[string, string, Attribute, Type, string | undefined]>([
    ['an op of the dialect', 'c.other', integerAttribute(3, i32), i32, 'c.own'],
    ['that of another dialect', 'test.other', integerAttribute(3, i32), i32, 'test.constant'],
    ['the first that can, for a dialect without', 'd.other', integerAttribute(3, i64), i64, 'test.constant'],
    ['one of another dialect where the own cannot', 'c.other', integerAttribute(1, i1), i1, 'test.constant'],
    ['one that was attached', 'test.other', unitAttribute, i1, 'c.flag'],
    ['none', 'c.other', stringAttribute('x'), i32, undefined],
  ])('takes %s', (_, name, value, type, expected) => {
    const at = operation(`"${name}"() : () -> ()`);
    const state = materializeConstant(known, at, value, type);
    expect(state?.name).toBe(expected);
    if (state !== undefined) expect([state.resultTypes, state.location]).toEqual([[type], at.location]);
  });
});

describe('constantValueOf', () => {
  it.each<[string, Attribute | undefined]>([
    ['%0 = test.constant 4 : i32', integerAttribute(4, i32)],
    ['%0 = "c.own"() {own = 5 : i32} : () -> i32', integerAttribute(5, i32)],
    ['%0 = "c.flag"() : () -> i1', integerAttribute(1, i1)],
    ['%0 = "test.unknown"() {value = 4 : i32} : () -> i32', undefined],
  ])('%s', (text, expected) => {
    expect(constantValueOf(known, operation(text))).toEqual(expected);
  });
});
