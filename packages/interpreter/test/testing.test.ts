import { describe, expect, it } from 'vitest';
import type { ComparisonOptions } from '../src/testing.ts';
import { firstDifference } from '../src/testing.ts';
import { parse } from './run.ts';

const difference = (before: string, after: string, options?: ComparisonOptions) =>
  firstDifference(parse(before), parse(after), options);

/** `@f`, whose body computes `%r` of this type. */
const computing = (body: string, type = 'f32', parameters = '%a: f32, %b: f32') =>
  `func.func @f(${parameters}) -> ${type} {\n${body}\nreturn %r : ${type}\n}`;

const sum = computing('%r = arith.addf %a, %b : f32');
const calling = (calls: number) =>
  `func.func private @g() -> i64\nfunc.func @f() {\n${'func.call @g() : () -> i64\n'.repeat(calls)}return\n}`;
const storing = (value: number) => `func.func @f(%m: memref<?x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant ${value} : i8
  memref.store %v, %m[%c1, %c0] : memref<?x2xi8>
  return
}`;

describe('firstDifference', () => {
  it.each([
    ['an equal sum', sum, computing('%r = arith.addf %b, %a : f32')],
    ['as many calls', calling(2), calling(2)],
    [
      'zeros where functions without a body give results',
      'func.func private @g() -> (i64, f32)\nfunc.func @f() -> (i64, f32) {\n%r:2 = func.call @g() : () -> (i64, f32)\nreturn %r#0, %r#1 : i64, f32\n}',
      'func.func private @g() -> (i64, f32)\nfunc.func @f() -> (i64, f32) {\nfunc.call @g() : () -> (i64, f32)\n%a = arith.constant 0 : i64\n%b = arith.constant 0.0 : f32\nreturn %a, %b : i64, f32\n}',
    ],
    ['the same stores', storing(9), storing(9)],
    [
      'booleans that are only compared: they are 0 or 1',
      computing('%t = arith.constant true\n%r = arith.cmpi eq, %a, %t : i1', 'i1', '%a: i1'),
      computing('%t = arith.constant false\n%r = arith.xori %a, %t : i1', 'i1', '%a: i1'),
    ],
    [
      'indices that are only compared: they are from 0 to 4',
      computing('%z = arith.constant 5 : index\n%r = arith.cmpi ult, %a, %z : index', 'i1', '%a: index'),
      computing('%r = arith.constant true', 'i1', '%a: index'),
    ],
    ['functions that are new', sum, `${sum}\nfunc.func @h() { return }`],
    [
      'arguments of every kind',
      computing('', 'i1', '%t: tensor<2x?xi64>, %i: index, %r: i1, %w: i64, %u: tensor<ui64>, %h: f16'),
      computing('', 'i1', '%t: tensor<2x?xi64>, %i: index, %r: i1, %w: i64, %u: tensor<ui64>, %h: f16'),
    ],
  ])('finds none in %s', (_, before, after) => {
    expect(difference(before, after)).toBe(undefined);
  });

  it.each([
    ['another result', sum, computing('%r = arith.subf %a, %b : f32'), /^@f gives .* instead of /],
    ['fewer calls', calling(2), calling(1), /^@f gives @g 1 instead of @g 2$/],
    ['another store', storing(9), storing(10), /^@f gives memref<4x2> .* 10 .* instead of /],
    ['a function that is gone', sum, 'func.func @g() { return }', /^@f cannot be executed any more: .*@f/],
    [
      'what cannot be executed before',
      computing('%n = arith.constant 0 : i32\n%r = arith.divsi %n, %n : i32', 'i32'),
      computing('%r = arith.constant 0 : i32', 'i32'),
      /^@f cannot be executed: .*interpreter\/division-by-zero/,
    ],
    [
      'NaN, which says nothing',
      computing('%z = arith.constant 0.0 : f32\n%r = arith.divf %z, %z : f32'),
      computing('%z = arith.constant 0.0 : f32\n%r = arith.divf %z, %z : f32'),
      /^@f gives NaN instead of NaN$/,
    ],
    [
      'another shape',
      computing('', 'tensor<?xf32>', '%r: tensor<?xf32>'),
      computing(
        '%r = tensor.extract_slice %t[0] [3] [1] : tensor<?xf32> to tensor<3xf32>',
        'tensor<3xf32>',
        '%t: tensor<?xf32>',
      ),
      /^@f gives tensor<3> .* instead of tensor<4> /,
    ],
  ])('finds %s', (_, before, after, message) => {
    expect(difference(before, after)).toMatch(message);
  });

  it('draws other arguments with another seed, and other sizes', () => {
    const least = computing('%r = arith.minimumf %a, %b : f32');
    const found = Array.from({ length: 20 }, (_, seed) => difference(sum, least, { seed }));
    expect(new Set(found).size).toBeGreaterThan(10);
    const [some, none] = ['tensor<?xf32>', 'tensor<0xf32>'].map((type) => computing('', type, `%r: ${type}`));
    expect(difference(some!, none!, { dynamicSize: 0 })).toBe(undefined);
  });

  it('gives small integers, none below 0 where an index is asked for', () => {
    const all = computing('', 'tensor<99xf32>', '%r: tensor<99xf32>');
    const nothing = computing('%r = tensor.empty() : tensor<0xf32>', 'tensor<0xf32>', '%a: tensor<99xf32>');
    const values = (before: string, after: string) =>
      new Set(difference(before, after)!.split(' instead of tensor<99> ')[1]!.split(' ').map(Number));
    expect([...values(all, nothing)].sort((a, b) => a - b)).toEqual([-4, -3, -2, -1, 0, 1, 2, 3, 4]);
    const indices = all.replaceAll('f32', 'index');
    const others = nothing.replaceAll('f32', 'index');
    expect([...values(indices, others)].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
  });

  it('throws for arguments that it cannot make up', () => {
    const pointer = computing('', '!llvm.ptr', '%r: !llvm.ptr');
    expect(() => difference(pointer, pointer)).toThrow('no !llvm.ptr can be made up');
    const complex = computing('', 'tensor<2xcomplex<f32>>', '%r: tensor<2xcomplex<f32>>');
    expect(() => difference(complex, complex)).toThrow('can be made up');
  });
});
