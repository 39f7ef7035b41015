import { transforms as cleanups } from '@sconv/canonicalization/transforms';
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

const apply = scriptTester([...transforms, ...cleanups], {
  difference: firstDifference,
  attachments: patternSets,
});
const any = '!transform.any_op';
const patterns = (...names: readonly string[]): string => `
%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f {
  ${names.map((name) => `transform.apply_patterns.vector.${name}`).join('\n  ')}
} : ${any}`;

/** A product of 2x3 and 3x4 elements, extended to i32 from the given types. */
const extended = (left: string, right: string): string =>
  `func.func @f(%a: vector<2x3x${left}>, %b: vector<3x4x${right}>, %c: vector<2x4xi32>) -> vector<2x4xi32> {
  %x = arith.extsi %a : vector<2x3x${left}> to vector<2x3xi32>
  %y = arith.extsi %b : vector<3x4x${right}> to vector<3x4xi32>
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
  return %0 : vector<2x4xi32>
}`;

describe('fold_arith_extension', () => {
  it.each([
    ['i8', 'i8', 0],
    ['i1', 'i1', 0],
    // Both factors of a contraction have one type.
    ['i8', 'i16', 2],
  ])('of %s and %s leaves as many extensions as stated', (left, right, count) => {
    const { text, diagnostics } = apply(extended(left, right), patterns('fold_arith_extension'));
    expect(diagnostics).toBe('');
    expect(text.split('arith.extsi').length - 1).toBe(count);
  });

  it.each(['dot', 'outerproduct', 'parallelarith', 'matmulintrinsics'])('is lowered by %s', (strategy) => {
    const set = `lower_contraction lowering_strategy = ${strategy}`;
    expect(apply(extended('i8', 'i8'), patterns('fold_arith_extension', set)).diagnostics).toBe('');
  });
});

describe('reduction_to_contract', () => {
  /** A product under a mask, of which the first dimension is that of broadcasts. */
  const masked = (size: number, mask: string): string => {
    const [rows, columns] = [`vector<${size}x2x3xi32>`, `vector<${size}x3x4xi32>`];
    const product = `vector.contract {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, n)>], iterator_types = ["reduction", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : ${rows}, ${columns} into vector<2x4xi32>`;
    const type = `vector<${size}x2x4x3xi1>`;
    return `func.func @f(%a: vector<2x3xi32>, %b: vector<3x4xi32>, %c: vector<2x4xi32>, %m: ${type}) -> vector<2x4xi32> {
  %x = vector.broadcast %a : vector<2x3xi32> to ${rows}
  %y = vector.broadcast %b : vector<3x4xi32> to ${columns}
  %0 = ${mask === '' ? product : `vector.mask %m { ${product} } : ${type} -> vector<2x4xi32>`}
  return %0 : vector<2x4xi32>
}`;
  };

  it.each([
    ['drops a unit dimension', 1, '', 0],
    ['keeps one that the mask has', 1, '%m', 2],
    ['keeps one that is summed', 2, '', 2],
  ])('%s', (_, size, mask, broadcasts) => {
    const { text, diagnostics } = apply(masked(size, mask), patterns('reduction_to_contract'));
    expect(diagnostics).toBe('');
    expect(text.split('vector.broadcast').length - 1).toBe(broadcasts);
  });
});
