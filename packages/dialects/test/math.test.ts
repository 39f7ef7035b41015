import { describe, expect, it } from 'vitest';
import { f32, floatAttribute, i32, integerAttribute } from '@sconv/ir';
import type { Attribute } from '@sconv/ir';
import { mathDialect } from '../src/math.ts';
import { findOperation, inFunction, reprint } from './support.ts';

const values = '%arg0: f32, %arg1: i32, %arg2: vector<4xf32>';

it.each([
  '%0 = math.exp %arg0 : f32',
  '%0 = math.absf %arg2 fastmath<nnan> : vector<4xf32>',
  '%0 = math.powf %arg0, %arg0 : f32',
  '%0 = math.fma %arg0, %arg0, %arg0 : f32',
  '%0 = math.fpowi %arg0, %arg1 : f32, i32',
  '%0 = math.ctpop %arg1 : i32',
])('%s', (line) => {
  const text = inFunction(values, line);
  expect(reprint(text)).toBe(text);
});

const fold = (mnemonic: string, constant: Attribute): unknown => {
  const name = `math.${mnemonic}`;
  const isFloat = constant.kind === 'float';
  const text = inFunction(values, `%0 = ${name} ${isFloat ? '%arg0 : f32' : '%arg1 : i32'}`);
  const definition = mathDialect.operations.find((operation) => operation.name === name);
  return definition?.fold?.(findOperation(text, name), [constant], () => undefined);
};

describe('fold', () => {
  it.each([
    ['round', 2.5, 3],
    ['round', -2.5, -3],
    ['roundeven', 2.5, 2],
    ['roundeven', 3.5, 4],
    ['roundeven', -0.5, -0],
    ['trunc', -1.5, -1],
    ['floor', -1.5, -2],
    ['absf', -1.5, 1.5],
  ])('%s of %d', (mnemonic, value, result) => {
    expect(fold(mnemonic, floatAttribute(value, f32))).toEqual([floatAttribute(result, f32)]);
  });

  it.each([
    ['ctlz', 1, 31],
    ['ctlz', 0, 32],
    ['cttz', 8, 3],
    ['cttz', 0, 32],
    ['ctpop', -1, 32],
    ['absi', -7, 7],
  ])('%s of %d', (mnemonic, value, result) => {
    expect(fold(mnemonic, integerAttribute(value, i32))).toEqual([integerAttribute(result, i32)]);
  });
});
