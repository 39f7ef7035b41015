/**
 * Schemes of tensor contractions (TT §4): dimensions are fused, and operands transposed, to a product or a convolution,
 * of which the scheme is.
 */
import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { integerData, randomIntegers } from '@sconv/interpreter';
import type { Planner } from '@sconv/plans';
import { planOfScheme, printScheme, schemeProblems } from '@sconv/schemes';
import { schemeSpace } from '@sconv/spaces';
import type { KernelChoice } from '@sconv/csa';
import { compileModuleSync } from 'sconv';
import { parse } from './support/stages.ts';

const extents: Readonly<Record<string, number>> = { a: 3, b: 4, c: 5, d: 8, e: 2, f: 3 };

const sizesOf = (indices: string): readonly number[] => Array.from(indices, (each) => extents[each]!);
const elementsOf = (indices: string): number => sizesOf(indices).reduce((all, each) => all * each, 1);

/** `out += left * right`, each of these indices. */
const payloadOf = (left: string, right: string, out: string): string => {
  const all = [...new Set(Array.from(out + left + right))];
  const map = (indices: string) => `affine_map<(${all.join(', ')}) -> (${Array.from(indices).join(', ')})>`;
  const type = (indices: string) => `tensor<${sizesOf(indices).join('x')}xf32>`;
  const iterators = all.map((each) => (out.includes(each) ? '"parallel"' : '"reduction"'));
  return `func.func @f(%x: ${type(left)}, %y: ${type(right)}, %o: ${type(out)}) -> ${type(out)} {
    %0 = linalg.generic {indexing_maps = [${[left, right, out].map(map).join(', ')}], iterator_types = [${iterators.join(', ')}]}
      ins(%x, %y : ${type(left)}, ${type(right)}) outs(%o : ${type(out)}) {
      ^bb0(%p: f32, %q: f32, %r: f32):
        %1 = arith.mulf %p, %q : f32
        %2 = arith.addf %r, %1 : f32
        linalg.yield %2 : f32
    } -> ${type(out)}
    return %0 : ${type(out)}
  }`;
};

/** What plain loops add to the output. */
const expectedOf = (
  left: string,
  right: string,
  out: string,
  x: Float32Array,
  y: Float32Array,
): Float32Array => {
  const all = [...new Set(Array.from(out + left + right))];
  const sums = new Float32Array(elementsOf(out));
  const at = (indices: string, point: ReadonlyMap<string, number>): number =>
    Array.from(indices).reduce((sum, each) => sum * extents[each]! + point.get(each)!, 0);
  const points = all.reduce((count, each) => count * extents[each]!, 1);
  for (let i = 0; i < points; i += 1) {
    let rest = i;
    const point = new Map<string, number>();
    for (const each of all) {
      point.set(each, rest % extents[each]!);
      rest = Math.floor(rest / extents[each]!);
    }
    sums[at(out, point)]! += x[at(left, point)]! * y[at(right, point)]!;
  }
  return sums;
};

it.each([
  ['aebf', 'dfce', 'abcd'],
  ['ebad', 'ce', 'abcd'],
  ['abe', 'aecd', 'abcd'],
  ['bea', 'dec', 'badc'],
  ['eaf', 'bcef', 'abc'],
])('%s * %s to %s', (left, right, out) => {
  const chosen: string[] = [];
  const next = randomIntegers(5);
  const planner: Planner<KernelChoice> = (problem) => {
    const space = schemeSpace(problem, {
      lanes: 4,
      source: 'a test',
      classes: [{ unroll: { channels: 1, tapRows: 1, tapColumns: 1 }, vectors: 1, heights: [2, 3] }],
    });
    const [scheme] = space.sample(() => next() / 2 ** 32, 1);
    expect(schemeProblems(scheme!, problem, { lanes: 4 })).toEqual([]);
    chosen.push(printScheme(scheme!));
    return { status: 'success', value: { tree: planOfScheme(scheme!, problem).tree }, diagnostics: [] };
  };
  const compiled = unwrap(compileModuleSync(parse(payloadOf(left, right, out), 'payload.mlir'), { planner }));
  expect(chosen).toHaveLength(1);
  const [x, y] = [integerData(elementsOf(left), 1), integerData(elementsOf(right), 2)];
  const result = new Float32Array(elementsOf(out));
  compiled.run('f', x, y, result);
  expect(result, chosen[0]).toEqual(expectedOf(left, right, out, x, y));
});
