import { unwrap } from '@sconv/diagnostics';
import { memref } from '@sconv/interpreter';
import { describe, expect, it } from 'vitest';
import { backendsOf } from './differential.ts';

const type = 'memref<4x6xf32>';

/** Bodies over the elements of `%o`; `@f(%o, %n)` knows `%n`, the constant `%c`, `%x` of i64 and the global `@weights`. */
const functionOf = (body: string): string => `
memref.global "private" constant @weights : memref<6xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>
func.func @f(%o: ${type}, %n: index) {
  %c = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %wide = arith.constant 12345678901234 : i64
  ${body}
  return
}`;

const bodies: Readonly<Record<string, string>> = {
  'one loop': `scf.forall (%i) in (4) {
    %v = arith.index_cast %i : index to i32
    %f = arith.sitofp %v : i32 to f32
    memref.store %f, %o[%i, %c] : ${type}
  }`,
  'a nest with bounds and steps': `scf.forall (%i, %j) = (1, 0) to (4, 6) step (2, 3) {
    memref.store %half, %o[%i, %j] : ${type}
  }`,
  'numbers of all types': `%s = arith.addi %n, %c : index
  %d = arith.sitofp %wide : i64 to f64
  scf.forall (%i) in (4) {
    %l = arith.sitofp %wide : i64 to f64
    %e = arith.subf %l, %d : f64
    %g = arith.truncf %e : f64 to f32
    %h = arith.addf %g, %half : f32
    %k = arith.subi %s, %n : index
    memref.store %h, %o[%i, %k] : ${type}
  }`,
  'a part of a buffer at an offset that is computed': `%part = memref.subview %o[%n, 0] [2, 6] [1, 1]
    : ${type} to memref<2x6xf32, strided<[6, 1], offset: ?>>
  scf.forall (%i, %j) in (2, 6) {
    memref.store %half, %part[%i, %j] : memref<2x6xf32, strided<[6, 1], offset: ?>>
  }`,
  'a constant of the module, and a buffer of each iteration': `scf.forall (%i) in (4) {
    %w = memref.get_global @weights : memref<6xf32>
    %t = memref.alloc() : memref<6xf32>
    linalg.copy ins(%w : memref<6xf32>) outs(%t : memref<6xf32>)
    %v = memref.load %t[%i] : memref<6xf32>
    memref.store %v, %o[%i, %i] : ${type}
  }`,
  'a buffer of the function': `%t = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (4) {
    %v = memref.load %o[%i, %c0] : ${type}
    memref.store %v, %t[%i] : memref<4xf32>
  }
  scf.forall (%i) in (4) {
    %k = arith.subi %c, %i : index
    %v = memref.load %t[%k] : memref<4xf32>
    memref.store %v, %o[%i, %c1] : ${type}
  }`,
  'bounds that are computed': `scf.forall (%i) = (%c0) to (%n) step (%c1) {
    memref.store %half, %o[%i, %c] : ${type}
  }`,
  'loops in loops': `scf.for %k = %c0 to %n step %c1 {
    scf.forall (%i) in (2) {
      scf.forall (%j) in (3) {
        %a = arith.addi %i, %k : index
        memref.store %half, %o[%a, %j] : ${type}
      }
    }
  }`,
  'no iterations': `scf.forall (%i) in (0) {
    memref.store %half, %o[%i, %c] : ${type}
  }`,
  'one iteration': `scf.forall (%i) in (1) {
    memref.store %half, %o[%i, %c] : ${type}
  }`,
};

describe('scf.forall', () => {
  it.each(Object.keys(bodies))('of %s does what the interpreter does', (name) => {
    const { wasm, interpreter } = backendsOf(functionOf(bodies[name]!));
    const start = Float32Array.from({ length: 24 }, (_, i) => i + 1);
    const expected = memref([4, 6], start.slice());
    unwrap(interpreter.run('f', [expected, 2]));
    const output = start.slice();
    wasm.run('f', output, 2);
    expect(output).toEqual(expected.allocation.data);
    expect(name === 'no iterations' || output.some((value, i) => value !== start[i])).toBe(true);
  });

  it('ends the execution where an iteration does', () => {
    const text = `func.func @f(%a: i32, %o: memref<2xi32>) {
      scf.forall (%i) in (2) {
        %n = arith.index_cast %i : index to i32
        %d = arith.divsi %a, %n : i32
        memref.store %d, %o[%i] : memref<2xi32>
      }
      return
    }`;
    const result = backendsOf(text).wasm.call('f', 7, new Int32Array(2));
    expect(result).toMatchObject({ status: 'definite', diagnostics: [{ code: 'wasm/division-by-zero' }] });
  });
});
