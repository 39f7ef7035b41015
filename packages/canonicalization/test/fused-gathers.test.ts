/** `transform.apply_patterns.linalg.fuse_gathers`. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester(transforms, { difference: firstDifference, attachments: patternSets });
const any = '!transform.any_op';
const fuse = `%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f { transform.apply_patterns.linalg.fuse_gathers } : ${any}`;

/** A row for each map, as text. */
const map = (dims: string, results: string): string => `affine_map<(${dims}) -> (${results})>`;

/** Reads all elements of `%read`, of this shape, by indices. */
const reader = (shape: readonly number[]): string => {
  const dims = shape.map((_, i) => `d${i}`).join(', ');
  const type = `tensor<${shape.join('x')}xf32>`;
  return `%out = tensor.empty() : ${type}
  %r = linalg.generic {indexing_maps = [${map(dims, dims)}], iterator_types = [${shape.map(() => '"parallel"').join(', ')}]} outs(%out : ${type}) {
  ^bb0(%o: f32):
    ${shape.map((_, i) => `%i${i} = linalg.index ${i} : index`).join('\n    ')}
    %e = tensor.extract %read[${shape.map((_, i) => `%i${i}`).join(', ')}] : ${type}
    linalg.yield %e : f32
  } -> ${type}
  return %r : ${type}
}`;
};

const matrix = `func.func @f(%x: tensor<2x5x7xf32>) -> tensor<6x15xf32> {
  %m = tensor.empty() : tensor<6x15xf32>
  %read = linalg.generic {indexing_maps = [${map('d0, d1', 'd0, d1')}], iterator_types = ["parallel", "parallel"]} outs(%m : tensor<6x15xf32>) {
  ^bb0(%o: f32):
    %k = linalg.index 0 : index
    %w = linalg.index 1 : index
    %c = affine.apply ${map('d0', 'd0 floordiv 3')}(%k)
    %h = affine.apply ${map('d0', 'd0 floordiv 5')}(%w)
    %v = affine.apply ${map('d0, d1', 'd0 mod 5 + d1 mod 3')}(%w, %k)
    %e = tensor.extract %x[%c, %h, %v] : tensor<2x5x7xf32>
    linalg.yield %e : f32
  } -> tensor<6x15xf32>
  ${reader([6, 15])}`;

const copied = (map1: string, body = 'linalg.yield %a : f32', more = ''): string =>
  `func.func @f(%x: tensor<4x6xf32>) -> tensor<2x2x6xf32> {
  %z = arith.constant 1.0 : f32
  %m = tensor.empty() : tensor<4x6xf32>
  %g = linalg.generic {indexing_maps = [${map('d0, d1', map1)}, ${map('d0, d1', 'd0, d1')}], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%m : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    ${body}
  } -> tensor<4x6xf32>
  ${more}
  %read = tensor.expand_shape %g [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>
  ${reader([2, 2, 6])}`;

describe('an element of a gathered tensor', () => {
  it.each([
    ['computes its index', matrix],
    ['is copied and expanded', copied('d0, d1')],
    ['is converted on the way', copied('d0, d1', '%s = arith.addf %a, %z : f32\n    linalg.yield %s : f32')],
  ])('is read where it comes from, where that %s', (_, payload) => {
    const { text, diagnostics } = apply(payload, fuse);
    expect(diagnostics).toBe('');
    expect(text.match(/linalg\.generic/g)).toHaveLength(1);
    expect(text).toContain('tensor.extract %arg0[');
    expect(text).not.toContain('expand_shape');
  });

  it.each([
    [
      'of what stands in the output',
      copied('d0, d1', '%s = arith.addf %a, %b : f32\n    linalg.yield %s : f32').replace(
        '%m = tensor.empty() : tensor<4x6xf32>',
        '%m = linalg.fill ins(%z : f32) outs(%x : tensor<4x6xf32>) -> tensor<4x6xf32>',
      ),
    ],
    [
      'of two that are read',
      copied('d0, d1').replace(
        'linalg.yield %a : f32\n  }',
        '%i = linalg.index 0 : index\n    %y = tensor.extract %x[%i, %i] : tensor<4x6xf32>\n    %s = arith.addf %a, %y : f32\n    linalg.yield %s : f32\n  }',
      ),
    ],
  ])('stays, if it is made %s', (_, payload) => {
    const { text, diagnostics } = apply(payload, fuse);
    expect(diagnostics).toBe('');
    expect(text.match(/linalg\.generic/g)).toHaveLength(2);
  });

  it('behind any reshapes and slices is the same', () => {
    const upTo = (most: number) => fc.integer({ min: 1, max: most });
    fc.assert(
      fc.property(
        fc.tuple(upTo(3), upTo(4), upTo(5)),
        fc.tuple(fc.nat(2), fc.nat(2)),
        upTo(2),
        fc.boolean(),
        ([a, b, c], [offset, slack], stride, isReduced) => {
          const rows = offset + (a * b - 1) * stride + 1 + slack;
          const whole = `tensor<1x${rows}x${c}xf32>`;
          const part = isReduced ? `tensor<${a * b}x${c}xf32>` : `tensor<1x${a * b}x${c}xf32>`;
          const groups = isReduced ? '[[0, 1], [2]]' : '[[0, 1, 2], [3]]';
          const expanded = isReduced ? [a, b, c] : [1, a, b, c];
          const own = isReduced ? '[[0, 1], [2]]' : '[[0], [1, 2], [3]]';
          const payload = `func.func @f(%x: ${whole}) -> tensor<${a * b}x${c}xf32> {
  %s = tensor.extract_slice %x[0, ${offset}, 0] [1, ${a * b}, ${c}] [1, ${stride}, 1] : ${whole} to ${part}
  %t = tensor.expand_shape %s ${own} output_shape [${expanded.join(', ')}] : ${part} into tensor<${expanded.join('x')}xf32>
  %read = tensor.collapse_shape %t ${groups} : tensor<${expanded.join('x')}xf32> into tensor<${a * b}x${c}xf32>
  ${reader([a * b, c])}`;
          const { text, diagnostics } = apply(payload, fuse);
          expect(diagnostics).toBe('');
          expect(text).toContain('tensor.extract %arg0[');
        },
      ),
      { seed: 1, numRuns: 40 },
    );
  });
});
