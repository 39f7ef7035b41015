/** Queries of indices that are computed in long chains, and along exponentially many paths. */
import { sizeOf, symbol } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import type { Rewriter, Value } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { apply } from '../src/affine.ts';
import { mostComposedNodes } from '../src/composed-apply.ts';
import { applyExpression, composeValue, isSymbol, sameIndex, valueBound } from '../src/index.ts';
import { divisorOf } from '../src/index-divisor.ts';
import { parse, registry } from './support.ts';

/** Two chains of applications in a loop, each of which uses the one before twice; `map` has two dimensions. */
const chains = (map: string, length: number): string => {
  const chain = (name: string): string =>
    Array.from({ length }, (_, i) => {
      const before = i === 0 ? '%i' : `%${name}${i - 1}`;
      return `%${name}${i} = affine.apply affine_map<(d0, d1) -> (${map})>(${before}, ${before})`;
    }).join('\n');
  return `func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %n step %c4 {
      ${chain('a')}
      ${chain('b')}
      %sum = arith.addi %a${length - 1}, %b${length - 1} : index
    }
    return
  }`;
};

const asked = <T>(text: string, ask: (rewriter: Rewriter, a: Value, b: Value) => T): T =>
  edit(unwrap(parse(text)), { registry }, (rewriter) => {
    const sum = rewriter.walk(rewriter.root).find(({ name }) => name === 'arith.addi')!;
    rewriter.setInsertionPointBefore(sum);
    return ask(rewriter, sum.operands[0]!, sum.operands[1]!);
  }).results;

const remainders = 'd0 mod 16 + d1 floordiv 16';

describe.each([
  { length: 60, isFollowed: true },
  { length: 5000, isFollowed: false },
])('of $length applications', ({ length, isFollowed }) => {
  it('bounds, divisors and symbols are found', () => {
    expect(asked(chains(remainders, length), valueBound)).toBe(Infinity);
    expect(asked(chains(remainders, length), isSymbol)).toBe(false);
    expect(asked(chains('d0 mod 4 + d1 mod 4', length), divisorOf)).toBe(isFollowed ? 4 : 1);
  });

  it('equal ones are known to be', () => {
    expect(asked(chains(remainders, length), sameIndex)).toBe(isFollowed);
  });

  it('expressions stay small', () => {
    const { map, operands } = asked(chains(remainders, length), composeValue);
    expect(operands).toHaveLength(1);
    expect(sizeOf(map.results[0]!)).toBeLessThanOrEqual(mostComposedNodes);
  });

  it('so do those of new applications', () => {
    const size = asked(chains(remainders, length), (rewriter, a) => {
      const made = applyExpression(rewriter, symbol(0).add(1), [a]) as Value;
      return sizeOf(apply.attributes(rewriter.definingOperation(made)!).map.results[0]!);
    });
    expect(size).toBeLessThanOrEqual(mostComposedNodes + 2);
  });
});
