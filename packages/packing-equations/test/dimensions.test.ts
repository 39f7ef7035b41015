import { expect, it } from 'vitest';
import { dim, makeMap, printMap } from '@sconv/affine';
import { dimensions } from '../src/index.ts';

const { batch, filter, window, channel, filterRow, filterColumn } = dimensions;

/** The indexing maps of the linearised convolution in ST's Listing 2; the input element is a function of the others. */
it.each([
  ['filter', [filter, channel, filterRow, filterColumn], '(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)'],
  ['output', [batch, filter, window], '(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)'],
])('the map of the %s is that of the paper', (_, positions, map) => {
  expect(printMap(makeMap(6, 0, positions.map(dim)))).toBe(map);
});
