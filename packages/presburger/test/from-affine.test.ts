import { affineMap, integerSet } from '@sconv/affine';
import { fromMap, fromSet } from '@sconv/presburger';
import { expect, it } from 'vitest';

it('makes one local of equal quotients, without whole multiples', () => {
  const set = fromSet(integerSet('(d0, d1) : ((d0 * 5 + d1) mod 4 == 0, (d0 + d1 + 8) floordiv 4 - 3 >= 0)'));
  expect(set.pieces[0]?.locals).toEqual([{ dividend: [1, 1, 0, 0], divisor: 4 }]);
});

it('writes a map as a relation from its dimensions to its results', () => {
  const { space, pieces } = fromMap(affineMap('(d0)[s0] -> (d0 + s0, 7)'));
  expect(space).toMatchObject({ inputs: ['d0'], dims: ['r0', 'r1'], symbols: ['s0'] });
  expect(pieces[0]?.equalities).toEqual([
    [1, -1, 0, 1, 0],
    [0, 0, -1, 0, 7],
  ]);
});

it.each(['(d0)[s0] : (d0 floordiv s0 >= 0)', '(d0)[s0] : (d0 * s0 >= 0)'])('refuses %s', (text) => {
  expect(() => fromSet(integerSet(text))).toThrow(expect.objectContaining({ code: 'presburger/not-affine' }));
});
