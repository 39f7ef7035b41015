/** `transform.affine.simplify_bounded_affine_ops`. */
import { describe, expect, it } from 'vitest';
import { apply, one } from './support/apply-script.ts';

describe('transform.affine.simplify_bounded_affine_ops', () => {
  const bounded = `func.func @f(%n: index, %x: i32) -> (index, index, index) {
  %c16 = arith.constant 16 : index
  %0 = arith.remui %n, %c16 : index
  %1 = affine.min affine_map<()[s0] -> (30, 40 - s0)>()[%0]
  %2 = affine.min affine_map<()[s0] -> (8, s0 + 1)>()[%0]
  %3 = affine.min affine_map<()[s0, s1] -> (s0 + s1, s1 + 16)>()[%0, %n]
  %4 = arith.addi %x, %x : i32
  return %1, %2, %3 : index, index, index
}`;
  const simplified = (names: readonly string[], values: string, upper = 16) =>
    apply(
      bounded,
      `%t = transform.structured.match ops{[${names.map((name) => `"${name}"`).join(', ')}]} in %root : (${one}) -> ${one}
%v = transform.structured.match ops{["${values}"]} in %root : (${one}) -> ${one}
transform.affine.simplify_bounded_affine_ops %t with [%v : ${one}] within [0] and [${upper}] : ${one}`,
    );

  it('simplifies what the bounds decide', () => {
    const { text } = simplified(['affine.min'], 'arith.remui', 11);
    expect(text).toContain('arith.constant 30');
    expect(text).toContain('affine_map<()[s0] -> (8, s0 + 1)>');
    expect(text).toContain('affine.apply affine_map<()[s0, s1] -> (s0 + s1)>');
  });

  it('does not take the upper bound for one of the values', () => {
    expect(simplified(['affine.min'], 'arith.remui', 11).text).not.toContain('(-s0 + 40, 30)');
    expect(simplified(['affine.min'], 'arith.remui', 12).text).toContain('(-s0 + 40, 30)');
  });

  it.each([
    ['transform/bounded-value', ['affine.min'], 'arith.addi', 'single-result index-typed ops'],
    ['transform/not-extreme', ['arith.addi'], 'arith.remui', 'target must be affine.min or affine.max'],
    ['transform/bounded-target', ['affine.min'], 'affine.min', 'target op result must not be constrainted'],
  ])('%s', (code, names, values, message) => {
    const { status, diagnostics } = simplified(names, values);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`${message} [${code}]`);
  });
});
