import { describe, expect, it } from 'vitest';
import { floatComparisons } from '../src/floats.ts';

const specials = [0, -0, 1, -1, 2.5, Infinity, -Infinity, NaN];

/** By MLIR's `CmpFPredicate`: which of the four relations of two floats a predicate accepts. */
const relations: Readonly<Record<string, readonly ('<' | '=' | '>' | '?')[]>> = {
  false: [],
  oeq: ['='],
  ogt: ['>'],
  oge: ['>', '='],
  olt: ['<'],
  ole: ['<', '='],
  one: ['<', '>'],
  ord: ['<', '=', '>'],
  ueq: ['=', '?'],
  ugt: ['>', '?'],
  uge: ['>', '=', '?'],
  ult: ['<', '?'],
  ule: ['<', '=', '?'],
  une: ['<', '>', '?'],
  uno: ['?'],
  true: ['<', '=', '>', '?'],
};

const relationOf = (a: number, b: number): '<' | '=' | '>' | '?' =>
  a < b ? '<' : a > b ? '>' : a === b ? '=' : '?';

describe('a comparison', () => {
  it.each(Object.entries(relations).map(([name, accepted], index) => ({ name, accepted, index })))(
    '$name accepts $accepted',
    ({ accepted, index }) => {
      for (const a of specials)
        for (const b of specials)
          expect(floatComparisons[index]?.(a, b), `${a}, ${b}`).toBe(accepted.includes(relationOf(a, b)));
    },
  );

  it('is one of sixteen', () => {
    expect(floatComparisons).toHaveLength(Object.keys(relations).length);
  });
});
