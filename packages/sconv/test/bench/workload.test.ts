import { parseShape, printShape } from '@sconv/csa';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  flopPerByte,
  isBoundByTraffic,
  mismatches,
  withPaddingIncluded,
  workOf,
} from '../../src/bench/workload.ts';

describe('the work of a convolution', () => {
  it('counts each multiply-add twice, and each byte once', () => {
    // 4 filters of 2 x 3 x 3 on 6 x 5 windows of an input of 8 x 7.
    expect(workOf(parseShape('1x2x8x7,4x2x3x3'))).toEqual({
      flop: 2 * 4 * 18 * 30,
      readBytes: 4 * (2 * 8 * 7 + 4 * 18),
      writtenBytes: 4 * 4 * 30,
    });
  });
  it('is flop on each byte of all that', () => {
    expect(flopPerByte({ flop: 1200, readBytes: 200, writtenBytes: 100 })).toBe(4);
  });
  it.each([
    ['little of it on each byte', { flop: 3e9, readBytes: 5e8, writtenBytes: 5e8 }, true],
    ['little of it in all', { flop: 1e6, readBytes: 100, writtenBytes: 100 }, true],
    ['neither', { flop: 2e6, readBytes: 3e5, writtenBytes: 2e5 }, false],
  ])('is held against the bandwidth: %s', (_, work, isBound) => {
    expect(isBoundByTraffic(work)).toBe(isBound);
  });
});

it('an input has its padding included', () => {
  const shape = parseShape('1x3x8x9,4x3x3x3,s2,p1x0x2x1');
  const included = withPaddingIncluded(shape);
  expect(printShape(included)).toBe('1x3x9x12,4x3x3x3,s2');
  expect(workOf(included).flop).toBe(workOf(shape).flop);
});

it('data are small integers, of which all sums are exact', () => {
  const { input, filters } = dataOf(parseShape('1x2x8x7,4x2x3x3'));
  expect([input.length, filters.length]).toEqual([112, 72]);
  for (const value of [...input, ...filters])
    expect(Math.abs(value) <= 4 && Number.isInteger(value)).toBe(true);
});

it.each([
  ['equal ones', [1, 2], [1, 2], 0],
  ['one that differs', [1, 2], [1, 3], 1],
  ['too few', [1, 2, 3], [1, 2], 3],
])('mismatches: %s', (_, expected, actual, count) => {
  expect(mismatches(expected, actual)).toBe(count);
});
