/** Which loops `swap_induction_vars` exchanges; each test compares what they compute. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { genericPayload } from '@sconv/interpreter/testing';
import { apply, matchOps, tile } from './payloads.ts';

const matchLoops = `%loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op`;
const swapOuter = 'transform.loop.swap_induction_vars %outer : !transform.any_op';

/** Exchanges the outer two of several loops. */
const swapped = (payload: string, loops = 2): string => {
  const names = [...Array.from({ length: loops - 1 }, (_, i) => `%l${i}`), '%outer'].join(', ');
  const types = Array<string>(loops).fill('!transform.any_op').join(', ');
  return apply(
    payload,
    `${matchLoops}\n${names} = transform.split_handle %loops : (!transform.any_op) -> (${types})\n${swapOuter}`,
  ).diagnostics;
};

const constants = ['0', '1', '2', '3', '4', '6']
  .map((value) => `%c${value} = arith.constant ${value} : index`)
  .join('\n');

/** 3 times 4 iterations that carry `%t`, of this type, and yield what `body` yields. */
const carrying = (
  type: string,
  body: string,
): string => `func.func @f(%a: ${type}, %x: f32, %v: tensor<6x6xf32>) -> ${type} {
  ${constants}
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%s = %a) -> (${type}) {
    %q = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %s) -> (${type}) {
      %e = tensor.extract %v[%i, %j] : tensor<6x6xf32>
      ${body}
    }
    scf.yield %q : ${type}
  }
  return %r : ${type}
}`;

/** 3 times 4 iterations on buffers. */
const onBuffers = (body: string): string => `func.func private @g()
func.func @f(%m: memref<6x6xindex>, %n: memref<6x6xindex>) {
  ${constants}
  scf.for %i = %c0 to %c6 step %c2 {
    scf.for %j = %c0 to %c4 step %c1 {
      ${body}
    }
  }
  return
}`;

const matrix = 'tensor<6x6xf32>';
/** `2 t + e`: the last one has the highest weight. */
const shift = (t: string, result: string) =>
  `%${result}0 = arith.addf ${t}, ${t} : f32\n%${result} = arith.addf %${result}0, %e : f32`;
const take = (offsets: string, sizes = '1, 1', from = '%t') =>
  `tensor.extract_slice ${from}[${offsets}] [${sizes}] [1, 1] : ${matrix} to tensor<${sizes.replace(', ', 'x')}xf32>`;
const put = (part: string, offsets: string, sizes = '1, 1', into = '%t') =>
  `tensor.insert_slice ${part} into ${into}[${offsets}] [${sizes}] [1, 1] : tensor<${sizes.replace(', ', 'x')}xf32> into ${matrix}`;
const fill = (part: string, type: string) =>
  `linalg.fill ins(%e : f32) outs(${part} : tensor<${type}xf32>) -> tensor<${type}xf32>`;

/** Extracts an element of `%t`, shifts it and inserts it back. */
const shiftAt = (at: string, lines = '') =>
  `${lines}\n%o = tensor.extract %t[${at}] : ${matrix}\n${shift('%o', 'n')}\n%w = tensor.insert %n into %t[${at}] : ${matrix}\nscf.yield %w : ${matrix}`;

describe('the order of iterations makes no difference', () => {
  it.each<[string, string, number?]>([
    ['an element told by both variables', carrying(matrix, shiftAt('%i, %j'))],
    ['an element told by the outer one, in order over the inner one', carrying(matrix, shiftAt('%i, %c3'))],
    ['an element told by the inner one', carrying(matrix, shiftAt('%c3, %j'))],
    [
      'an element told by a linear index',
      carrying(matrix, shiftAt('%k, %c1', '%k = affine.apply affine_map<(d0) -> (5 - d0)>(%i)')),
    ],
    [
      'a slice of two rows, by steps of two',
      carrying(
        matrix,
        `%p = ${take('%i, 0', '2, 6')}\n%n = ${fill('%p', '2x6')}\n%w = ${put('%n', '%i, 0', '2, 6')}\nscf.yield %w : ${matrix}`,
      ),
    ],
    [
      'a slice that further loops work on',
      carrying(
        matrix,
        `%w = scf.for %k = %c0 to %c6 step %c1 iter_args(%u = %t) -> (${matrix}) {
  %o = tensor.extract %u[%i, %k] : ${matrix}
  ${shift('%o', 'n')}
  %z = tensor.insert %n into %u[%i, %k] : ${matrix}
  scf.yield %z : ${matrix}
}
scf.yield %w : ${matrix}`,
      ),
      3,
    ],
    ['what stays as it is', carrying(matrix, `scf.yield %t : ${matrix}`)],
    ['a sum', carrying('f32', '%n = arith.addf %e, %t : f32\nscf.yield %n : f32')],
    [
      'a maximum of two values',
      carrying(
        'f32',
        '%m = arith.maximumf %t, %x : f32\n%n = arith.maximumf %m, %e : f32\nscf.yield %n : f32',
      ),
    ],
    [
      'a sum in one element',
      carrying(
        matrix,
        `%o = tensor.extract %t[%c1, %c2] : ${matrix}\n%n = arith.addf %o, %e : f32\n%w = tensor.insert %n into %t[%c1, %c2] : ${matrix}\nscf.yield %w : ${matrix}`,
      ),
    ],
    [
      'a sum over a further loop',
      carrying(
        'f32',
        '%n = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %t) -> (f32) {\n%y = arith.addf %u, %e : f32\nscf.yield %y : f32\n}\nscf.yield %n : f32',
      ),
      3,
    ],
    [
      'an element of a buffer told by both variables',
      onBuffers('memref.store %i, %m[%i, %j] : memref<6x6xindex>'),
    ],
    [
      'an element of a buffer told by one of them',
      onBuffers(
        '%o = memref.load %m[%i, %c0] : memref<6x6xindex>\n%p = arith.addi %o, %j : index\nmemref.store %p, %m[%i, %c0] : memref<6x6xindex>',
      ),
    ],
    ['loads alone', onBuffers('%o = memref.load %m[%c0, %c0] : memref<6x6xindex>')],
  ])('for %s', (_, payload, loops = 2) => {
    expect(swapped(payload, loops)).toBe('');
  });
});

describe('the order of iterations may make a difference', () => {
  it.each<[string, string, number?]>([
    ['a value that is shifted', carrying('f32', `${shift('%t', 'n')}\nscf.yield %n : f32`)],
    ['a difference', carrying('f32', '%n = arith.subf %e, %t : f32\nscf.yield %n : f32')],
    ['the last value', carrying('f32', 'scf.yield %e : f32')],
    [
      'a sum and a product',
      carrying('f32', '%m = arith.addf %t, %e : f32\n%n = arith.mulf %m, %e : f32\nscf.yield %n : f32'),
    ],
    [
      'a sum that is used for something else',
      carrying(
        'f32',
        '%n = arith.addf %t, %e : f32\n%m = arith.mulf %t, %e : f32\n%k = arith.addf %n, %m : f32\nscf.yield %k : f32',
      ),
    ],
    ['one element', carrying(matrix, shiftAt('%c1, %c2'))],
    [
      'an element told by the sum of the variables',
      carrying(
        matrix,
        shiftAt('%k, %c1', '%k = affine.apply affine_map<(d0, d1) -> (d0 floordiv 2 + d1 mod 4)>(%i, %j)'),
      ),
    ],
    [
      'an element of another iteration',
      carrying(
        matrix,
        `%k = arith.addi %j, %c1 : index\n%o = tensor.extract %t[%c1, %k] : ${matrix}\n${shift('%o', 'n')}\n%w = tensor.insert %n into %t[%i, %j] : ${matrix}\nscf.yield %w : ${matrix}`,
      ),
    ],
    [
      'slices that overlap',
      carrying(
        matrix,
        `%p = ${take('0, %j', '6, 2')}\n%n = ${fill('%p', '6x2')}\n%w = ${put('%n', '0, %j', '6, 2')}\nscf.yield %w : ${matrix}`,
      ),
    ],
    [
      'a slice that is put back elsewhere',
      carrying(
        matrix,
        `%p = ${take('0, 0', '1, 6')}\n%w = ${put('%p', '1, 0', '1, 6')}\nscf.yield %w : ${matrix}`,
      ),
    ],
    ['all of a tensor', carrying(matrix, `%w = ${fill('%t', '6x6')}\nscf.yield %w : ${matrix}`)],
    ['one element of a buffer', onBuffers('memref.store %i, %m[%c0, %c0] : memref<6x6xindex>')],
    [
      'buffers that may be one',
      onBuffers(
        '%o = memref.load %n[%i, %j] : memref<6x6xindex>\nmemref.store %o, %m[%i, %j] : memref<6x6xindex>',
      ),
    ],
    [
      'an element of a buffer that another iteration writes',
      onBuffers(
        '%k = arith.addi %j, %c1 : index\n%o = memref.load %m[%i, %k] : memref<6x6xindex>\n%p = memref.load %m[%c0, %j] : memref<6x6xindex>\nmemref.store %p, %m[%i, %j] : memref<6x6xindex>',
      ),
    ],
    ['effects that are not known', onBuffers('func.call @g() : () -> ()')],
  ])('for %s', (_, payload, loops = 2) => {
    expect(swapped(payload, loops)).toContain('[swap/order]');
  });
});

/** `2 y + x`, on wrapping integers. */
const shifting = '%d = arith.addi %y0, %y0 : i32\n%s = arith.addi %d, %x0 : i32\nlinalg.yield %s : i32';
const adding = '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32';
const last = 'linalg.yield %x0 : i32';

it('tiled ops compute the same in any order of loops, or are refused', () => {
  const kept = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(shifting, adding, last),
      fc.constantFrom('d0, d1', 'd0', 'd1', ''),
      fc.constantFrom(1, 2, 4),
      fc.constantFrom(1, 3, 6),
      fc.constantFrom([], [1, 0]),
      fc.boolean(),
      (body, map, a, b, interchange, isSwapped) => {
        const extents = { d0: 4, d1: 6 };
        const sizes = map === '' ? [] : map.split(', ').map((each) => extents[each as 'd0' | 'd1']);
        const payload = genericPayload({
          iterators: [
            map.includes('d0') ? 'parallel' : 'reduction',
            map.includes('d1') ? 'parallel' : 'reduction',
          ],
          inputs: [{ map: 'd0, d1', type: 'tensor<4x6xi32>' }],
          outputs: [{ map, type: `tensor<${[...sizes, 'i32'].join('x')}>` }],
          body,
        });
        const swap = 'transform.loop.swap_induction_vars %l#0 : !transform.any_op';
        const script = [matchOps(), tile([a, b], interchange), ...(isSwapped ? [swap] : [])].join('\n');
        const { diagnostics } = apply(payload, script);
        if (diagnostics === '') kept.add(`${body === adding} ${map}`);
        else expect(diagnostics).toMatch(/\[(tile|swap)\/order\]/);
        // Parts determined by one of the loops are never rejected, and neither are sums.
        if (map !== '' || body === adding) expect(diagnostics).toBe('');
      },
    ),
    { numRuns: process.env['THOROUGH'] === undefined ? 50 : 150 },
  );
  expect(kept.size).toBe(8);
});
