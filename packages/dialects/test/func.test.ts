import { unwrap } from '@sconv/diagnostics';
import { printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { errorsOf, parse, registry, reprint } from './support.ts';

describe('text', () => {
  it.each([
    'func.func private @f(f32, index {foo.a = 1 : i64}) -> (f32 {foo.b}, i32) attributes {a.b}',
    'func.func private @f() -> ((f32) -> f32)',
    'func.func @f(%arg0: f32 {foo.a}) -> f32 {\n  return %arg0 : f32\n}',
    'func.func nested @"a b"() {\n  return\n}',
    `func.func @f(%arg0: (f32) -> f32, %arg1: f32) -> f32 {
  %0 = call_indirect %arg0(%arg1) : (f32) -> f32
  %f = constant @f : ((f32) -> f32, f32) -> f32
  %1 = call @f(%arg0, %0) : ((f32) -> f32, f32) -> f32
  return %1 : f32
}`,
  ])('%s', (line) => {
    const text = `module {\n${line
      .split('\n')
      .map((part) => `  ${part}\n`)
      .join('')}}\n`;
    expect(reprint(text)).toBe(text);
  });

  it('of modules', () => {
    const text = 'module @m attributes {a.b = 1 : i64} {\n}\n';
    expect(reprint(text)).toBe(text);
  });
});

describe('verifier', () => {
  it.each([
    ['func.func @f() -> f32 { return }', 'has 0 operands, but enclosing function (@f) returns 1'],
    [
      'func.func @f(%a: i32) -> f32 { return %a : i32 }',
      "type of return operand 0 ('i32') doesn't match function result type ('f32') in function @f",
    ],
    ['func.func @f() { call @g() : () -> ()\n return }', "'g' does not reference a valid function"],
    ['func.func @f(%a: f32) { call @f() : () -> ()\n return }', 'incorrect number of operands for callee'],
    ['func.func @f(f32)', 'symbol declaration cannot have public visibility'],
    ['func.func private @f(f32 {a})', 'arguments may only have dialect attributes'],
    ['func.func @f(%a: f32, f32) { return }', 'expected SSA identifier'],
    ['func.func private @f() attributes {sym_name = "g"}', "'sym_name' is an inferred attribute"],
  ])('%s', (text, message) => {
    expect(errorsOf(text).join('\n')).toContain(message);
  });
});

it('arguments have locations, and so have those of loops whose text has room for them', () => {
  const text = `module {
  func.func @f(%arg0: index loc("a.c":1:2), %arg1: index {test.mine} loc("b")) {
    affine.for %arg2 loc("i") = 0 to 4 {
      affine.for %arg3 loc("j") = 0 to 4 {
      } loc("l")
    } loc("m")
    return loc("r")
  } loc("f.c":9:9)
} loc(unknown)
`;
  const printed = printModule(unwrap(parse(text)), { registry, debugInfo: true, localScope: true });
  expect(printed.replaceAll('return  loc', 'return loc')).toBe(text);
});
