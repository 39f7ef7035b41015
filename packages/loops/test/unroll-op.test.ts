import { describe, expect, it } from 'vitest';
import { any, apply, counting, here } from './payloads.ts';

const unroll = (factor: number): string => `${here}transform.loop.unroll %loop {factor = ${factor}} : ${any}`;
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** A loop from 0 to an argument. */
const ending = (type: string, step: bigint | number): string => `func.func @f(%n: ${type}, %x: i32) -> i32 {
  %c0 = arith.constant 0 : ${type}
  %step = arith.constant ${step} : ${type}
  %sum = scf.for %i = %c0 to %n step %step iter_args(%s = %x) -> (i32) : ${type} {
    %0 = arith.muli %s, %x : i32
    scf.yield %0 : i32
  } {here}
  return %sum : i32
}`;

describe('transform.loop.unroll', () => {
  it.each([
    // Loops and copies of the body: 8 by 4; 7 by 2 with one promoted; 11 by 4 with a remainder loop of 3; 4 at once.
    [[0, 8, 1], 4, 1, 4],
    [[0, 7, 1], 2, 1, 2 + 1],
    [[0, 11, 1], 4, 1 + 1, 4 + 1],
    [[1, 6, 1], 4, 0, 4 + 1],
    [[2, 10, 2], 4, 0, 4],
    // An empty loop stays empty.
    [[0, 0, 1], 4, 1, 4],
    [[8, 0, 4], 2, 1, 2],
    // Nothing to unroll, except for a single-iteration loop.
    [[0, 8, 1], 1, 1, 1],
    [[3, 4, 1], 1, 0, 1],
  ])(
    'makes of %j by %d %d loops and %d bodies',
    ([lower = 0, upper = 0, step = 0], factor, loops, bodies) => {
      const { diagnostics, text } = apply(counting(lower, upper, step), unroll(factor));
      expect(diagnostics).toBe('');
      expect(occurrences(text, 'scf.for')).toBe(loops);
      expect(occurrences(text, 'mulf')).toBe(bodies);
    },
  );

  it.each([
    // 4 * 50 is no i8: a loop in steps of -56 would be another one.
    [counting(0, 100, 50, 'i8'), 4],
    [counting(0, 2 ** 52, 2 ** 51), 4],
    // Nor is 2 * 100, wherever the loop ends; 2 * 2^62 wraps to the negative end of the indices.
    [ending('i8', 100), 2],
    [ending('i64', 2n ** 62n), 2],
  ])('refuses a step that the type of the loop has not', (payload, factor) => {
    expect(apply(payload, unroll(factor)).diagnostics).toContain('[transform/arithmetic]');
  });

  it('counts in the type of the loop', () => {
    const { diagnostics, text } = apply(counting(0, 7, 2, 'i32'), unroll(2));
    expect(diagnostics).toBe('');
    expect(text).toContain('arith.muli %c2_i32, %c1_i32 : i32');
  });

  it.each([
    // 200 and 85 iterations; 255 + 2 is no i8.
    [-128, 72, 1, 3],
    [-128, 127, 3, 4],
  ])('counts what i8 holds from %d to %d by %d, %d at once', (lower, upper, step, factor) => {
    const payload = `func.func @f(%m: memref<1xi8>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %loaded = memref.load %m[%c0] : memref<1xi8>
  %zero = arith.subi %loaded, %loaded : i8
  %least = arith.constant ${lower} : i8
  %from = arith.addi %zero, %least : i8
  %to = arith.constant ${upper} : i8
  %step = arith.constant ${step} : i8
  %sum = scf.for %i = %from to %to step %step iter_args(%s = %x) -> (i32) : i8 {
    %0 = arith.extsi %i : i8 to i32
    %1 = arith.muli %s, %x : i32
    %2 = arith.addi %0, %1 : i32
    scf.yield %2 : i32
  } {here}
  return %sum : i32
}`;
    const { diagnostics, text } = apply(payload, unroll(factor));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'extsi')).toBe(factor + 1);
  });

  it.each([1, 2, 3])('computes the bounds that are not known, for %d iterations at once', (factor) => {
    const payload = `func.func @f(%m: memref<?xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %size step %c2 iter_args(%s = %x) -> f32 {
    %0 = memref.load %m[%i] : memref<?xf32>
    %1 = arith.divf %0, %s : f32
    scf.yield %1 : f32
  } {here}
  return %sum : f32
}`;
    const { diagnostics, text } = apply(payload, unroll(factor));
    expect(diagnostics).toBe('');
    expect(text).toContain('arith.divui');
    expect(occurrences(text, 'divf')).toBe(factor + 1);
  });

  it.each([
    // Upper bounds of -5, 3 and 4, in a buffer of four elements.
    ['%less', 2, 1],
    ['%less', 3, 1],
    ['%one', 2, 1],
    ['%size', 2, 0],
  ])(
    'runs no iteration of a loop that may end before it begins: 0 to %s, by %d',
    (upper, factor, clamped) => {
      const payload = `func.func @f(%m: memref<?xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  %less = arith.subi %size, %c9 : index
  %one = arith.subi %size, %c1 : index
  %sum = scf.for %i = %c0 to ${upper} step %c1 iter_args(%s = %x) -> f32 {
    %0 = memref.load %m[%i] : memref<?xf32>
    %1 = arith.subf %0, %s : f32
    scf.yield %1 : f32
  } {here}
  return %sum : f32
}`;
      const { diagnostics, text } = apply(payload, unroll(factor));
      expect(diagnostics).toBe('');
      expect(occurrences(text, 'maxsi')).toBe(clamped);
      expect(occurrences(text, 'subf')).toBe(factor + 1);
    },
  );

  it('gives each copy what the one before yielded, also in nested regions', () => {
    const payload = `func.func @f(%m: memref<6xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c3 = arith.constant 3 : i32
  %sum = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %x) -> i32 {
    %0 = arith.muli %s, %c3 : i32
    scf.execute_region {
      memref.store %s, %m[%i] : memref<6xi32>
      scf.yield
    }
    scf.yield %0 : i32
  } {here}
  return %sum : i32
}`;
    const { diagnostics, text } = apply(payload, unroll(3));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'memref.store')).toBe(3);
  });

  it.each(['scf.for %i = %n to %n step %n', 'affine.for %i = 0 to 8', 'affine.for %i = 0 to %n'])(
    'leaves a loop that does nothing: %s',
    (loop) => {
      const payload = `func.func @f(%n: index) {
  ${loop} {
  } {here}
  return
}`;
      expect(apply(payload, unroll(2)).text).toBe(apply(payload, '').text);
    },
  );

  const affine = (
    lower: string,
    upper: string,
    step: number,
  ): string => `func.func @f(%m: memref<16xf32>, %x: f32, %n: index) -> f32 {
  %c2 = arith.constant 2 : index
  %sum = affine.for %i = ${lower} to ${upper} step ${step} iter_args(%s = %x) -> f32 {
    %0 = memref.load %m[%i] : memref<16xf32>
    %1 = arith.mulf %s, %0 : f32
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %m[%i] : memref<16xf32>
    affine.yield %2 : f32
  } {here}
  return %sum : f32
}`;

  it.each([
    ['0', '8', 1, 4, 1, 4],
    ['0', '11', 1, 4, 2, 5],
    ['%c2', '11', 2, 2, 1, 3],
    ['1', '6', 1, 4, 0, 5],
    ['3', '4', 1, 1, 0, 1],
    ['0', '0', 1, 2, 0, 0],
  ])(
    'makes of affine.for from %s to %s step %d by %d %d loops and %d bodies',
    (lower, upper, step, factor, loops, bodies) => {
      const { diagnostics, text } = apply(affine(lower, upper, step), unroll(factor));
      expect(diagnostics).toBe('');
      expect(occurrences(text, 'affine.for')).toBe(loops);
      expect(occurrences(text, 'mulf')).toBe(bodies);
    },
  );

  it.each([
    ['scf.for', counting(0, 3, 1), 4, 3],
    ['affine.for', affine('0', '6', 2), 9, 3],
  ])('warns where an %s has fewer iterations than are to be done at once', (_, payload, factor, count) => {
    const { diagnostics } = apply(payload, unroll(factor));
    expect(diagnostics).toContain(
      `warning: nothing is unrolled: there are fewer than ${factor} iterations, and all are left to the rest [unroll/beyond-trip-count]`,
    );
    expect(diagnostics).toContain(`note: this loop has ${count} iterations`);
  });

  it('refuses an affine.for whose bounds are not known', () => {
    expect(apply(affine('0', '%n', 1), unroll(2)).diagnostics).toContain('[unroll/failed]');
  });

  it('refuses what is no loop over numbers', () => {
    const payload = 'func.func @f() {\n  %x = arith.constant {here} 1.0 : f32\n  return\n}';
    expect(apply(payload, unroll(2)).diagnostics).toContain(
      "failed to unroll: expected an scf.for or affine.for, got 'arith.constant' [unroll/failed]",
    );
  });

  it.each([
    // 2^18 operations and more; the body has 3.
    ['scf.for', counting(0, 10, 1)],
    ['affine.for', affine('0', '1000000', 1)],
  ])('refuses to make millions of operations of %s', (_, payload) => {
    const { diagnostics } = apply(payload, unroll(100_000));
    expect(diagnostics).toContain(
      'operations after unrolling by 100000; 262144 are possible [unroll/too-long]',
    );
  });
});
