/** inline: calls are replaced by bodies, and computed values are preserved. */
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { children, parseModule, symbolNameOf, verify, walk } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { inline } from '../src/index.ts';
import { registry } from './support/table.ts';

const run = (text: string, options: Parameters<typeof inline>[0] = {}) => {
  const before = unwrap(parseModule(text, { registry }));
  const after = unwrap(inline(options).run(before, { registry }));
  expect(verify(after, registry)).toEqual([]);
  expect(firstDifference(after, before)).toBeUndefined();
  return {
    functions: children(after.root).map(symbolNameOf),
    calls: [...walk(after.root)].filter(({ name }) => name === 'func.call').length,
  };
};

const square = `func.func private @square(%x: i32) -> i32 { %0 = arith.muli %x, %x : i32 return %0 : i32 }`;
const absolute = `func.func private @absolute(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.cmpi slt, %x, %c0 : i32
  cf.cond_br %0, ^negative, ^positive
^negative:
  %1 = arith.subi %c0, %x : i32
  return %1 : i32
^positive:
  return %x : i32
}`;

describe('inline', () => {
  it.each([
    [
      'a chain of calls, and private functions go',
      `func.func @main(%x: i32) -> i32 { %0 = call @fourth(%x) : (i32) -> i32 return %0 : i32 }
       func.func private @fourth(%x: i32) -> i32 {
         %0 = call @square(%x) : (i32) -> i32
         %1 = call @square(%0) : (i32) -> i32
         return %1 : i32
       }
       ${square}`,
      { functions: ['main'], calls: 0 },
    ],
    [
      'public functions stay',
      `func.func @main(%x: i32) -> i32 { %0 = call @twice(%x) : (i32) -> i32 return %0 : i32 }
       func.func @twice(%x: i32) -> i32 { %0 = arith.addi %x, %x : i32 return %0 : i32 }`,
      { functions: ['main', 'twice'], calls: 0 },
    ],
    [
      'several blocks',
      `func.func @main(%x: i32, %y: i32) -> i32 {
         %0 = call @absolute(%x) : (i32) -> i32
         %1 = call @absolute(%y) : (i32) -> i32
         %2 = arith.addi %0, %1 : i32
         return %2 : i32
       }
       ${absolute}`,
      { functions: ['main'], calls: 0 },
    ],
    [
      'private functions that attributes refer to stay, however deep',
      `func.func @main(%x: i32) -> i32 attributes {fs = [@square, {g = @absolute}]} {
         %0 = call @square(%x) : (i32) -> i32
         %1 = call @absolute(%0) : (i32) -> i32
         %2 = call @halved(%1) : (i32) -> i32
         return %2 : i32
       }
       func.func private @halved(%x: i32) -> i32 attributes {own = [@negated]} {
         %0 = call @negated(%x) : (i32) -> i32
         return %0 : i32
       }
       func.func private @negated(%x: i32) -> i32 attributes {g = @negated} { return %x : i32 }
       ${square}
       ${absolute}`,
      { functions: ['main', 'negated', 'square', 'absolute'], calls: 0 },
    ],
    [
      'no blocks into a body that has to be one',
      `func.func @main(%c: i1, %x: i32) -> i32 {
         %0 = scf.if %c -> (i32) {
           %1 = func.call @absolute(%x) : (i32) -> i32
           scf.yield %1 : i32
         } else {
           scf.yield %x : i32
         }
         return %0 : i32
       }
       ${absolute}`,
      { functions: ['main', 'absolute'], calls: 1 },
    ],
    [
      'no function into itself',
      `func.func @main(%c: i1, %x: i32) -> i32 {
         %0 = scf.if %c -> (i32) {
           %f = arith.constant false
           %1 = func.call @main(%f, %x) : (i1, i32) -> i32
           %2 = arith.muli %1, %1 : i32
           scf.yield %2 : i32
         } else {
           scf.yield %x : i32
         }
         return %0 : i32
       }`,
      { functions: ['main'], calls: 1 },
    ],
  ])('%s', (_, text, expected) => {
    expect(run(text)).toEqual(expected);
  });

  it('nothing larger than the caller allows', () => {
    const text = `func.func @main(%x: i32) -> i32 { %0 = call @square(%x) : (i32) -> i32 return %0 : i32 }
      ${square}`;
    expect(run(text, { inliningThreshold: 100 }).calls).toBe(0);
    expect(run(text, { inliningThreshold: 50 }).calls).toBe(1);
  });

  it('what the caller allows after earlier calls were inlined', () => {
    const sums = (name: string, count: number): string => {
      const lines = Array.from({ length: count }, (_, i) => `%${i + 1} = arith.muli %${i}, %${i} : i32`);
      return `func.func private @${name}(%0: i32) -> i32 { ${lines.join('\n')} return %${count} : i32 }`;
    };
    const text = `func.func @main(%x: i32) -> i32 {
        %0 = call @two(%x) : (i32) -> i32
        %1 = call @three(%0) : (i32) -> i32
        return %1 : i32
      }
      ${sums('two', 2)}
      ${sums('three', 3)}`;
    expect(run(text, { inliningThreshold: 110 }).calls).toBe(0);
    expect(run(text, { inliningThreshold: 100 }).calls).toBe(0);
    expect(run(text, { inliningThreshold: 99 }).calls).toBe(2);
  });

  it('chains of calls that are longer than a stack', () => {
    const count = 4000;
    const callers = Array.from(
      { length: count },
      (_, i) => `func.func private @f${i}() { call @f${i + 1}() : () -> () return }`,
    );
    const text = `func.func @main() { call @f0() : () -> () return }
      ${callers.join('\n')}
      func.func private @f${count}() { return }`;
    const after = unwrap(inline().run(unwrap(parseModule(text, { registry })), { registry }));
    expect(children(after.root).map(symbolNameOf)).toEqual(['main']);
  });
});
