import { bodyOf, children } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { isF32MultiplyAdd } from '../src/multiply-add.ts';
import { genericPayload } from '../src/testing.ts';
import { parse } from './run.ts';

/** Whether the short way is taken for a generic of two inputs with this body. */
const isShort = (body: string, element = 'f32'): boolean => {
  const operand = { map: 'd0', type: `tensor<3x${element}>` };
  const text = genericPayload({
    iterators: ['parallel'],
    inputs: [operand, operand],
    outputs: [operand],
    body: `${body}\nlinalg.yield %s : ${element}`,
  });
  const [generic] = bodyOf(children(parse(text).root)[0]!).operations;
  return isF32MultiplyAdd(bodyOf(generic!));
};

describe('the short way is taken', () => {
  it.each([
    ['%p = arith.mulf %x0, %x1 : f32\n%s = arith.addf %y0, %p : f32'],
    ['%p = arith.mulf %x1, %x0 : f32\n%s = arith.addf %p, %y0 : f32'],
  ])('for a product that is added', (body) => {
    expect(isShort(body)).toBe(true);
  });
  it.each([
    ['f64', '%p = arith.mulf %x0, %x1 : f64\n%s = arith.addf %y0, %p : f64'],
    ['i32', '%p = arith.muli %x0, %x1 : i32\n%s = arith.addi %y0, %p : i32'],
    ['f32', '%p = arith.addf %x0, %x1 : f32\n%s = arith.addf %y0, %p : f32'],
    ['f32', '%p = arith.mulf %x0, %y0 : f32\n%s = arith.addf %x1, %p : f32'],
  ])('but not for another body, of %s', (element, body) => {
    expect(isShort(body, element)).toBe(false);
  });
});
