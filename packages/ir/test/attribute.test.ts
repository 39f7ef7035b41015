import { unwrap } from '@sconv/diagnostics';
import { expect, it } from 'vitest';
import {
  dialectAttribute,
  dialectType,
  f32,
  functionType,
  functionTypeOf,
  i32,
  parseAttribute,
  parseType,
  printAttribute,
  typeAttribute,
  unitAttribute,
} from '../src/index.ts';
import { registry } from './test-dialect.ts';

const options = { registry, allowUnregisteredDialects: true };
const read = (text: string) => unwrap(parseAttribute(text, options));

it('symbols of dialects are made as they are read', () => {
  expect(dialectAttribute('a', 'b<c>')).toEqual(read('#a.b<c>'));
  expect(dialectAttribute('a', '1 2')).toEqual(read('#a<1 2>'));
  expect(dialectType('a', 'b<c>')).toEqual(unwrap(parseType('!a.b<c>', options)));
});

it.each([
  ['b', '#a.b'],
  ['b.c', '#a.b.c'],
  ['b<c>', '#a.b<c>'],
  ['b<c', '#a<b<c>'],
  ['b c', '#a<b c>'],
  ['1', '#a<1>'],
  ['<b>', '#a<<b>>'],
  ['1234567<b>', '#a<1234567<b>>'],
  ['', '#a<>'],
])('the body %j is printed as %s', (body, text) => {
  expect(printAttribute(dialectAttribute('a', body))).toBe(text);
});

it('functionTypeOf takes the type of a function alone', () => {
  const type = functionType([i32], [f32]);
  expect(functionTypeOf(typeAttribute(type))).toBe(type);
  expect([typeAttribute(i32), unitAttribute, undefined].map(functionTypeOf)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  ['dense<"0x00"> : tensor<9xi1>', 'dense<false> : tensor<9xi1>'],
  ['dense<"0xFF"> : tensor<9xi1>', 'dense<true> : tensor<9xi1>'],
  ['dense<"0xff"> : tensor<2x2xi1>', 'dense<true> : tensor<2x2xi1>'],
  [
    'dense<"0x0D01"> : tensor<9xi1>',
    'dense<[true, false, true, true, false, false, false, false, true]> : tensor<9xi1>',
  ],
  ['dense<"0x0D"> : tensor<4xi1>', 'dense<[true, false, true, true]> : tensor<4xi1>'],
  ['dense<"0x05"> : tensor<4xi8>', 'dense<5> : tensor<4xi8>'],
  ['dense<"0x0500FFFF"> : tensor<2xi16>', 'dense<[5, -1]> : tensor<2xi16>'],
  ['dense<"0x05000000"> : tensor<1xi24>', ''],
  ['dense<"0x050000"> : tensor<1xi24>', 'dense<5> : tensor<1xi24>'],
  ['dense<"0x0007"> : tensor<2xui3>', 'dense<[0, 7]> : tensor<2xui3>'],
  ['dense<"0x0001"> : tensor<4xcomplex<i8>>', 'dense<(0,1)> : tensor<4xcomplex<i8>>'],
  ['dense<"0x0000C03F"> : tensor<3xf32>', 'dense<1.500000e+00> : tensor<3xf32>'],
  ['dense<"0x0D"> : tensor<9xi1>', ''],
  ['dense<"0x0D0102"> : tensor<9xi1>', ''],
  ['dense<"0x050"> : tensor<1xi8>', ''],
  ['dense<"0x0505"> : tensor<3xi8>', ''],
  ['sparse<> : tensor<2xf32>', 'sparse<> : tensor<2xf32>'],
])('%s is %s', (text, printed) => {
  const result = parseAttribute(text, options);
  expect(result.status === 'success' ? printAttribute(result.value) : '').toBe(printed);
});
