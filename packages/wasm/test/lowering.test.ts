import { describe, expect, it } from 'vitest';
import { instanceOf } from './emit.ts';

const floats = (...values: number[]): Float32Array => Float32Array.from(values);

/** Runs `@f` of a module on arguments and returns its results. */
const run = (text: string, ...values: Parameters<ReturnType<typeof instanceOf>['run']>[1][]) =>
  instanceOf(text).run('f', ...values);

describe('arith', () => {
  const scalar = (type: string, body: string): string =>
    `func.func @f(%a: ${type}, %b: ${type}) -> ${type} { ${body} return %r : ${type} }`;

  it.each([
    ['arith.addf', 7, 2, 9],
    ['arith.subf', 7, 2, 5],
    ['arith.mulf', 7, 2, 14],
    ['arith.divf', 7, 2, 3.5],
    ['arith.maximumf', 7, 2, 7],
    ['arith.minimumf', 7, 2, 2],
  ])('%s(%d, %d)', (name, a, b, expected) => {
    for (const type of ['f32', 'f64']) {
      expect(run(scalar(type, `%r = ${name} %a, %b : ${type}`), a, b)).toEqual([expected]);
    }
  });

  it.each([
    ['arith.addi', 7, -2, 5],
    ['arith.subi', 7, -2, 9],
    ['arith.muli', 7, -2, -14],
    ['arith.divsi', -7, 2, -3],
    ['arith.remsi', -7, 2, -1],
    ['arith.andi', 6, 3, 2],
    ['arith.ori', 6, 3, 7],
    ['arith.xori', 6, 3, 5],
    ['arith.minsi', -6, 3, -6],
    ['arith.maxsi', -6, 3, 3],
    ['arith.minui', -6, 3, 3],
    ['arith.maxui', -6, 3, -6],
  ])('%s(%d, %d)', (name, a, b, expected) => {
    expect(run(scalar('i32', `%r = ${name} %a, %b : i32`), a, b)).toEqual([expected]);
    expect(run(scalar('index', `%r = ${name} %a, %b : index`), a, b)).toEqual([expected]);
    expect(run(scalar('i64', `%r = ${name} %a, %b : i64`), BigInt(a), BigInt(b))).toEqual([BigInt(expected)]);
  });

  it.each([
    ['arith.floordivsi', -7, 2, -4],
    ['arith.ceildivsi', -7, 2, -3],
    ['arith.ceildivsi', 7, 2, 4],
  ])('%s(%d, %d) by a constant', (name, a, b, expected) => {
    const text = `func.func @f(%a: index) -> index {
      %b = arith.constant ${b} : index
      %r = ${name} %a, %b : index
      return %r : index
    }`;
    expect(run(text, a)).toEqual([expected]);
  });

  it.each([
    ['slt', 1],
    ['ult', 2],
    ['eq', 2],
    ['ne', 1],
    ['uge', 1],
  ])('compares integers: -1 %s 3 selects %d', (predicate, selected) => {
    const text = `func.func @f(%a: i32, %b: i32, %x: f32, %y: f32) -> f32 {
      %c = arith.cmpi ${predicate}, %a, %b : i32
      %r = arith.select %c, %x, %y : f32
      return %r : f32
    }`;
    expect(run(text, -1, 3, 1, 2)).toEqual([selected]);
  });

  it.each([
    ['olt', 1, 0],
    ['ult', 1, 1],
    ['oge', 0, 0],
    ['ueq', 0, 1],
    ['one', 1, 0],
    ['une', 1, 1],
    ['ord', 1, 0],
    ['uno', 0, 1],
  ])('compares floats: %s', (predicate, ordered, unordered) => {
    const text = `func.func @f(%a: f32, %b: f32) -> i1 {
      %r = arith.cmpf ${predicate}, %a, %b : f32
      return %r : i1
    }`;
    expect([run(text, 1, 2), run(text, NaN, 2)]).toEqual([[ordered], [unordered]]);
  });

  it('converts', () => {
    const text = `func.func @f(%a: f32, %i: index) -> (f64, i32, f32, i64) {
      %d = arith.extf %a : f32 to f64
      %t = arith.fptosi %a : f32 to i32
      %s = arith.sitofp %t : i32 to f32
      %l = arith.index_cast %i : index to i64
      return %d, %t, %s, %l : f64, i32, f32, i64
    }`;
    expect(run(text, -2.5, -3)).toEqual([-2.5, -2, -2, -3n]);
  });
});

describe('affine', () => {
  it.each([
    ['(d0 floordiv 5)', -7, -2],
    ['(d0 mod 5)', -7, 3],
    ['(d0 ceildiv 5)', -7, -1],
    ['((d0 + 3) * 4 - d0)', 2, 18],
  ])('applies %s to %d', (expr, value, expected) => {
    const text = `func.func @f(%a: index) -> index {
      %r = affine.apply affine_map<(d0) -> ${expr}>(%a)
      return %r : index
    }`;
    expect(run(text, value)).toEqual([expected]);
  });

  it('takes minima and maxima', () => {
    const text = `func.func @f(%a: index, %b: index) -> (index, index) {
      %r = affine.min affine_map<(d0)[s0] -> (d0, s0 + 1, 5)>(%a)[%b]
      %s = affine.max affine_map<(d0)[s0] -> (d0, s0 + 1, 5)>(%a)[%b]
      return %r, %s : index, index
    }`;
    expect(run(text, 9, 3)).toEqual([4, 9]);
  });

  it('keeps long chains of index arithmetic small', () => {
    const chain = Array.from(
      { length: 3000 },
      (_, i) => `%x${i + 1} = arith.addi %x${i}, %x${i} : index
       %y${i + 1} = arith.remui %x${i + 1}, %c : index`,
    ).join('\n');
    const text = `func.func @f(%x0: index) -> index {
      %c = arith.constant 7 : index
      ${chain}
      return %y3000 : index
    }`;
    expect(run(text, 0)).toEqual([0]);
  });
});

it('keeps long chains of index arithmetic in the body of a structured operation small', () => {
  const chain = Array.from(
    { length: 200 },
    (_, i) => `%x${i + 1} = arith.addi %x${i}, %y${i} : index
       %y${i + 1} = arith.remui %x${i + 1}, %c : index`,
  ).join('\n');
  const text = `func.func @f(%o: memref<3xindex>) {
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : memref<3xindex>) {
      ^bb0(%w: index):
        %c = arith.constant 7 : index
        %x0 = linalg.index 0 : index
        %y0 = arith.constant 1 : index
        ${chain}
        linalg.yield %x200 : index
    }
    return
  }`;
  const next = (start: number): number => {
    let [x, y] = [start, 1];
    for (let i = 0; i < 200; i += 1) [x, y] = [x + y, (x + y) % 7];
    return x;
  };
  const o = new Int32Array(3);
  instanceOf(text).run('f', o);
  expect(o).toEqual(Int32Array.of(next(0), next(1), next(2)));
});

describe('scf', () => {
  it('carries numbers and indices through loops', () => {
    const text = `func.func @f(%n: index) -> (i32, index) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %one = arith.constant 1 : i32
      %a, %b = scf.for %i = %c0 to %n step %c2 iter_args(%x = %one, %y = %c0) -> (i32, index) {
        %x2 = arith.addi %x, %x : i32
        %y2 = arith.addi %y, %i : index
        scf.yield %x2, %y2 : i32, index
      }
      return %a, %b : i32, index
    }`;
    expect(run(text, 7)).toEqual([16, 0 + 2 + 4 + 6]);
    expect(run(text, 0)).toEqual([1, 0]);
    expect(run(text, -5)).toEqual([1, 0]);
  });

  it('exchanges carried values', () => {
    const text = `func.func @f(%p: f32, %q: f32) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %a, %b = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %p, %y = %q) -> (f32, f32) {
        scf.yield %y, %x : f32, f32
      }
      return %a, %b : f32, f32
    }`;
    expect(run(text, 1, 2)).toEqual([2, 1]);
  });

  it('carries buffers', () => {
    // Each iteration accumulates into the buffer that the previous one did not.
    const text = `func.func @f(%p: memref<2xf32>, %q: memref<2xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1.0 : f32
      %a, %b = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %p, %y = %q) -> (memref<2xf32>, memref<2xf32>) {
        %v = memref.load %x[%c1] : memref<2xf32>
        %w = arith.addf %v, %one : f32
        memref.store %w, %x[%c1] : memref<2xf32>
        scf.yield %y, %x : memref<2xf32>, memref<2xf32>
      }
      return
    }`;
    const [p, q] = [floats(0, 0), floats(0, 10)];
    run(text, p, q);
    expect([p, q]).toEqual([floats(0, 2), floats(0, 11)]);
  });

  it('branches', () => {
    const text = `func.func @f(%c: i1, %x: f32) -> f32 {
      %r = scf.if %c -> (f32) {
        %n = arith.negf %x : f32
        scf.yield %n : f32
      } else {
        scf.yield %x : f32
      }
      return %r : f32
    }`;
    expect([run(text, 1, 3), run(text, 0, 3)]).toEqual([[-3], [3]]);
  });
});

describe('memref', () => {
  it('sees elements through views of views', () => {
    const text = `func.func @f(%m: memref<4x6xf32>, %i: index) -> f32 {
      %s = memref.subview %m[%i, 1] [2, 2] [1, 2] : memref<4x6xf32> to memref<2x2xf32, strided<[6, 2], offset: ?>>
      %r = memref.subview %s[1, 0] [1, 2] [1, 1] : memref<2x2xf32, strided<[6, 2], offset: ?>> to memref<2xf32, strided<[2], offset: ?>>
      %c = memref.cast %r : memref<2xf32, strided<[2], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
      %c1 = arith.constant 1 : index
      %v = memref.load %c[%c1] : memref<2xf32, strided<[?], offset: ?>>
      return %v : f32
    }`;
    const matrix = Float32Array.from({ length: 24 }, (_, i) => i);
    expect(run(text, matrix, 1)).toEqual([2 * 6 + 3]);
  });

  it('collapses, expands and reinterprets', () => {
    const text = `func.func @f(%m: memref<2x3x4xf32>) -> (f32, f32, f32) {
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %a = memref.collapse_shape %m [[0], [1, 2]] : memref<2x3x4xf32> into memref<2x12xf32>
      %x = memref.load %a[%c1, %c7] : memref<2x12xf32>
      %b = memref.expand_shape %a [[0], [1, 2]] output_shape [2, 6, 2] : memref<2x12xf32> into memref<2x6x2xf32>
      %y = memref.load %b[%c1, %c1, %c1] : memref<2x6x2xf32>
      %c = memref.reinterpret_cast %m to offset: [5], sizes: [3, 2], strides: [2, 1] : memref<2x3x4xf32> to memref<3x2xf32, strided<[2, 1], offset: 5>>
      %z = memref.load %c[%c1, %c1] : memref<3x2xf32, strided<[2, 1], offset: 5>>
      return %x, %y, %z : f32, f32, f32
    }`;
    const values = Float32Array.from({ length: 24 }, (_, i) => i);
    expect(run(text, values)).toEqual([19, 15, 8]);
  });

  it('expands a scalar', () => {
    const text = `func.func @f(%m: memref<f32>) -> f32 {
      %c0 = arith.constant 0 : index
      %a = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
      %x = memref.load %a[%c0, %c0] : memref<1x1xf32>
      return %x : f32
    }`;
    expect(run(text, Float32Array.of(7))).toEqual([7]);
  });

  it('gives allocations of one scope different places and returns them', () => {
    const text = `func.func @f(%x: f32) -> (memref<3xf32>, memref<2xi32>) {
      %a = memref.alloc() : memref<3xf32>
      %b = memref.alloca() : memref<2xi32>
      %i = arith.constant 5 : i32
      linalg.fill ins(%x : f32) outs(%a : memref<3xf32>)
      linalg.fill ins(%i : i32) outs(%b : memref<2xi32>)
      return %a, %b : memref<3xf32>, memref<2xi32>
    }`;
    expect(run(text, 1.5)).toEqual([floats(1.5, 1.5, 1.5), Int32Array.of(5, 5)]);
  });

  it('copies contiguous and strided buffers', () => {
    const text = `func.func @f(%m: memref<3x4xf32>, %o: memref<3x2xf32>, %p: memref<3x4xf32>) {
      %s = memref.subview %m[0, 1] [3, 2] [1, 2] : memref<3x4xf32> to memref<3x2xf32, strided<[4, 2], offset: 1>>
      memref.copy %s, %o : memref<3x2xf32, strided<[4, 2], offset: 1>> to memref<3x2xf32>
      memref.copy %m, %p : memref<3x4xf32> to memref<3x4xf32>
      return
    }`;
    const matrix = Float32Array.from({ length: 12 }, (_, i) => i);
    const [odd, copy] = [new Float32Array(6), new Float32Array(12)];
    run(text, matrix, odd, copy);
    expect(odd).toEqual(floats(1, 3, 5, 7, 9, 11));
    expect(copy).toEqual(matrix);
  });

  it('reads constants', () => {
    const text = `module {
      memref.global "private" constant @zeros : memref<2xf32> = dense<0.5>
      memref.global "private" constant @numbers : memref<2x2xi32> = dense<[[1, 2], [3, -4]]>
      func.func @f(%i: index) -> (f32, i32) {
        %z = memref.get_global @zeros : memref<2xf32>
        %n = memref.get_global @numbers : memref<2x2xi32>
        %x = memref.load %z[%i] : memref<2xf32>
        %y = memref.load %n[%i, %i] : memref<2x2xi32>
        return %x, %y : f32, i32
      }
    }`;
    expect(run(text, 1)).toEqual([0.5, -4]);
  });
});

describe('linalg', () => {
  const matmul = `func.func @f(%a: memref<3x5xf32>, %b: memref<5x4xf32>, %c: memref<3x4xf32>) {
    linalg.matmul ins(%a, %b : memref<3x5xf32>, memref<5x4xf32>) outs(%c : memref<3x4xf32>)
    return
  }`;

  it('multiplies matrices', () => {
    const a = Float32Array.from({ length: 15 }, (_, i) => i - 6);
    const b = Float32Array.from({ length: 20 }, (_, i) => (i * 7) % 11);
    const c = new Float32Array(12).fill(1);
    const expected = Float32Array.from({ length: 12 }, (_, i) => {
      const [row, column] = [Math.floor(i / 4), i % 4];
      return [0, 1, 2, 3, 4].reduce((sum, k) => sum + a[row * 5 + k]! * b[k * 4 + column]!, 1);
    });
    run(matmul, a, b, c);
    expect(c).toEqual(expected);
  });

  it('runs named convolutions with strides and dilations', () => {
    const text = `func.func @f(%x: memref<1x1x5x7xf32>, %w: memref<1x1x2x2xf32>, %o: memref<1x1x3x2xf32>) {
      linalg.conv_2d_nchw_fchw {dilations = dense<[1, 3]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
        ins(%x, %w : memref<1x1x5x7xf32>, memref<1x1x2x2xf32>) outs(%o : memref<1x1x3x2xf32>)
      return
    }`;
    const x = Float32Array.from({ length: 35 }, (_, i) => i);
    const o = new Float32Array(6);
    run(text, x, floats(1, 10, 100, 1000), o);
    const at = (y: number, z: number): number => x[y * 7 + z]!;
    const expected = [0, 1, 2].flatMap((y) =>
      [0, 2].map((z) => at(y, z) + 10 * at(y, z + 3) + 100 * at(y + 1, z) + 1000 * at(y + 1, z + 3)),
    );
    expect([...o]).toEqual(expected);
  });

  it('reads the output where another operand may be the same buffer', () => {
    // A prefix sum in place: each step reads what the previous one has written.
    const text = `func.func @f(%m: memref<6xf32>) {
      %s = memref.subview %m[0] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1]>>
      %t = memref.subview %m[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%s : memref<5xf32, strided<[1]>>) outs(%t : memref<5xf32, strided<[1], offset: 1>>) {
        ^bb0(%a: f32, %b: f32):
          %c = arith.addf %a, %b : f32
          linalg.yield %c : f32
      }
      return
    }`;
    const values = floats(1, 1, 1, 1, 1, 1);
    run(text, values);
    expect(values).toEqual(floats(1, 2, 3, 4, 5, 6));
  });

  it('computes any maps, indices and several outputs', () => {
    const text = `func.func @f(%x: memref<12xf32>, %o: memref<4x3xf32>, %p: memref<4xi32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + (d1 floordiv 2) * 4 + d1 mod 2)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<12xf32>) outs(%o, %p : memref<4x3xf32>, memref<4xi32>) {
        ^bb0(%a: f32, %b: f32, %c: i32):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %k = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%i, %j)
          %l = arith.index_cast %k : index to i32
          %m = arith.maxsi %c, %l : i32
          %n = arith.addf %a, %b : f32
          linalg.yield %n, %m : f32, i32
      }
      return
    }`;
    const x = Float32Array.from({ length: 12 }, (_, i) => i * i);
    const [o, p] = [new Float32Array(12).fill(0.5), Int32Array.of(0, 0, 100, 0)];
    run(text, x, o, p);
    const expected = [0, 1, 2, 3].flatMap((i) =>
      [0, 1, 2].map((j) => x[i + Math.floor(j / 2) * 4 + (j % 2)]! + 0.5),
    );
    expect([...o]).toEqual(expected);
    expect([...p]).toEqual([2, 5, 100, 11]);
  });

  it('does nothing on empty buffers', () => {
    const text = `func.func @f(%o: memref<0x4xf32>, %x: f32) {
      linalg.fill ins(%x : f32) outs(%o : memref<0x4xf32>)
      return
    }`;
    expect(run(text, new Float32Array(0), 1)).toEqual([]);
  });
});
