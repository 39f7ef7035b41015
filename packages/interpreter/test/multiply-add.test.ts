import { bodyOf, children } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { isF32MultiplyAdd } from '../src/multiply-add.ts';
import { genericPayload } from '../src/testing.ts';
import { elementsOf, integerData, tensor } from '../src/index.ts';
import { iota, parse, run } from './run.ts';
import { generic, longBody, points, shortBody } from './three-loops.ts';

/** Whether a generic of two inputs with this body takes the fast path. */
const isShort = (body: string, element = 'f32'): boolean => {
  const operand = { map: 'd0', type: `tensor<3x${element}>` };
  const text = genericPayload({
    iterators: ['parallel'],
    inputs: [operand, operand],
    outputs: [operand],
    body: `${body}\nlinalg.yield %s : ${element}`,
  });
  const [generic] = bodyOf(children(parse(text).root)[0]!).operations;
  return isF32MultiplyAdd(bodyOf(generic!));
};

describe('the short way is taken', () => {
  it.each([
    ['%p = arith.mulf %x0, %x1 : f32\n%s = arith.addf %y0, %p : f32'],
    ['%p = arith.mulf %x1, %x0 : f32\n%s = arith.addf %p, %y0 : f32'],
  ])('for a product that is added', (body) => {
    expect(isShort(body)).toBe(true);
  });
  it.each([
    ['f64', '%p = arith.mulf %x0, %x1 : f64\n%s = arith.addf %y0, %p : f64'],
    ['i32', '%p = arith.muli %x0, %x1 : i32\n%s = arith.addi %y0, %p : i32'],
    ['f32', '%p = arith.addf %x0, %x1 : f32\n%s = arith.addf %y0, %p : f32'],
    ['f32', '%p = arith.mulf %x0, %y0 : f32\n%s = arith.addf %x1, %p : f32'],
  ])('but not for another body, of %s', (element, body) => {
    expect(isShort(body, element)).toBe(false);
  });
});

describe('bodies near that of a matrix product compute what they say', () => {
  type Compute = (x: number, y: number, s: number) => number;
  it.each<[string, Compute]>([
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %s : f32', (x, y, s) => x * y + s],
    ['%p = arith.mulf %y, %y : f32\n%r = arith.addf %s, %p : f32', (_, y, s) => y * y + s],
    ['%p = arith.mulf %x, %s : f32\n%r = arith.addf %s, %p : f32', (x, _, s) => x * s + s],
    ['%p = arith.mulf %s, %y : f32\n%r = arith.addf %s, %p : f32', (_, y, s) => s * y + s],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %x, %p : f32', (x, y) => x * y + x],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %y : f32', (x, y) => x * y + y],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %p : f32', (x, y) => x * y * 2],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %x, %s : f32', (x, _, s) => x + s],
    ['%r = arith.mulf %x, %y : f32\n%q = arith.addf %s, %r : f32', (x, y) => x * y],
    ['%p = arith.addf %x, %y : f32\n%r = arith.addf %s, %p : f32', (x, y, s) => x + y + s],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.mulf %s, %p : f32', (x, y, s) => x * y * s],
    ['%p = arith.mulf %x, %y : f32\n%q = arith.addf %s, %p : f32\n%r = arith.negf %q : f32', (x, y, s) => -(x * y + s)],
    ['%two = arith.constant 2.0 : f32\n%p = arith.mulf %x, %two : f32\n%r = arith.addf %s, %p : f32', (x, _, s) => x * 2 + s],
  ])('%s', (body, compute) => {
    const small = (...shape: number[]) => tensor(shape, integerData(shape.reduce((a, b) => a * b), shape.length));
    const [a, b, c] = [small(5), small(3, 4, 5), small(3, 4)];
    const [x, y, s] = [a, b, c].map((value) => [...elementsOf(value)] as number[]) as [number[], number[], number[]];
    points.forEach(([i, j, k], at) => {
      const out = i! * 4 + j!;
      s[out] = Math.fround(compute(x[k!]!, y[at]!, s[out]!));
    });
    expect(run(generic('(i, j, k) -> (k)', 5, body), [a, b, c])).toEqual([[[3, 4], s]]);
  }); // prettier-ignore
});

it('the short way rounds as the operations do', () => {
  const values = () => [
    tensor(
      [20],
      Float32Array.from({ length: 20 }, (_, i) => 1 / (i + 3)),
    ),
    tensor(
      [3, 4, 5],
      Float32Array.from({ length: 60 }, (_, i) => 1 / (i + 7)),
    ),
    tensor(
      [3, 4],
      Float32Array.from({ length: 12 }, (_, i) => 1e-3 * i),
    ),
  ];
  const map = '(i, j, k) -> (i * 4 + j + k)';
  expect(run(generic(map, 20, shortBody), values())).toEqual(run(generic(map, 20, longBody), values()));
});

it('the short way goes through outputs as well, where the innermost loop is parallel', () => {
  const text = `func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]
    } ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      ${shortBody}
      linalg.yield %r : f32
    } -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }`;
  expect(run(text, [iota(2, 3), iota(3, 4), iota(2, 4)])).toEqual([
    [
      [2, 4],
      [20, 24, 28, 32, 60, 73, 86, 99],
    ],
  ]);
});
