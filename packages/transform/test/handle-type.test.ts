import { describe, expect, it } from 'vitest';
import { dialectType, i32 } from '@sconv/ir';
import { anyOp, opHandleType } from '../src/index.ts';
import { handleType, promisedName } from '../src/handle-type.ts';

describe('handle types', () => {
  it.each([
    [anyOp, true, undefined],
    [opHandleType('linalg.generic'), true, 'linalg.generic'],
    [dialectType('transform', 'any_op_of_mine'), false, undefined],
    [dialectType('transform', 'param<i64>'), false, undefined],
    [dialectType('other', 'any_op'), false, undefined],
    [dialectType('other', 'op<"x">'), false, undefined],
    [i32, false, undefined],
  ])('%j', (type, isHandle, name) => {
    expect(handleType.test(type)).toBe(isHandle);
    expect(promisedName(type)).toBe(name);
  });
});
