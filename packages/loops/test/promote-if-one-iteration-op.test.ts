import { describe, expect, it } from 'vitest';
import { any, apply, counting, here } from './payloads.ts';

const promote = `${here}transform.loop.promote_if_one_iteration %loop : ${any}`;

describe('transform.loop.promote_if_one_iteration', () => {
  it.each([
    [[3, 4, 1], false],
    [[3, 5, 8], false],
    [[3, 5, 1], true],
    [[3, 3, 1], true],
    [[3, 1, 4], true],
  ])('has a loop left of %j: %s', ([lower = 0, upper = 0, step = 0], isLeft) => {
    const { diagnostics, text } = apply(counting(lower, upper, step), promote);
    expect(diagnostics).toBe('');
    expect(text.includes('scf.for')).toBe(isLeft);
  });

  const parallel = (upper: number): string => `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: f32)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = tensor.from_elements %x : tensor<1xf32>
  %c2 = arith.constant 2 : index
  %r:3 = scf.forall (%i, %j) = (1, 0) to (${upper}, %c2) step (1, 2) shared_outs(%o = %a, %p = %b, %q = %b)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %part = tensor.extract_slice %o[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %p[%j] [2] [1] : tensor<2xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %one into %p[3] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {here}
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}`;

  it('puts what a parallel loop of one iteration contributes into its outputs', () => {
    const { diagnostics, text } = apply(parallel(2), promote);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('forall');
    expect(text.match(/insert_slice .* into %\w+/g)).toHaveLength(3);
  });

  it('leaves a parallel loop of several', () => {
    expect(apply(parallel(3), promote).text).toContain('scf.forall');
  });

  it('refuses what is no loop', () => {
    const payload = 'func.func @f() {\n  %x = arith.constant {here} 1.0 : f32\n  return\n}';
    expect(apply(payload, promote).diagnostics).toContain(
      'transform applied to the wrong op kind [loop/kind]',
    );
  });
});
