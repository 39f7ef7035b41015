import { unwrap } from '@sconv/diagnostics';
import type { Implementation } from '@sconv/ir';
import { anyType, createRegistry, defineOp, one, parseModule, printModule, verify } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { addf, mulf, muli } from '../src/arith.ts';
import { composedOf, payloadDialects, withoutComposed } from '../src/index.ts';
import { inFunction } from './support.ts';

const unary = (name: string, composed: Implementation) =>
  defineOp({
    name,
    summary: 'a function of one operand, of its type',
    operands: { x: one(anyType) },
    results: { result: one(anyType) },
    traits: ['pure', 'elementwise', 'same-operands-and-result-type'],
    interfaces: [composed],
    assembly: { format: '$x attr-dict `:` type($result)' },
  });
const next = unary(
  'own.next',
  composedOf((b, [x], number) => b(addf, { lhs: x!, rhs: number(1) })),
);
const twice = unary(
  'own.twice',
  composedOf((b, [x], number) => b(muli, { lhs: x!, rhs: number(2) })),
);
/** Composed of one that is composed. */
const after = unary(
  'own.after',
  composedOf((b, [x]) => b(mulf, { lhs: x!, rhs: b(next, { x: x! }, { resultTypes: [x!.type] }) })),
);
/** Composed of itself. */
const endless = unary(
  'own.endless',
  composedOf((b, [x]) => b(endless, { x: x! }, { resultTypes: [x!.type] })),
);
const keep = defineOp({
  name: 'own.keep',
  summary: 'uses a value',
  operands: { x: one(anyType) },
  results: { result: one(anyType) },
  traits: ['same-operands-and-result-type'],
  assembly: { format: '$x attr-dict `:` type($result)' },
});
const registry = createRegistry([
  ...payloadDialects,
  { name: 'own', operations: [next, twice, after, endless, keep] },
]);

/** What stands in the place of `op` on a value of this type: its lines before the last one, which uses the result. */
const inPlaceOf = (op: string, type: string): readonly string[] => {
  const text = inFunction(`%x: ${type}`, `%r = own.${op} %x : ${type}\n%s = own.keep %r : ${type}`);
  const module = unwrap(parseModule(text, { registry }));
  const result = withoutComposed(module, registry);
  expect(verify(result, registry)).toEqual([]);
  const lines = printModule(result, { registry }).split('\n');
  return lines
    .slice(
      2,
      lines.findIndex((line) => line.includes('own.keep')),
    )
    .map((line) => line.trim());
};

describe('in the place of an op that is composed', () => {
  it('stand the ops that it is composed of', () => {
    expect(inPlaceOf('next', 'f32')).toEqual([
      '%cst = arith.constant 1.000000e+00 : f32',
      '%0 = arith.addf %arg0, %cst : f32',
    ]);
    expect(inPlaceOf('twice', 'i16')).toEqual([
      '%c2_i16 = arith.constant 2 : i16',
      '%0 = arith.muli %arg0, %c2_i16 : i16',
    ]);
  });

  it('stand those that these are composed of', () => {
    expect(inPlaceOf('after', 'f32')).toEqual([
      '%cst = arith.constant 1.000000e+00 : f32',
      '%0 = arith.addf %arg0, %cst : f32',
      '%1 = arith.mulf %arg0, %0 : f32',
    ]);
  });

  it('stand ops on its vectors and tensors, with numbers of the same sizes', () => {
    expect(inPlaceOf('next', 'vector<2x3xf32>')).toContain(
      '%cst = arith.constant dense<1.000000e+00> : vector<2x3xf32>',
    );
    expect(inPlaceOf('next', 'tensor<2xf32>')).toContain(
      '%cst = arith.constant dense<1.000000e+00> : tensor<2xf32>',
    );
    expect(inPlaceOf('next', 'tensor<?x3xf32>').slice(-3)).toEqual([
      '%dim = tensor.dim %arg0, %c0 : tensor<?x3xf32>',
      '%splat = tensor.splat %cst[%dim] : tensor<?x3xf32>',
      '%0 = arith.addf %arg0, %splat : tensor<?x3xf32>',
    ]);
  });

  it('it stays where there is no end of that', () => {
    expect(inPlaceOf('endless', 'f32')).toEqual(['%0 = own.endless %arg0 : f32']);
  });
});

it('a module without such ops is itself', () => {
  const module = unwrap(parseModule(inFunction('%x: f32', '%r = arith.addf %x, %x : f32'), { registry }));
  expect(withoutComposed(module, registry)).toBe(module);
});
