import { describe, expect, it } from 'vitest';
import { any, apply, counting, here } from './payloads.ts';

const jam = (factor: number): string =>
  `${here}transform.loop.unroll_and_jam %loop {factor = ${factor}} : ${any}`;
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** Column sums in a triple loop nest; `bound` is that of the innermost loop. */
const columns = (
  count: number,
  step = 1,
  bound = '%c3',
): string => `func.func @f(%m: memref<2x3x16xi32>, %s: memref<16xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %count = arith.constant ${count} : index
  %step = arith.constant ${step} : index
  scf.for %i = %c0 to %count step %step {
    %own = arith.minui %i, %c3 : index
    %0 = memref.load %s[%i] : memref<16xi32>
    %1 = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %0) -> i32 {
      %2 = arith.addi %a, %0 : i32
      %3 = scf.for %l = %c0 to ${bound} step %c1 iter_args(%b = %2) -> i32 {
        %4 = memref.load %m[%k, %l, %i] : memref<2x3x16xi32>
        %5 = arith.muli %b, %4 : i32
        scf.yield %5 : i32
      }
      scf.yield %3 : i32
    }
    memref.store %1, %s[%i] : memref<16xi32>
  } {here}
  return
}`;

describe('transform.loop.unroll_and_jam', () => {
  it.each([
    // Loops, and sums in the innermost.
    [8, 1, 2, 3, 2],
    [8, 2, 4, 2, 4],
    [6, 2, 3, 2, 3],
    [3, 1, 16, 2, 3],
    [4, 1, 1, 3, 1],
  ])('of %d in steps of %d by %d has %d loops and %d products', (count, step, factor, loops, products) => {
    const { text, diagnostics } = apply(columns(count, step), jam(factor));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(loops);
    expect(occurrences(text, 'arith.muli')).toBe(products);
  });

  it('leaves a loop that does nothing', () => {
    const payload = `func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
  } {here}
  return
}`;
    expect(apply(payload, jam(2)).text).toBe(apply(payload, '').text);
  });

  it.each([
    ['a number of iterations that is no multiple', columns(7)],
    ['bounds that are computed in the loop', columns(8, 1, '%own')],
    ['values that are carried', counting(0, 8, 1)],
    ['no iteration', columns(0)],
    ['what is no loop', 'func.func @f() {\n  %x = arith.constant {here} 1.0 : f32\n  return\n}'],
  ])('refuses %s', (_, payload) => {
    expect(apply(payload, jam(2)).diagnostics).toContain('[unroll-and-jam/failed]');
  });
});
