import { sconvDefaults } from '@sconv/targets';
import { expect, it } from 'vitest';
import { drawTree, parseShape, planConvolution } from '../src/index.ts';

const svgOf = (edges: 'scalar' | 'small') =>
  drawTree(planConvolution(parseShape('2x60x29x29,60x30x3x3,p1,g2'), sconvDefaults, { edges }).tree);

it('has a box for each node, and says what it does', () => {
  const svg = svgOf('small');
  expect(svg).toContain('<title>plan of 2 x 2 x');
  for (const words of [
    'group, by 1',
    'batch, by 1',
    'windows, by 16',
    'pack 1 tile of the',
    'microkernel: 16 windows',
  ])
    expect(svg).toContain(words);
  expect(svg).not.toContain('scalar code');
  expect(svgOf('scalar')).toContain('scalar code: 9 windows');
  expect(svgOf('small')).toBe(svg);
});

it('nests boxes inside of each other and of the document', () => {
  const svg = svgOf('small');
  const [, height] = /viewBox="0 0 \d+ (\d+)"/.exec(svg)!;
  const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(
    ([, ...numbers]) => {
      const [x, y, width, tall] = numbers.map(Number) as [number, number, number, number];
      return { left: x, top: y, right: x + width, bottom: y + tall };
    },
  );
  expect(boxes.length).toBeGreaterThan(20);
  for (const [i, a] of boxes.entries()) {
    expect(a.bottom).toBeLessThanOrEqual(Number(height));
    for (const b of boxes.slice(i + 1)) {
      const isApart = a.bottom <= b.top || b.bottom <= a.top;
      const isInside = b.left >= a.left && b.right <= a.right && b.bottom <= a.bottom && b.top >= a.top;
      expect([isApart || isInside, a, b]).toEqual([true, a, b]);
    }
  }
});

it('says what kernels of rows and columns decide', () => {
  const extents = {
    batch: 1,
    group: 1,
    channels: 8,
    filters: 4,
    rows: 1,
    columns: 16,
    tapRows: 3,
    tapColumns: 3,
  };
  const tiles = [{ firstWindow: 0, windows: 16, firstFilter: 0, filters: 4 }];
  const svg = drawTree({ kind: 'kernel', lanes: 'columns', extents, unroll: { tapColumns: 3 }, tiles });
  expect(svg).toContain(
    '<title>plan of 1 x 1 x 1 rows × 16 columns × 4 filters, 8 channels × 3 tapRows × 3 tapColumns',
  );
  expect(svg).toContain('vectors along columns, unrolled: tapColumns by 3, 1 register tile<');
});
