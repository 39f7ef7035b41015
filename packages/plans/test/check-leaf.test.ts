import { describe, expect, it } from 'vitest';
import type { AffineExpr } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import type { Contraction, Plan } from '../src/index.ts';
import { planProblems } from '../src/index.ts';
import { extents, kernel, openKernel, pack, problemsOf } from './plan-nodes.ts';

const contraction = (stride: number, [input, filters, output]: readonly string[], bytes = 4): Contraction => {
  const at = { n: dim(0), f: dim(2), h: dim(3), w: dim(4), c: dim(5) };
  const operand = (
    name: string,
    letters: string,
    index: Readonly<Record<string, AffineExpr>>,
    sizes: Readonly<Record<string, number>>,
  ) => ({
    name,
    map: makeMap(
      8,
      0,
      Array.from(letters, (letter) => ({ ...at, ...index })[letter]!),
    ),
    sizes: Array.from(letters, (letter) => sizes[letter]!),
    bytes: name === 'filters' ? bytes : 4,
  });
  const of = (name: string, extent: number, iterator: 'parallel' | 'reduction') => ({
    name,
    extent,
    iterator,
  });
  return {
    dimensions: [
      of('batch', 1, 'parallel'),
      of('group', 1, 'parallel'),
      of('filters', 4, 'parallel'),
      of('rows', 2, 'parallel'),
      of('columns', 3, 'parallel'),
      of('channels', 2, 'reduction'),
      of('tapRows', 3, 'reduction'),
      of('tapColumns', 1, 'reduction'),
    ],
    operands: [
      operand(
        'input',
        input!,
        { h: dim(3).add(dim(6)), w: dim(4).mul(stride).add(dim(7)) },
        { n: 1, c: 2, h: 4, w: 3 * stride },
      ),
      operand('filters', filters!, { h: dim(6), w: dim(7) }, { f: 4, c: 2, h: 3, w: 1 }),
      operand('output', output!, {}, { n: 1, f: 4, h: 2, w: 3 }),
    ],
    elementType: 'f32',
  };
};
const withInput = (of: Contraction, sizes: readonly number[]): Contraction => {
  const [input, filters, output] = of.operands;
  return { ...of, operands: [{ ...input, sizes }, filters, output] };
};
const first = ['nchw', 'fchw', 'nfhw'];
const last = ['nhwc', 'hwcf', 'nhwf'];
const whole = kernel({ extents: { ...extents, windows: 6 } });

describe('a kernel that reads in place', () => {
  it.each([
    ['columns next to each other', openKernel(), contraction(1, first)],
    ['filters next to each other', openKernel({ lanes: 'filters' }), contraction(2, last)],
    ['windows at equal distances', whole, contraction(1, first)],
    ['packed columns', pack('input', openKernel()), contraction(2, first)],
    ['packed filters of other elements', pack('filters', openKernel()), contraction(1, first, 2)],
  ])('finds %s', (_, plan, of) => {
    expect(problemsOf(plan, { contraction: of })).toEqual([]);
  });

  it.each([
    [
      'columns that lie apart',
      openKernel(),
      contraction(2, first),
      'the input are 2 elements apart along columns, the lanes: pack them or choose others',
    ],
    [
      'results that lie apart',
      openKernel(),
      contraction(1, last),
      [
        'the input are 2 elements apart along columns, the lanes: pack them or choose others',
        'the output is 4 elements apart along columns, the lanes: choose others',
      ],
    ],
    [
      'filters that lie apart',
      openKernel({ lanes: 'filters' }),
      contraction(1, ['nhwc', 'fhwc', 'nhwf']),
      'the filters are 6 elements apart along filters, the lanes: pack them or choose others',
    ],
    [
      'windows of rows that lie apart',
      pack('filters', kernel({ lanes: 'filters', extents: { ...extents, windows: 6 } })),
      withInput(contraction(2, last), [1, 4, 7, 2]),
      'windows of several rows are not at equal distances in the input: pack it, or plan rows and columns',
    ],
    [
      'elements of another size',
      openKernel(),
      contraction(1, first, 2),
      'elements of the filters have 2 bytes, sums 4: pack them, which converts them',
    ],
  ])('refuses %s', (_, plan, of, problems) => {
    expect(planProblems(plan as unknown as Plan, { contraction: of }).map(({ message }) => message)).toEqual(
      [problems].flat(),
    );
  });
});
