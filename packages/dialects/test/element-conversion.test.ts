import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Block } from '@sconv/ir';
import { bodyOf, terminatorOf, walk } from '@sconv/ir';
import { conversionOf, conversionTo } from '../src/index.ts';
import { generic, isConvertedMultiplyAdd } from '../src/linalg.ts';
import { parse } from './support.ts';

/** The body of a generic on i8 elements `%a`, `%b`, an i8 zero point `%z`, i32 sums `%o`; `%s : i32` is an outer value. */
const bodyWith = (...lines: readonly string[]): Block => {
  const map = 'affine_map<(d0) -> (d0)>';
  const module = unwrap(
    parse(`func.func @f(%x: tensor<4xi8>, %y: tensor<4xi8>, %i: i8, %w: tensor<4xi32>, %s: i32) -> tensor<4xi32> {
  %0 = linalg.generic {indexing_maps = [${map}, ${map}, affine_map<(d0) -> ()>, ${map}], iterator_types = ["parallel"]} ins(%x, %y, %i : tensor<4xi8>, tensor<4xi8>, i8) outs(%w : tensor<4xi32>) {
  ^bb0(%a: i8, %b: i8, %z: i8, %o: i32):
    ${lines.join('\n')}
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}`),
  );
  return bodyOf([...walk(module.root)].find((each) => generic.is(each))!);
};

const wide = ['%p = arith.extsi %a : i8 to i32', '%q = arith.extsi %b : i8 to i32'];
const sum = (a: string, b: string): readonly string[] => [
  `%m = arith.muli ${a}, ${b} : i32`,
  '%n = arith.addi %o, %m : i32',
  'linalg.yield %n : i32',
];

describe('isConvertedMultiplyAdd', () => {
  it.each([
    ['both extended', [...wide, ...sum('%p', '%q')]],
    ['the other way round', [...wide, ...sum('%q', '%p')]],
    ['read without sign', ['%p = arith.extui %a : i8 to i32', wide[1]!, ...sum('%p', '%q')]],
    ['a zero point from around', [...wide, '%d = arith.subi %p, %s : i32', ...sum('%d', '%q')]],
    [
      'a zero point that is an argument',
      [...wide, '%e = arith.extsi %z : i8 to i32', '%d = arith.subi %q, %e : i32', ...sum('%p', '%d')],
    ],
    [
      'a zero point that is a constant',
      [...wide, '%e = arith.constant 7 : i32', '%d = arith.subi %q, %e : i32', ...sum('%p', '%d')],
    ],
  ])('holds for %s', (_, lines) => {
    expect(isConvertedMultiplyAdd(bodyWith(...lines))).toBe(true);
  });

  it.each([
    ['a square', [wide[0]!, ...sum('%p', '%p')]],
    ['a zero point that is the other element', [...wide, '%d = arith.subi %p, %q : i32', ...sum('%d', '%q')]],
    ['an element that is subtracted', [...wide, '%d = arith.subi %s, %p : i32', ...sum('%d', '%q')]],
    ['a zero point that is added', [...wide, '%d = arith.addi %p, %s : i32', ...sum('%d', '%q')]],
    ['a zero point that is multiplied', [wide[0]!, ...sum('%p', '%s')]],
    ['more than that', [...wide, '%d = arith.addi %o, %s : i32', ...sum('%p', '%q')]],
    ['no addition', [...wide, '%m = arith.muli %p, %q : i32', 'linalg.yield %m : i32']],
    [
      'a product that is not added to the sum',
      [...wide, '%m = arith.muli %p, %q : i32', '%n = arith.addi %m, %s : i32', 'linalg.yield %n : i32'],
    ],
    ['the sum as it is', ['linalg.yield %o : i32']],
  ])('does not hold for %s', (_, lines) => {
    expect(isConvertedMultiplyAdd(bodyWith(...lines))).toBe(false);
  });
});

describe('conversionOf', () => {
  const stepsOf = (...lines: readonly string[]): readonly string[] => {
    const body = bodyWith(...lines);
    return conversionOf(body, body.arguments[0]!).steps.map(({ name }) => name);
  };

  it('is the steps up to the product, with what the zero point needs', () => {
    const zeroPoint = ['%e = arith.constant 7 : i8', '%f = arith.extsi %e : i8 to i32'];
    expect(stepsOf(...wide, ...zeroPoint, '%d = arith.subi %p, %f : i32', ...sum('%d', '%q'))).toEqual([
      'arith.extsi',
      'arith.constant',
      'arith.extsi',
      'arith.subi',
    ]);
  });

  it.each([
    [
      'is used twice',
      ['%d = arith.subi %p, %s : i32', '%e = arith.addi %d, %p : i32', ...sum('%e', '%q')],
      ['arith.extsi'],
    ],
    ['loses another element', ['%d = arith.subi %p, %q : i32', ...sum('%d', '%q')], ['arith.extsi']],
    ['loses itself', ['%d = arith.subi %p, %p : i32', ...sum('%d', '%q')], ['arith.extsi']],
  ])('ends at an element that %s', (_, lines, steps) => {
    expect(stepsOf(...wide, ...lines)).toEqual(steps);
  });
});

it('finds what a value was converted from', () => {
  const body = bodyWith(wide[0]!, '%d = arith.subi %p, %s : i32', 'linalg.yield %d : i32');
  const { element, steps, result } = conversionTo(body, terminatorOf(body).operands[0]!);
  expect(element).toBe(body.arguments[0]);
  expect(steps.map(({ name }) => name)).toEqual(['arith.extsi', 'arith.subi']);
  expect(result).toBe(terminatorOf(body).operands[0]);
});
