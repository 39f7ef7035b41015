import { describe, expect, it } from 'vitest';
import { buffersAfter } from './differential.ts';
import { disassemble } from './disassemble.ts';
import { emitted, instanceOf } from './emit.ts';
import { inexact } from './inexact.ts';

const { fround, max } = Math;

describe('four points at a time', () => {
  it.each([4, 7, 8, 13])('computes elementwise bodies on rows of %d', (width) => {
    const text = `func.func @f(%a: memref<3x${width}xf32>, %b: memref<3xf32>, %s: f32, %o: memref<3x${width}xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b, %s : memref<3x${width}xf32>, memref<3xf32>, f32) outs(%o : memref<3x${width}xf32>) {
        ^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
          %zero = arith.constant 0.0 : f32
          %p = arith.addf %x, %y : f32
          %q = arith.divf %p, %z : f32
          %n = arith.negf %q : f32
          %m = arith.subf %n, %w : f32
          %r = arith.maximumf %m, %zero : f32
          linalg.yield %r : f32
      }
      return
    }`;
    const [a, b, o] = [inexact(3 * width, 1), inexact(3, 2), inexact(3 * width, 3)];
    const expected = o.map((w, i) => {
      const sum = fround(a[i]! + b[Math.floor(i / width)]!);
      return max(fround(-fround(sum / 3) - w), 0);
    });
    instanceOf(text).run('f', a, b, 3, o);
    expect(o).toEqual(expected);
  });

  it.each([
    ['oeq', (x, y) => x === y],
    ['ogt', (x, y) => x > y],
    ['oge', (x, y) => x >= y],
    ['olt', (x, y) => x < y],
    ['ole', (x, y) => x <= y],
    ['one', (x, y) => x < y || x > y],
    ['ord', (x, y) => !isNaN(x) && !isNaN(y)],
    ['ueq', (x, y) => !(x < y || x > y)],
    ['ugt', (x, y) => !(x <= y)],
    ['uge', (x, y) => !(x < y)],
    ['ult', (x, y) => !(x >= y)],
    ['ule', (x, y) => !(x > y)],
    ['une', (x, y) => x !== y],
    ['uno', (x, y) => isNaN(x) || isNaN(y)],
  ] as const satisfies readonly (readonly [string, (x: number, y: number) => boolean])[])(
    'selects by %s',
    (predicate, holds) => {
      const text = `func.func @f(%a: memref<9xf32>, %b: memref<9xf32>, %o: memref<9xf32>, %l: memref<9xf32>, %u: memref<9xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a, %b : memref<9xf32>, memref<9xf32>) outs(%o, %l, %u : memref<9xf32>, memref<9xf32>, memref<9xf32>) {
        ^bb0(%x: f32, %y: f32, %w: f32, %v: f32, %z: f32):
          %c = arith.cmpf ${predicate}, %x, %y : f32
          %r = arith.select %c, %x, %w : f32
          %least = arith.minnumf %x, %y : f32
          %most = arith.maxnumf %x, %y : f32
          linalg.yield %r, %least, %most : f32, f32, f32
      }
      return
    }`;
      const a = Float32Array.of(1, 2, 3, NaN, 1, NaN, -1, 4, 5);
      const b = Float32Array.of(1, 3, 2, 1, NaN, NaN, 1, 4, -5);
      const [o, least, most] = [inexact(9, 3), new Float32Array(9), new Float32Array(9)];
      const expected = o.map((w, i) => (holds(a[i]!, b[i]!) ? a[i]! : w));
      instanceOf(text).run('f', a, b, o, least, most);
      expect(o).toEqual(expected);
      expect([...least]).toEqual([1, 2, 2, 1, 1, NaN, -1, 4, -5]);
      expect([...most]).toEqual([1, 3, 3, 1, 1, NaN, 1, 4, 5]);
    },
  );

  it.each([
    ['i8', 'i8x16', 'addi', 'maxui', 37],
    ['i8', 'i8x16', 'subi', 'minsi', 16],
    ['i16', 'i16x8', 'muli', 'minui', 19],
    ['i16', 'i16x8', 'subi', 'maxsi', 8],
    ['i32', 'i32x4', 'muli', 'maxui', 7],
    ['f64', 'f64x2', 'divf', 'maximumf', 5],
    ['f64', 'f64x2', 'mulf', 'minnumf', 2],
  ])('computes on %s in %s: %s, %s', (type, vectors, first, second, width) => {
    const [row, column] = [`memref<3x${width}x${type}>`, `memref<3x${type}>`];
    const text = `func.func @f(%a: ${row}, %b: ${column}, %o: ${row}) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : ${row}, ${column}) outs(%o : ${row}) {
        ^bb0(%x: ${type}, %y: ${type}, %w: ${type}):
          %c = arith.constant ${type === 'f64' ? '3.0' : '3'} : ${type}
          %p = arith.${first} %x, %y : ${type}
          %q = arith.${second} %p, %w : ${type}
          %r = arith.${type === 'f64' ? 'subf' : 'subi'} %q, %c : ${type}
          linalg.yield %r : ${type}
      }
      return
    }`;
    const divisor = type === 'f64' ? 3 : 1;
    const { onWasm, interpreted } = buffersAfter(text, divisor);
    expect(onWasm).toEqual(interpreted);
    expect(disassemble(emitted(text).bytes)).toContain(`${vectors}.m`);
  });

  it('selects by comparisons of f64', () => {
    const text = `func.func @f(%a: memref<9xf64>, %o: memref<9xf64>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a : memref<9xf64>) outs(%o : memref<9xf64>) {
        ^bb0(%x: f64, %w: f64):
          %c = arith.cmpf olt, %x, %w : f64
          %n = arith.negf %x : f64
          %r = arith.select %c, %n, %w : f64
          linalg.yield %r : f64
      }
      return
    }`;
    const { onWasm, interpreted } = buffersAfter(text, 3);
    expect(onWasm).toEqual(interpreted);
    expect(disassemble(emitted(text).bytes)).toContain('f64x2.lt');
  });

  it.each(['i8', 'i16', 'f64'])('transposes and fills %s', (type) => {
    const text = `func.func @f(%a: memref<19x21x${type}>, %o: memref<21x19x${type}>, %s: memref<37x${type}>) {
      %c = arith.constant ${type === 'f64' ? '7.0' : '7'} : ${type}
      linalg.transpose ins(%a : memref<19x21x${type}>) outs(%o : memref<21x19x${type}>) permutation = [1, 0]
      linalg.fill ins(%c : ${type}) outs(%s : memref<37x${type}>)
      return
    }`;
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
    expect(disassemble(emitted(text).bytes)).toContain('v128.store');
  });

  it.each(['f16', 'bf16'])('copies %s bit by bit, also a NaN', (type) => {
    const text = `func.func @f(%a: memref<9x11x${type}>, %o: memref<11x9x${type}>) {
      linalg.transpose ins(%a : memref<9x11x${type}>) outs(%o : memref<11x9x${type}>) permutation = [1, 0]
      return
    }`;
    const a = Uint16Array.from({ length: 99 }, (_, i) => 0x7c01 + i * 331);
    const o = new Uint16Array(99);
    instanceOf(text).run('f', a, o);
    expect([...o]).toEqual(Array.from(o, (_, i) => a[(i % 9) * 11 + Math.floor(i / 9)]));
    expect(disassemble(emitted(text).bytes)).toContain('v128.load16_lane');
  });

  it('transposes, and fills what is left', () => {
    const text = `func.func @f(%a: memref<5x6xf32>, %o: memref<6x5xf32>, %s: memref<9xf32>) {
      %c = arith.constant 2.5 : f32
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<5x6xf32>) outs(%o : memref<6x5xf32>) {
        ^bb0(%x: f32, %w: f32):
          linalg.yield %x : f32
      }
      linalg.fill ins(%c : f32) outs(%s : memref<9xf32>)
      return
    }`;
    const a = inexact(30, 1);
    const [o, s] = [new Float32Array(30), new Float32Array(9)];
    instanceOf(text).run('f', a, o, s);
    expect(o).toEqual(Float32Array.from({ length: 30 }, (_, i) => a[(i % 5) * 6 + Math.floor(i / 5)]!));
    expect(s).toEqual(new Float32Array(9).fill(2.5));
  });

  it('keeps the order of reductions', () => {
    const text = `func.func @f(%a: memref<7x50xf32>, %o: memref<7xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%a : memref<7x50xf32>) outs(%o : memref<7xf32>) {
        ^bb0(%x: f32, %w: f32):
          %r = arith.addf %x, %w : f32
          linalg.yield %r : f32
      }
      return
    }`;
    const [a, o] = [inexact(350, 1), inexact(7, 2)];
    const expected = o.map((start, row) =>
      a.subarray(row * 50, row * 50 + 50).reduce((sum, x) => fround(sum + x), start),
    );
    instanceOf(text).run('f', a, o);
    expect(o).toEqual(expected);
  });

  it('leaves bodies that compute with indices to the scalar loops', () => {
    const text = `func.func @f(%o: memref<6xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : memref<6xf32>) {
        ^bb0(%w: f32):
          %i = linalg.index 0 : index
          %j = arith.index_cast %i : index to i32
          %x = arith.sitofp %j : i32 to f32
          linalg.yield %x : f32
      }
      return
    }`;
    const o = new Float32Array(6);
    instanceOf(text).run('f', o);
    expect(o).toEqual(Float32Array.of(0, 1, 2, 3, 4, 5));
  });
});
