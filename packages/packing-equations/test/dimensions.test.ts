import { expect, it } from 'vitest';
import { dim, makeMap, printMap } from '@sconv/affine';
import { dimensions, openPositions } from '../src/index.ts';

const { batch, filter, window, channel, filterRow, filterColumn } = dimensions;

/** The indexing maps of the linearised convolution in ST's Listing 2; the input element is a function of the others. */
it.each([
  ['filter', [filter, channel, filterRow, filterColumn], '(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)'],
  ['output', [batch, filter, window], '(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)'],
])('the map of the %s is that of the paper', (_, positions, map) => {
  expect(printMap(makeMap(6, 0, positions.map(dim)))).toBe(map);
});

/** Those of `linalg.conv_2d_nchw_fchw`: rows and columns, and those of the filters, each have a dimension. */
it.each([
  [
    'filter',
    ['filters', 'channels', 'tapRows', 'tapColumns'],
    '(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)',
  ],
  ['output', ['batch', 'filters', 'rows', 'columns'], '(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)'],
] as const)('the map of the %s with rows and columns apart is that of the named op', (_, names, map) => {
  expect(
    printMap(
      makeMap(
        7,
        0,
        names.map((name) => dim(openPositions[name])),
      ),
    ),
  ).toBe(map);
});
