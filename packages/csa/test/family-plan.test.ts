import { planProblems, printPlan } from '@sconv/plans';
import { expect, it } from 'vitest';
import { contractionOf, familyPlan, printShape } from '../src/index.ts';

const layouts = { input: 'nhwc', filters: 'hwcf', output: 'nhwf' };

it.each([
  [{ channels: 1, tapRows: 1, tapColumns: 1 }, 2, 6],
  [{ channels: 4, tapRows: 1, tapColumns: 1 }, 1, 12],
  [{ channels: 1, tapRows: 7, tapColumns: 7 }, 3, 4],
])('a kernel alone is one leaf, with code for where operands lie (%#)', (unroll, vectors, height) => {
  const { shape, tree } = familyPlan({ unroll, vectors, height }, { lanes: 8, channels: 16 });
  expect(planProblems(tree, { contraction: contractionOf(shape, layouts) })).toEqual([]);
  expect([shape.filters, shape.outputHeight, shape.outputWidth]).toEqual([8 * vectors, height, 1]);
});

it('is printed as what it unrolls', () => {
  const unroll = { channels: 2, tapRows: 3, tapColumns: 1 };
  const { shape, tree } = familyPlan({ unroll, vectors: 2, height: 5 }, { lanes: 4, channels: 8 });
  expect(`${printShape(shape)}\n${printPlan(tree)}`).toMatchInlineSnapshot(`
    "1x8x7x1,8x8x3x1
    kernel along filters, unrolled channels 2, tapColumns 1, tapRows 3, in tiles 0+5x0+8: batch 1, channels 8, columns 1, filters 8, group 1, rows 5, tapColumns 1, tapRows 3
    "
  `);
});
