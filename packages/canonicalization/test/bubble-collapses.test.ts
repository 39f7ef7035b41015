/** `transform.apply_patterns.tensor.bubble_collapse`. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester(transforms, { difference: firstDifference, attachments: patternSets });
const any = '!transform.any_op';
const bubble = `%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f { transform.apply_patterns.tensor.bubble_collapse } : ${any}`;

/** A bias and a residual on an expanded product; the maps of the expanded operand, the bias and the residual. */
const after = (
  [own, bias, other] = ['d0, d1, d2', 'd0', 'd0, d1, d2'],
  body = '%s = arith.addf %a, %b : f32\n    %t = arith.addf %s, %c : f32\n    linalg.yield %t : f32',
): string => {
  const map = (results: string) => `affine_map<(d0, d1, d2) -> (${results})>`;
  return `func.func @f(%p: tensor<4x6xf32>, %bias: tensor<4xf32>, %x: tensor<4x2x3xf32>, %row: tensor<4x2xf32>) -> tensor<4x2x3xf32> {
  %e = tensor.expand_shape %p [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>
  %o = tensor.empty() : tensor<4x2x3xf32>
  %r = linalg.generic {indexing_maps = [${[own, bias, other, 'd0, d1, d2'].map(map).join(', ')}], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %bias, %x : tensor<4x2x3xf32>, tensor<4xf32>, tensor<4x2x3xf32>) outs(%o : tensor<4x2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    ${body}
  } -> tensor<4x2x3xf32>
  return %r : tensor<4x2x3xf32>
}`;
};

describe('an elementwise op on an expanded tensor', () => {
  it('becomes one on what was expanded, and the expansion its last step', () => {
    const { text, diagnostics } = apply(after(), bubble);
    expect(diagnostics).toBe('');
    expect(text).toContain('ins(%arg0, %arg1, %collapsed : tensor<4x6xf32>, tensor<4xf32>, tensor<4x6xf32>)');
    expect(text).toMatch(/%(\w+) = tensor\.expand_shape[^\n]*\n\s*return %\1/);
  });

  it('collapses nothing that is expanded itself', () => {
    const twice = after().replace(
      'return %r',
      `%q = linalg.exp ins(%r : tensor<4x2x3xf32>) outs(%o : tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<4x2x3xf32>) outs(%o : tensor<4x2x3xf32>) {
  ^bb0(%a: f32, %d: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x2x3xf32>
  return %n`,
    );
    const { text } = apply(twice, bubble);
    expect(text.match(/expand_shape/g)).toHaveLength(1);
  });

  it('fills the matrix that a fill was collapsed to', () => {
    const { text } = apply(
      `func.func @f(%z: f32, %x: tensor<4x2x3xf32>) -> tensor<4x6xf32> {
  %0 = linalg.fill ins(%z : f32) outs(%x : tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}`,
      bubble,
    );
    expect(text).toMatch(/linalg\.fill [^\n]*-> tensor<4x6xf32>/);
  });

  it.each([
    ['a part of the expanded dimensions', ['d0, d1, d2', 'd0', 'd0, d2, d1'], 'tensor<4x3x2xf32>'],
    ['the expanded ones in another order', ['d0, d2, d1', 'd0', 'd0, d1, d2'], undefined],
  ] as const)('stays, where %s are read', (_, maps, type) => {
    const text = after([...maps]);
    const payload =
      maps[0] === 'd0, d2, d1'
        ? text
            .replace(
              'output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>',
              'output_shape [4, 3, 2] : tensor<4x6xf32> into tensor<4x3x2xf32>',
            )
            .replace('ins(%e, %bias, %x : tensor<4x2x3xf32>', 'ins(%e, %bias, %x : tensor<4x3x2xf32>')
        : text
            .replace('%x: tensor<4x2x3xf32>', `%x: ${type}`)
            .replace('tensor<4xf32>, tensor<4x2x3xf32>) outs', `tensor<4xf32>, ${type}) outs`);
    const { text: result, diagnostics } = apply(payload, bubble);
    expect(diagnostics).toBe('');
    expect(result).not.toContain('collapse_shape');
  });

  it('stays, where its body uses indices', () => {
    const indexed =
      '%i = linalg.index 1 : index\n    %j = arith.index_cast %i : index to i32\n    %k = arith.sitofp %j : i32 to f32\n    %s = arith.addf %a, %k : f32\n    linalg.yield %s : f32';
    expect(apply(after(undefined, indexed), bubble).text).not.toContain('collapse_shape');
  });
});
