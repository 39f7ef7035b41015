import { describe, expect, it } from 'vitest';
import { emitted, failureOf, instanceOf } from './emit.ts';

const f32s = (...values: readonly number[]): Float32Array => Float32Array.from(values);

describe('a call', () => {
  it('passes numbers, and gives several back', () => {
    const instance = instanceOf(`
      func.func @both(%x: f32, %n: i32, %i: index, %b: i1) -> (i32, f32, index, i1) {
        %y = arith.addf %x, %x : f32
        %m = arith.muli %n, %n : i32
        %j = arith.addi %i, %i : index
        %true = arith.constant true
        %c = arith.xori %b, %true : i1
        return %m, %y, %j, %c : i32, f32, index, i1
      }
      func.func @f(%x: f32, %n: i32, %i: index, %b: i1) -> (index, i1, i32, f32) {
        %0:4 = call @both(%x, %n, %i, %b) : (f32, i32, index, i1) -> (i32, f32, index, i1)
        %1:4 = call @both(%0#1, %0#0, %0#2, %0#3) : (f32, i32, index, i1) -> (i32, f32, index, i1)
        return %1#2, %1#3, %1#0, %1#1 : index, i1, i32, f32
      }`);
    expect(instance.run('f', 1.5, 3, 5, 1)).toEqual([20, 1, 81, 6]);
  });

  const scale = `
    func.func private @scale(%by: f32, %x: memref<2x3xf32>, %y: memref<2x3xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<2x3xf32>) outs(%y : memref<2x3xf32>) {
      ^bb0(%a: f32, %b: f32):
        %0 = arith.mulf %a, %by : f32
        linalg.yield %0 : f32
      }
      return
    }`;

  it.each([
    ['one row', '1, 2', '1x2', [2, 3]],
    ['no row', '0, 2', '0x2', []],
  ])('takes a part of %s, whose strides between rows do not matter', (_, sizes, type, expected) => {
    const instance = instanceOf(`
      func.func @f(%x: memref<4x3xf32>) -> memref<${type}xf32> {
        %part = memref.subview %x[0, 1] [${sizes}] [1, 1]
          : memref<4x3xf32> to memref<${type}xf32, strided<[3, 1], offset: 1>>
        %any = memref.cast %part
          : memref<${type}xf32, strided<[3, 1], offset: 1>> to memref<${type}xf32, strided<[?, 1], offset: ?>>
        %whole = memref.cast %any : memref<${type}xf32, strided<[?, 1], offset: ?>> to memref<${type}xf32>
        return %whole : memref<${type}xf32>
      }`);
    expect(instance.run('f', f32s(...Array.from({ length: 12 }, (__, i) => i + 1)))).toEqual([
      f32s(...expected),
    ]);
  });

  it('writes buffers of its caller, which knows which ones', () => {
    const text = `func.func @f(%x: memref<2x3xf32>, %y: memref<2x3xf32>) {
      %two = arith.constant 2.0 : f32
      %t = memref.alloc() : memref<2x3xf32>
      call @scale(%two, %x, %t) : (f32, memref<2x3xf32>, memref<2x3xf32>) -> ()
      call @scale(%two, %t, %y) : (f32, memref<2x3xf32>, memref<2x3xf32>) -> ()
      return
    }${scale}`;
    const [x, y] = [f32s(1, 2, 3, 4, 5, 6), f32s(0, 0, 0, 0, 0, 0)];
    instanceOf(text).run('f', x, y);
    expect(y).toEqual(f32s(4, 8, 12, 16, 20, 24));
    const { functions } = emitted(text);
    // Private functions are called only from within.
    expect(functions.map(({ name }) => name)).toEqual(['f']);
    expect(functions[0]?.parameters).toMatchObject([{ written: false }, { written: true }]);
  });

  it('keeps off the memory of its callers', () => {
    // Every function allocates, before and after its calls, in a diamond of them.
    const body = (name: string, of: string): string => `
      func.func @${name}(%x: memref<1xf32>) {
        %c0 = arith.constant 0 : index
        %v = memref.load %x[%c0] : memref<1xf32>
        %a = memref.alloc() : memref<1xf32>
        memref.store %v, %a[%c0] : memref<1xf32>
        call @${of}(%a) : (memref<1xf32>) -> ()
        %b = memref.alloc() : memref<1xf32>
        %w = memref.load %a[%c0] : memref<1xf32>
        memref.store %w, %b[%c0] : memref<1xf32>
        call @${of}(%b) : (memref<1xf32>) -> ()
        %s = memref.load %a[%c0] : memref<1xf32>
        %t = memref.load %b[%c0] : memref<1xf32>
        %sum = arith.addf %s, %t : f32
        memref.store %sum, %x[%c0] : memref<1xf32>
        return
      }`;
    const x = f32s(1);
    instanceOf(`${body('f', 'g')}${body('h', 'leaf')}${body('g', 'h')}
      func.func @leaf(%x: memref<1xf32>) {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1.0 : f32
        %v = memref.load %x[%c0] : memref<1xf32>
        %a = memref.alloc() : memref<1xf32>
        memref.store %one, %a[%c0] : memref<1xf32>
        %w = memref.load %a[%c0] : memref<1xf32>
        %sum = arith.addf %v, %w : f32
        memref.store %sum, %x[%c0] : memref<1xf32>
        return
      }`).run('f', x);
    const twice = (inner: (value: number) => number) => (value: number) => inner(value) + inner(inner(value));
    const leaf = (value: number): number => value + 1;
    expect(x[0]).toBe(twice(twice(twice(leaf)))(1));
  });

  it('may return a buffer of its own, which the next call does not change', () => {
    const x = f32s(5);
    const [result] = instanceOf(`
      func.func @make(%v: f32) -> memref<2xf32> {
        %a = memref.alloc() : memref<2xf32>
        linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
        return %a : memref<2xf32>
      }
      func.func @f(%x: memref<1xf32>) -> memref<2xf32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %one = arith.constant 1.0 : f32
        %two = arith.constant 2.0 : f32
        %a = call @make(%one) : (f32) -> memref<2xf32>
        %b = call @make(%two) : (f32) -> memref<2xf32>
        %v = memref.load %a[%c0] : memref<2xf32>
        %w = memref.load %b[%c1] : memref<2xf32>
        %sum = arith.addf %v, %w : f32
        memref.store %sum, %x[%c0] : memref<1xf32>
        return %a : memref<2xf32>
      }`).run('f', x);
    expect([x, result]).toEqual([f32s(3), f32s(1, 1)]);
  });

  it('may return its argument, which is then the same buffer', () => {
    const text = `
      func.func @same(%i: index, %x: memref<2xf32>, %y: memref<2xf32>) -> (memref<2xf32>, index) {
        return %y, %i : memref<2xf32>, index
      }
      func.func @f(%x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
        %c1 = arith.constant 1 : index
        %v = arith.constant 7.0 : f32
        %z, %i = call @same(%c1, %x, %y) : (index, memref<2xf32>, memref<2xf32>) -> (memref<2xf32>, index)
        memref.store %v, %z[%i] : memref<2xf32>
        return %z : memref<2xf32>
      }`;
    const [x, y] = [f32s(0, 0), f32s(0, 0)];
    const [result] = instanceOf(text).run('f', x, y);
    expect([x, y]).toEqual([f32s(0, 0), f32s(0, 7)]);
    expect(result).toBe(y);
    expect(emitted(text).functions[1]?.parameters).toMatchObject([{ written: false }, { written: true }]);
  });

  it('reads constants of the module', () => {
    const x = f32s(0);
    instanceOf(`
      memref.global "private" constant @c : memref<2xf32> = dense<[3.0, 4.0]>
      func.func @f(%x: memref<1xf32>) {
        call @g(%x) : (memref<1xf32>) -> ()
        return
      }
      func.func @g(%x: memref<1xf32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c = memref.get_global @c : memref<2xf32>
        %v = memref.load %c[%c1] : memref<2xf32>
        memref.store %v, %x[%c0] : memref<1xf32>
        return
      }`).run('f', x);
    expect(x).toEqual(f32s(4));
  });

  it('writes no variable of the module that another argument may be', () => {
    const text = `
      memref.global "private" @v : memref<2xf32> = dense<1.0>
      func.func @f() {
        %a = memref.get_global @v : memref<2xf32>
        %b = memref.get_global @v : memref<2xf32>
        call @g(%a, %b) : (memref<2xf32>, memref<2xf32>) -> ()
        return
      }
      func.func @g(%a: memref<2xf32>, %b: memref<2xf32>) {
        memref.copy %a, %b : memref<2xf32> to memref<2xf32>
        return
      }`;
    expect(() => emitted(text)).toThrow('which may share memory with another one');
  });

  it('in a parallel loop runs in one thread', () => {
    const text = `
      memref.global "private" constant @c : memref<4xf32> = dense<[3.0, 4.0, 5.0, 6.0]>
      func.func @f(%x: memref<4xf32>) {
        scf.forall (%i) in (4) {
          func.call @g(%x, %i) : (memref<4xf32>, index) -> ()
        }
        return
      }
      func.func @g(%x: memref<4xf32>, %i: index) {
        %c = memref.get_global @c : memref<4xf32>
        %v = memref.load %c[%i] : memref<4xf32>
        memref.store %v, %x[%i] : memref<4xf32>
        return
      }`;
    const x = f32s(0, 0, 0, 0);
    instanceOf(text).run('f', x);
    expect(x).toEqual(f32s(3, 4, 5, 6));
    expect(emitted(text).parallel).toEqual([]);
  });

  it('may end in a trap, as at the caller', () => {
    const result = instanceOf(`
      func.func @f(%a: i32, %b: i32) -> i32 {
        %0 = call @g(%a, %b) : (i32, i32) -> i32
        return %0 : i32
      }
      func.func private @g(%a: i32, %b: i32) -> i32 {
        %0 = arith.divsi %a, %b : i32
        return %0 : i32
      }`).call('f', 1, 0);
    expect(result).toMatchObject({ status: 'definite' });
  });
});

describe('what cannot be called', () => {
  it.each([
    [
      'itself',
      'func.func @f(%x: f32) -> f32 { %0 = call @f(%x) : (f32) -> f32 return %0 : f32 }',
      'wasm/recursive-call',
      '@f is recursive, or calls a recursive function',
    ],
    [
      'recursion of a callee',
      `func.func @h() { call @f() : () -> () return }
       func.func @f() { call @g() : () -> () return }
       func.func @g() { call @f() : () -> () return }`,
      'wasm/recursive-call',
      '@h is recursive, or calls a recursive function',
    ],
    [
      'a declaration',
      `func.func private @g()
       func.func @f() { call @g() : () -> () return }`,
      'wasm/unsupported',
      'a call of a function without a body',
    ],
    [
      'with a buffer to write that is also read',
      `func.func @copy(%x: memref<2xf32>, %y: memref<2xf32>) { memref.copy %x, %y : memref<2xf32> to memref<2xf32> return }
       func.func @f(%x: memref<2xf32>) { call @copy(%x, %x) : (memref<2xf32>, memref<2xf32>) -> () return }`,
      'wasm/unsupported',
      'writes argument 1, which may share memory with another one,',
    ],
    [
      'for one of two buffers',
      `func.func @one(%n: index, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
         %c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %0 = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (memref<2xf32>) { scf.yield %y : memref<2xf32> }
         return %0 : memref<2xf32>
       }
       func.func @f(%n: index, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
         %0 = call @one(%n, %x, %y) : (index, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
         return %0 : memref<2xf32>
       }`,
      'wasm/unsupported',
      'returns one of several buffers',
    ],
  ])('%s', (_, text, code, message) => {
    const failure = failureOf(text);
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(message);
  });
});
