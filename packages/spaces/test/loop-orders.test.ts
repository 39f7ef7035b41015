import { contractionOf, parseShape } from '@sconv/csa';
import { expect, it } from 'vitest';
import { loopOrders } from '../src/index.ts';

const shortened = (shape: string): readonly string[] =>
  loopOrders(contractionOf(parseShape(shape))).map((order) => order.map((name) => letters[name]!).join(''));

const letters: Readonly<Record<string, string>> = {
  batch: 'b',
  group: 'g',
  filters: 'k',
  channels: 'c',
  rows: 'h',
  columns: 'w',
  tapRows: 'r',
  tapColumns: 's',
};

it.each([
  ['a convolution', '2x8x9x9,16x8x3x3', ['srcwhbk', 'srckhbw', 'srckwbh', 'whkbrcs', 'whkbscr']],
  ['one of a row of taps', '1x8x9x9,16x8x1x3', ['scwhk', 'sckhw', 'whkcs']],
  ['one of a tap', '1x8x9x9,16x8x1x1', ['cwhk', 'ckwh', 'whkc']],
  ['a product', '1x8x9x1,16x8x1x1', ['chk', 'ckh', 'hkc']],
  ['groups apart', '1x16x9x1,32x8x1x1,g2', ['chk', 'ckh', 'hkc']],
  ['a depthwise convolution', '1x4x9x9,4x1x3x3,g4', ['srhw', 'srwh', 'whrs', 'whsr']],
  ['a product of vectors', '1x8x1x1,1x8x1x1', ['c']],
  ['one multiplication', '1x1x1x1,1x1x1x1', []],
])('keeps the orders of %s', (_, shape, orders) => {
  expect(shortened(shape)).toEqual(orders);
});
