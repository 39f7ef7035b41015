import { describe, expect, it } from 'vitest';
import { backendsOf, differences } from './differential.ts';
import { instanceOf } from './emit.ts';

/** `@f(non-constant bounds and step)`: returns the trip count and the sum of the counters. */
const loop = (constants: Readonly<Partial<Record<'lower' | 'upper' | 'step', number>>>): string => {
  const values = ['lower', 'upper', 'step'] as const;
  const parameters = values.filter((name) => constants[name] === undefined);
  const constantOf = (name: (typeof values)[number]): string =>
    constants[name] === undefined ? '' : `%${name} = arith.constant ${constants[name]} : index`;
  return `func.func @f(${parameters.map((name) => `%${name}: index`).join(', ')}) -> (i32, i64) {
    ${values.map(constantOf).join('\n')}
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %r:2 = scf.for %i = %lower to %upper step %step iter_args(%n = %zero, %sum = %none) -> (i32, i64) {
      %m = arith.addi %n, %one : i32
      %c = arith.index_cast %i : index to i64
      %s = arith.addi %sum, %c : i64
      scf.yield %m, %s : i32, i64
    }
    return %r#0, %r#1 : i32, i64
  }`;
};

const largest = 2 ** 31 - 1;

describe('scf.for', () => {
  const bounds = [0, 1, 7, -7, largest, largest - 1, -(2 ** 31), 1 - 2 ** 31];
  const steps = [1, 3, 2 ** 30, largest - 1, largest];
  /** Short loops. */
  const loops = bounds
    .flatMap((lower) => bounds.flatMap((upper) => steps.map((step) => [lower, upper, step] as const)))
    .filter(([lower, upper, step]) => (upper - lower) / step < 20);

  it('ends at the largest index, whatever is constant', () => {
    expect(loops.length).toBeGreaterThan(200);
    expect(differences(backendsOf(loop({})), 'f', loops)).toEqual([]);
    const wrong = loops.flatMap(([lower, upper, step]) => [
      ...differences(backendsOf(loop({ step })), 'f', [[lower, upper]]),
      ...differences(backendsOf(loop({ upper, step })), 'f', [[lower]]),
      ...differences(backendsOf(loop({ lower, upper, step })), 'f', [[]]),
    ]);
    expect(wrong).toEqual([]);
  });

  it('takes two steps of 2^30 to 2^31 - 1', () => {
    expect(instanceOf(loop({ step: 2 ** 30 })).run('f', 0, largest)).toEqual([2, BigInt(2 ** 30)]);
  });

  it.each([0, -1])('ends the execution at a step of %d', (step) => {
    for (const text of [loop({}), loop({ step })]) {
      const { wasm, interpreter } = backendsOf(text).outcomes(
        'f',
        ...(text === loop({}) ? [0, 4, step] : [0, 4]),
      );
      expect([wasm, interpreter]).toEqual(['zero-step', 'zero-step']);
    }
  });

  it('counts to a bound of a smaller range', () => {
    const text = `func.func @f(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %u = affine.min affine_map<(d0) -> (d0, 10)>(%n)
      %r = scf.for %i = %c0 to %u step %c3 iter_args(%k = %c0) -> (index) {
        %l = arith.addi %k, %c1 : index
        scf.yield %l : index
      }
      return %r : index
    }`;
    const calls = [-1, 0, 1, 3, 4, 9, 10, 11, largest].map((n) => [n]);
    expect(differences(backendsOf(text), 'f', calls)).toEqual([]);
  });

  it('exchanges what it carries', () => {
    const text = `func.func @f(%n: index, %a: i32, %b: i32) -> (i32, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
        scf.yield %y, %x : i32, i32
      }
      return %r#0, %r#1 : i32, i32
    }`;
    const instance = instanceOf(text);
    const results = [0, 1, 2, 3].map((n) => instance.run('f', n, 5, 6).join());
    expect(results).toEqual(['5,6', '6,5', '5,6', '6,5']);
  });
});

it('scf.if yields several values, of the branch that is taken', () => {
  const text = `func.func @f(%c: i1, %a: index, %b: f32) -> (f32, index, i1) {
    %r:3 = scf.if %c -> (f32, index, i1) {
      %t = arith.constant true
      scf.yield %b, %a, %t : f32, index, i1
    } else {
      %z = arith.constant 0.5 : f32
      %i = arith.constant 9 : index
      %n = arith.constant false
      scf.yield %z, %i, %n : f32, index, i1
    }
    return %r#0, %r#1, %r#2 : f32, index, i1
  }`;
  const instance = instanceOf(text);
  const results = [0, 1, 2].map((c) => instance.run('f', c, -3, 2.5).join());
  expect(results).toEqual(['0.5,9,0', '2.5,-3,1', '0.5,9,0']);
});

it('cf.assert ends the execution where its condition does not hold', () => {
  const text = `func.func @f(%c: i1) -> i32 {
    cf.assert %c, "no such thing"
    %one = arith.constant 1 : i32
    return %one : i32
  }`;
  const backends = backendsOf(text);
  expect(differences(backends, 'f', [[0], [1]])).toEqual([]);
  expect(backends.outcomes('f', 0)).toEqual({ wasm: 'assertion', interpreter: 'assertion' });
});
