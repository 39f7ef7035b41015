import { firstDifference } from '@sconv/interpreter/testing';
import { transforms as cleanups } from '@sconv/canonicalization/transforms';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

const apply = scriptTester([...transforms, ...cleanups], {
  difference: firstDifference,
  attachments: patternSets,
});
const any = '!transform.any_op';
const patterns = (name: string): string => `
%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f {
  transform.apply_patterns.vector.${name}
} : ${any}`;

describe('materialize_masks', () => {
  const column = (map: string, end: string): string => `func.func @f(%a: memref<3x5xi32>) -> vector<4xi32> {
  %two = arith.constant 2 : index
  %z = arith.constant 0 : i32
  %all = arith.constant dense<true> : vector<4xi1>
  %0 = ${end.replace('$', `vector.transfer_read %a[%two, %two], %z {permutation_map = affine_map<(d0, d1) -> (${map})>} : memref<3x5xi32>, vector<4xi32>`)}
  return %0 : vector<4xi32>
}`;

  it.each([
    ['a row', 'd1'],
    ['a column', 'd0'],
  ])('bounds %s', (_, map) => {
    const { text, diagnostics } = apply(column(map, '$'), patterns('materialize_masks'));
    expect(diagnostics).toBe('');
    expect(text).toContain('in_bounds = [true]');
  });

  it('leaves what is under a mask', () => {
    const payload = column('d1', 'vector.mask %all { $ } : vector<4xi1> -> vector<4xi32>');
    const { text, diagnostics } = apply(payload, patterns('materialize_masks'));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('in_bounds = [true]');
  });
});

describe('lower_masked_transfers', () => {
  const gathered = (
    own: string,
  ): string => `func.func @f(%a: memref<4xi32>, %v: vector<4xi32>) -> vector<4xi32> {
  %zero = arith.constant 0 : index
  %at = arith.constant dense<[3, 2, 9, 9]> : vector<4xindex>
  %own = arith.constant dense<${own}> : vector<4xi1>
  %mask = vector.constant_mask [2] : vector<4xi1>
  %0 = vector.mask %mask { vector.gather %a[%zero] [%at], %own, %v : memref<4xi32>, vector<4xindex>, vector<4xi1>, vector<4xi32> into vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  %none = arith.constant dense<0> : vector<4xi32>
  %1 = arith.select %mask, %0, %none : vector<4xi1>, vector<4xi32>
  return %1 : vector<4xi32>
}`;

  it.each(['true', '[true, false, true, false]'])('keeps the mask %s of a gather', (own) => {
    const { text, diagnostics } = apply(gathered(own), patterns('lower_masked_transfers'));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('vector.mask');
  });
});
