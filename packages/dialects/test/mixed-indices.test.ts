import type { MixedSlice } from '@sconv/dialects';
import { areSlicesDisjoint } from '@sconv/dialects';
import { paddedShape } from '@sconv/dialects/tensor';
import type { Value } from '@sconv/ir';
import { DYNAMIC, indexType } from '@sconv/ir';
import { describe, expect, it } from 'vitest';

const value: Value = { id: 1, type: indexType };
const slice = (
  offsets: MixedSlice['offsets'],
  sizes: MixedSlice['sizes'],
  strides: MixedSlice['strides'] = offsets.map(() => 1),
): MixedSlice => ({ offsets, sizes, strides });

describe('areSlicesDisjoint', () => {
  it.each([
    ['side by side', slice([0, 0], [4, 8]), slice([0, 8], [4, 1])],
    ['side by side, in the other order', slice([0, 8], [4, 1]), slice([0, 0], [4, 8])],
    ['behind one whose size in front is known', slice([0], [3]), slice([3], [value])],
    [
      'apart in one dimension, others not known',
      slice([value, 2], [value, 2]),
      slice([value, 0], [value, 2]),
    ],
    ['without an element', slice([2], [0]), slice([2], [5])],
  ])('says so of slices %s', (_, a, b) => {
    expect([areSlicesDisjoint(a, b), areSlicesDisjoint(b, a)]).toEqual([true, true]);
  });

  it.each([
    ['that share an element', slice([0], [4]), slice([3], [4])],
    ['at a place that is not known', slice([value], [1]), slice([3], [1])],
    ['of a size that reaches an unknown place', slice([0], [value]), slice([3], [1])],
    ['whose strides reach further than their sizes', slice([0], [4], [2]), slice([4], [4])],
    ['whose strides are not known', slice([0], [4], [value]), slice([4], [4])],
    ['of different ranks', slice([0, 0], [1, 1]), slice([4], [4])],
    ['of rank 0', slice([], []), slice([], [])],
  ])('does not say so of slices %s', (_, a, b) => {
    expect([areSlicesDisjoint(a, b), areSlicesDisjoint(b, a)]).toEqual([false, false]);
  });
});

describe('paddedShape', () => {
  it('adds what is known', () => {
    expect(paddedShape([4, 5, 0], { low: [1, 0, 2], high: [2, -1, 0] })).toEqual([7, 4, 2]);
  });

  it('does not know what depends on a value', () => {
    const padding = { low: [value, 0, 1], high: [0, value, 1] };
    expect(paddedShape([4, 4, DYNAMIC], padding)).toEqual([DYNAMIC, DYNAMIC, DYNAMIC]);
  });
});
