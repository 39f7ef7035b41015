import { expect, it } from 'vitest';
import { count, percent, short, size } from '../src/units.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [1024 * 1023, '1023 KiB'],
  [1024 ** 2, '1 MiB'],
  [1024 ** 2 * 2.25, '2.3 MiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k'],
  [12345, '12.3k'],
  [1e6, '1M'],
  [23918400, '23.9M'],
  [1e9, '1G'],
  [1.2345e12, '1230G'],
])('%d is short %s', (value, text) => {
  expect(short(value)).toBe(text);
});

it('counts are grouped and rounded, shares have one decimal', () => {
  expect([11232, 999.6, 7].map(count)).toEqual(['11,232', '1,000', '7']);
  expect([0.955, 0, 1].map(percent)).toEqual(['95.5 %', '0.0 %', '100.0 %']);
});
