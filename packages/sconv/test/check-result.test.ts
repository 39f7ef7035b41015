import { describe, expect, it } from 'vitest';
import { children, integerData, parseModule, unwrap } from '../src/index.ts';
import { defaultRegistry } from '../src/default-registry.ts';
import { checkResult } from '../src/run/check-result.ts';
import type { Comparison } from '../src/run/check-result.ts';
import { convolve } from '../src/convolve.ts';
import { payload } from './support/capture.ts';

const module = unwrap(parseModule(payload(), { registry: defaultRegistry }));
const definition = children(module.root)[0]!;

const input = { shape: [1, 3, 9, 9], data: integerData(243, 1) } as const;
const filters = { shape: [5, 3, 3, 3], data: integerData(135, 2) } as const;
const initial = new Float32Array(245);
const right = convolve(input, filters).data;

const check = (result: Float32Array, isExact = true): Comparison | undefined =>
  unwrap(
    checkResult(module, definition, {
      given: [input.data, filters.data, initial],
      outputs: [{ value: result, argument: undefined }],
      isExact,
    }),
  );

/** The right result with one element changed. */
const changed = (change: (value: number) => number): Float32Array => right.with(100, change(right[100]!));

describe('the check', () => {
  it('agrees with the right result', () => {
    expect(check(right)).toEqual({
      oracle: 'reference convolution',
      mismatches: 0,
      maxAbsError: 0,
      isExact: true,
    });
  });
  it('sees one element that is off by one', () => {
    expect(check(changed((value) => value + 1))).toMatchObject({ mismatches: 1, maxAbsError: 1 });
  });
  it('sees an element that is no number', () => {
    expect(check(changed(() => NaN))).toMatchObject({ mismatches: 1, maxAbsError: Infinity });
  });
  it('forgives what rounding explains, where data are no integers', () => {
    const rounded = changed((value) => value * (1 + 2 ** -22));
    expect(check(rounded, false)?.mismatches).toBe(0);
    expect(check(rounded)?.mismatches).toBe(1);
    expect(
      check(
        changed((value) => value + 0.1),
        false,
      )?.mismatches,
    ).toBe(1);
  });
});
