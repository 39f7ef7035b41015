import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyBox, gatherBox, rowMajorStrides, scatterBox } from '../src/strided.ts';
import type { StridedBox } from '../src/strided.ts';

/** The positions of a box's elements, in row-major order. */
const positionsOf = ({ offset, sizes, strides }: StridedBox): readonly number[] => {
  const [size, ...inner] = sizes;
  const [stride, ...others] = strides;
  if (size === undefined || stride === undefined) return [offset];
  return Array.from({ length: size }, (_, i) =>
    positionsOf({ offset: offset + i * stride, sizes: inner, strides: others }),
  ).flat();
};

const stride = fc.integer({ min: -2, max: 3 });
/** Long and short rows, and overlapping strides; all within 400 elements around the middle of 800. */
const boxes = fc.nat(3).chain((rank) =>
  fc.record({
    sizes: fc.tuple(...Array.from({ length: rank }, (_, i) => fc.nat(i === rank - 1 ? 14 : 4))),
    from: fc.tuple(...Array.from({ length: rank }, () => stride)),
    to: fc.tuple(...Array.from({ length: rank }, () => stride)),
  }),
);

it('a box is copied element by element, in row-major order', () => {
  fc.assert(
    fc.property(boxes, ({ sizes, from, to }) => {
      const [source, target] = [
        { offset: 400, sizes, strides: from },
        { offset: 390, sizes, strides: to },
      ];
      const elements = Float32Array.from({ length: 800 }, (_, i) => i);
      const copied = new Float32Array(800);
      const expected = new Float32Array(800);
      const places = positionsOf(target);
      positionsOf(source).forEach((position, i) => (expected[places[i]!] = elements[position]!));
      copyBox(elements, source, copied, target);
      expect(copied).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

it.each([
  [[], []],
  [[5], [1]],
  [
    [2, 3, 4],
    [12, 4, 1],
  ],
  [
    [2, 0, 4],
    [0, 4, 1],
  ],
])('the row-major strides of %j', (shape, strides) => {
  expect(rowMajorStrides(shape)).toEqual(strides);
});

it('what is gathered is scattered to where it was', () => {
  const box = { offset: 3, sizes: [2, 3], strides: [10, 2] };
  const [elements, again] = [Int8Array.from({ length: 20 }, (_, i) => i), new Int8Array(20)];
  const gathered = new Int8Array(6);
  gatherBox(elements, box, gathered);
  expect([...gathered]).toEqual([3, 5, 7, 13, 15, 17]);
  scatterBox(gathered, again, box);
  expect([...again]).toEqual([...elements].map((value) => (gathered.includes(value) ? value : 0)));
});
