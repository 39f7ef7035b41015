/** Canonicalization of `affine.apply` in long chains, whose compositions grow with each link. */
import { sizeOf } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import { apply } from '@sconv/dialects/affine';
import { firstDifference } from '@sconv/interpreter/testing';
import { parseModule, verify, walk } from '@sconv/ir';
import { expect, it } from 'vitest';
import { canonicalize } from '../src/index.ts';
import { registry } from './support/table.ts';

/** Twice as many nodes as compositions have at most: simplifying them may add some. */
const mostNodes = 256;

const chain = (length: number): string => `func.func @f(%v: index) -> index {
  ${Array.from({ length }, (_, i) => {
    const before = i === 0 ? '%v' : `%${i - 1}`;
    return `%${i} = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(${before}, ${before})`;
  }).join('\n')}
  return %${length - 1} : index
}`;

it('stays as small as it was, and computes the same', () => {
  const before = unwrap(parseModule(chain(100), { registry }));
  const after = unwrap(canonicalize().run(before, { registry }));
  expect(verify(after, registry)).toEqual([]);
  const maps = [...walk(after.root)]
    .filter((operation) => apply.is(operation))
    .map((operation) => apply.attributes(operation).map);
  expect(maps.length).toBeGreaterThan(1);
  expect(maps.length).toBeLessThan(100);
  for (const { results } of maps) expect(sizeOf(results[0]!)).toBeLessThanOrEqual(mostNodes);
  expect(firstDifference(before, after)).toBeUndefined();
});
