import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { kernelCode, parseScheme, planOfScheme } from '../src/index.ts';
import { convolutionOf, productOf } from './contractions.ts';

const conv = convolutionOf({ k: 32, c: 4, h: 23, w: 4, r: 3, s: 3 });

it.each([
  [
    '[R(w), lambda(h; x; [(1,11),(1,12)]), R(r), T(c,4), U(s,3), U(h,x), U(k,2), V(k,16)]',
    conv,
    16,
    [
      { windows: 11, filters: 32, unrolled: 3, multiplyAdds: 66, loads: 6, broadcasts: 33, registers: 25 },
      { windows: 12, filters: 32, unrolled: 3, multiplyAdds: 72, loads: 6, broadcasts: 36, registers: 27 },
    ],
  ],
  [
    '[R(h), R(w), lambda(k; x; [(2,3),(1,1),(1,1)]), T(c,4), T(r,3), T(s,3), U(k,x), V(k,4)]',
    conv,
    4,
    [
      { windows: 1, filters: 12, unrolled: 1, multiplyAdds: 3, loads: 3, broadcasts: 1, registers: 7 },
      { windows: 1, filters: 4, unrolled: 1, multiplyAdds: 1, loads: 1, broadcasts: 1, registers: 3 },
    ],
  ],
  [
    '[T(k,8), U(i,6), U(j,2), V(j,5)]',
    productOf(6, 10, 8),
    8,
    [{ windows: 10, filters: 6, unrolled: 1, multiplyAdds: 12, loads: 2, broadcasts: 6, registers: 15 }],
  ],
  ['[R(i), R(j), R(k)]', productOf(6, 10, 8), 8, []],
] as const)('counts the vector instructions of %s', (text, contraction, lanes, expected) => {
  const scheme = unwrap(parseScheme(text));
  expect(kernelCode(planOfScheme(scheme, contraction).tree, { lanes })).toEqual(expected);
});
