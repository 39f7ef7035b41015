import type { Value } from '@sconv/ir';
import { DYNAMIC, f32, indexType, tensorType } from '@sconv/ir';
import { expect, it } from 'vitest';
import { isStaticTensorValue, isTensorValue } from '../src/index.ts';

it.each([
  [tensorType([2], f32), true, true],
  [tensorType([DYNAMIC], f32), true, false],
  [indexType, false, false],
])('%#', (type, isTensor, isStatic) => {
  const value: Value = { id: 0, type };
  expect([isTensorValue(value), isStaticTensorValue(value)]).toEqual([isTensor, isStatic]);
  expect(isTensorValue(undefined)).toBe(false);
});
