import { describe, expect, it } from 'vitest';
import {
  anyType,
  defineOp,
  foldOperation,
  i32,
  integerAttribute,
  unitAttribute,
  variadic,
  walk,
} from '../src/index.ts';
import type { Attribute, Folder, Trait } from '../src/index.ts';
import { parse } from './test-dialect.ts';

const [, , operation] = [
  ...walk(
    parse(
      '%0, %1, %2 = "u.values"() : () -> (i32, i32, i64)\n%3 = "f.op"(%0, %1, %2) {a} : (i32, i32, i64) -> i32',
    ).root,
  ),
];
const [a, b, wide] = operation!.operands;
const one = integerAttribute(1, i32);

const fold = (
  folder: Folder | undefined,
  constants: readonly (Attribute | undefined)[] = [],
  traits: readonly Trait[] = [],
) =>
  foldOperation(
    defineOp({
      name: 'f.op',
      summary: 'folds',
      operands: { inputs: variadic(anyType) },
      results: { results: variadic(anyType) },
      traits,
      ...(folder === undefined ? {} : { fold: folder }),
    }),
    operation!,
    constants,
  );

describe('foldOperation', () => {
  it.each<[string, ReturnType<typeof fold>, ReturnType<typeof fold>]>([
    ['nothing without a fold', fold(undefined), undefined],
    ['nothing where the fold has nothing', fold(() => undefined), undefined],
    ['constants', fold(() => [one]), { kind: 'results', results: [one] }],
    ['operands', fold(() => [a!]), { kind: 'results', results: [a!] }],
    [
      'what the constants make',
      fold((_, [, c]) => [c!], [undefined, one]),
      { kind: 'results', results: [one] },
    ],
    ['nothing where a result is itself', fold(({ results }) => results), undefined],
    [
      'other operands',
      fold(() => ({ kind: 'in-place', operands: [b!] })),
      { kind: 'in-place', operands: [b!] },
    ],
    [
      'other attributes',
      fold(() => ({ kind: 'in-place', attributes: {} })),
      { kind: 'in-place', attributes: {} },
    ],
    [
      'nothing where those are the same',
      fold(({ operands }) => ({
        kind: 'in-place',
        operands: [...operands],
        attributes: { a: unitAttribute },
      })),
      undefined,
    ],
    [
      'constants last',
      fold(undefined, [one, undefined, one], ['commutative']),
      { kind: 'in-place', operands: [b!, a!, wide!] },
    ],
    ['constants that are last', fold(undefined, [undefined, one, one], ['commutative']), undefined],
    ['constants of an op that does not commute', fold(undefined, [one, undefined, one]), undefined],
    [
      'first by the fold, then by the trait',
      fold(() => [a!], [one, undefined, undefined], ['commutative']),
      { kind: 'results', results: [a!] },
    ],
  ])('%s', (_, folded, expected) => {
    expect(folded).toEqual(expected);
  });

  it('is nothing where one of several results is itself', () => {
    const [, pair] = [...walk(parse('%0, %1 = "f.pair"() : () -> (i32, i32)').root)];
    const definition = defineOp({
      name: 'f.pair',
      summary: 'two results',
      results: { results: variadic(anyType) },
      fold: ({ results }) => [results[0]!, one],
    });
    expect(foldOperation(definition, pair!, [])).toBeUndefined();
  });

  it.each<[string, Folder, string]>([
    ['too many values', () => [a!, b!], 'the fold of f.op gives 2 values for 1 results'],
    ['a value of another type', () => [wide!], 'the fold of f.op gives i64 for i32'],
  ])('throws where a fold gives %s', (_, folder, message) => {
    expect(() => fold(folder)).toThrow(message);
  });
});
