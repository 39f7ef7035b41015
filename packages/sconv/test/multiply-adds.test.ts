import { unwrap } from '@sconv/diagnostics';
import { children, parseModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { defaultRegistry } from '../src/index.ts';
import { countMultiplyAdds } from '../src/multiply-adds.ts';

const matmul = (
  attributes = '',
  sizes: readonly [string, string, string] = ['2x3', '3x4', '2x4'],
): string => {
  const [a, b, c] = sizes.map((size) => `memref<${size}xf32>`);
  return `linalg.matmul ${attributes} ins(%a, %b : ${a}, ${b}) outs(%c : ${c})`;
};

/** A body over buffers and constants; `%n` is no constant. */
const counted = (body: string, sizes: readonly [string, string, string] = ['2x3', '3x4', '2x4']) => {
  const [a, b, c] = sizes.map((size) => `memref<${size}xf32>`);
  const text = `${declarations}func.func @f(%a: ${a}, %b: ${b}, %c: ${c}, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    ${body}
    return
  }`;
  return countMultiplyAdds(defaultRegistry, unwrap(parseModule(text, { registry: defaultRegistry })).root);
};

const loop = (bounds: string, body: string): string => `scf.for %i${body.length} = ${bounds} { ${body} }`;

/** A call of a library's microkernel for 16 windows, 8 filters and `steps`, and of another function. */
const call = (steps: string): string => `%m = arith.constant 16 : i64
    %f = arith.constant 8 : i64
    %k = arith.constant 288 : i64
    %d = arith.index_cast %n : index to i64
    %one = arith.constant 1.0 : f32
    %p = llvm.inttoptr %d : i64 to !llvm.ptr
    %r = func.call @kernel(%m, %f, ${steps}, %one, %p, %p, %p, %m) : (i64, i64, i64, f32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32
    func.call @other(%m) : (i64) -> ()`;
const declarations = `func.func private @other(i64)
  func.func private @kernel(i64, i64, i64, f32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32
  `;

describe('the multiply-adds', () => {
  it.each([
    ['of a matmul', matmul(), 24, 0],
    ['of a microkernel', matmul('{microkernel}'), 24, 24],
    ['of one that reads in place', matmul('{sconv.kernel = {}}'), 24, 24],
    ['of both', `${matmul()}\n${matmul('{microkernel}')}`, 48, 24],
    ['of a loop', loop('%c0 to %c7 step %c1', matmul()), 7 * 24, 0],
    ['of a loop whose last step is shorter', loop('%c0 to %c7 step %c2', matmul()), 4 * 24, 0],
    ['of a loop from elsewhere', loop('%c1 to %c7 step %c2', matmul()), 3 * 24, 0],
    ['of a loop that does not run', loop('%c7 to %c2 step %c1', matmul()), 0, 0],
    ['of loops', loop('%c0 to %c7 step %c1', loop('%c0 to %c2 step %c1', matmul())), 14 * 24, 0],
    ['of a call of a microkernel', loop('%c0 to %c7 step %c1', call('%k')), 7 * 36_864, 7 * 36_864],
    ['of nothing', '', 0, 0],
    ['of a copy', 'linalg.copy ins(%c : memref<2x4xf32>) outs(%c : memref<2x4xf32>)', 0, 0],
  ])('%s', (_, body, total, inMicrokernels) => {
    expect(counted(body)).toEqual({ total, inMicrokernels });
  });

  it.each([
    ['from what is no constant', loop('%n to %c7 step %c1', matmul())],
    ['to what is no constant', loop('%c0 to %n step %c1', matmul())],
    ['by what is no constant', loop('%c0 to %c7 step %n', matmul())],
    ['with a call of a size that is no constant', loop('%c0 to %c7 step %c1', call('%d'))],
    ['by nothing', loop('%c0 to %c7 step %c0', matmul())],
  ])('are not known of a loop %s', (_, body) => {
    expect(counted(body)).toBe(undefined);
  });

  it.each([
    ['a function', 'func.call @g() : () -> ()', { total: 7 * 24, inMicrokernels: 7 * 24 }],
    ['a function that calls itself', 'func.call @f() : () -> ()', undefined],
  ])('of calls of %s', (_, calls, expected) => {
    const text = `func.func @f() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    ${loop('%c0 to %c7 step %c1', calls)}
    return
  }
  func.func private @g() {
    %a = memref.alloc() : memref<2x3xf32>
    %b = memref.alloc() : memref<3x4xf32>
    %c = memref.alloc() : memref<2x4xf32>
    ${matmul('{microkernel}')}
    return
  }`;
    const module = unwrap(parseModule(text, { registry: defaultRegistry }));
    expect(countMultiplyAdds(defaultRegistry, children(module.root)[0]!, module)).toEqual(expected);
  });

  it('are not known of dynamic sizes', () => {
    const sizes = ['?x3', '3x4', '?x4'] as const;
    expect(counted(matmul('', sizes), sizes)).toBe(undefined);
  });
});
