import { describe, expect, it } from 'vitest';
import { apply, matchOps } from './payloads.ts';

const fold = `${matchOps('linalg.generic')}
transform.structured.fold_pad %op : !transform.any_op`;

/** A gather of `read` from the tensor that `before` derives from `%in`; `d0` and `d1` are the iteration dimensions. */
const gather = (
  input: string,
  before: string,
  read: string,
): string => `#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%in: ${input}, %value: f32, %i: index, %out: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  ${before}
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<3x4xf32>) {
  ^bb0(%old: f32):
    %d0 = linalg.index 0 : index
    %d1 = linalg.index 1 : index
    %x = tensor.extract ${read}
    %sum = arith.addf %old, %x : f32
    linalg.yield %sum : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}`;

const pad = (attributes: string, body: string, types: string): string =>
  `%p = tensor.pad %in ${attributes} {
  ^bb0(%a: index, %b: index):
    ${body}
  } : ${types}`;

const read = '%p[%d0, %d1] : tensor<3x4xf32>';

describe('transform.structured.fold_pad', () => {
  it.each([
    [
      'zeros on both sides',
      'tensor<1x2xf32>',
      pad('low[1, 1] high[1, 1]', 'tensor.yield %zero : f32', 'tensor<1x2xf32> to tensor<3x4xf32>'),
      read,
    ],
    [
      'a value from around, in one dimension',
      'tensor<3x2xf32>',
      pad('low[0, 2] high[0, 0]', 'tensor.yield %value : f32', 'tensor<3x2xf32> to tensor<3x4xf32>'),
      read,
    ],
    [
      'a constant of the pad',
      'tensor<2x4xf32>',
      pad(
        'low[0, 0] high[1, 0]',
        '%one = arith.constant 1.0 : f32\n    tensor.yield %one : f32',
        'tensor<2x4xf32> to tensor<3x4xf32>',
      ),
      read,
    ],
    [
      'no margin',
      'tensor<3x4xf32>',
      pad('nofold low[0, 0] high[0, 0]', 'tensor.yield %zero : f32', 'tensor<3x4xf32> to tensor<3x4xf32>'),
      read,
    ],
    [
      'a slice of fewer dimensions',
      'tensor<2x5xf32>',
      `${pad('low[1, 1] high[0, 0]', 'tensor.yield %zero : f32', 'tensor<2x5xf32> to tensor<3x6xf32>')}
  %s = tensor.extract_slice %p[1, 1] [1, 4] [1, 1] : tensor<3x6xf32> to tensor<4xf32>`,
      '%s[%d1] : tensor<4xf32>',
    ],
  ])('reads what was padded with %s', (_, input, before, element) => {
    const { diagnostics, text } = apply(gather(input, before, element), fold);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('tensor.pad');
  });

  it.each([
    [
      'a margin that is not known',
      'tensor<1x4xf32>',
      pad('low[%c0, 0] high[2, 0]', 'tensor.yield %zero : f32', 'tensor<1x4xf32> to tensor<?x4xf32>'),
      '%p[%d0, %d1] : tensor<?x4xf32>',
    ],
    [
      'a size that is not known',
      'tensor<?x4xf32>',
      pad('low[0, 0] high[2, 0]', 'tensor.yield %zero : f32', 'tensor<?x4xf32> to tensor<?x4xf32>'),
      '%p[%c0, %d1] : tensor<?x4xf32>',
    ],
    [
      'no element',
      'tensor<0x4xf32>',
      pad('low[3, 0] high[0, 0]', 'tensor.yield %zero : f32', 'tensor<0x4xf32> to tensor<3x4xf32>'),
      read,
    ],
    [
      'a padding that is not the same everywhere',
      'tensor<1x4xf32>',
      pad(
        'low[2, 0] high[0, 0]',
        '%k = arith.index_cast %a : index to i32\n    %v = arith.sitofp %k : i32 to f32\n    tensor.yield %v : f32',
        'tensor<1x4xf32> to tensor<3x4xf32>',
      ),
      read,
    ],
  ])('leaves a pad with %s', (_, input, before, element) => {
    const { diagnostics, text } = apply(gather(input, before, element), fold);
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor.pad');
  });

  it('refuses what is not generic', () => {
    const text =
      'func.func @f(%a: tensor<2xf32>, %b: f32) -> tensor<2xf32> {\n  %0 = linalg.fill ins(%b : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}';
    const { diagnostics } = apply(
      text,
      `${matchOps('linalg.fill')}\ntransform.structured.fold_pad %op : !transform.any_op`,
    );
    expect(diagnostics).toContain(
      "expected a linalg.generic, got 'linalg.fill': generalize it first [fold-pad/not-generic]",
    );
  });

  it('refuses indices beyond 2^53', () => {
    const far = `%p = tensor.pad %in low[9007199254740990] high[0] {
  ^bb0(%a: index):
    tensor.yield %zero : f32
  } : tensor<1xf32> to tensor<9007199254740991xf32>
  %far = affine.apply affine_map<() -> (-9007199254740990)>()`;
    const element = '%p[%j] : tensor<9007199254740991xf32>';
    const text = gather('tensor<1xf32>', far, element).replace(
      '%x =',
      '%j = affine.apply affine_map<(d0) -> (d0 - 9007199254740990)>(%d0)\n    %x =',
    );
    expect(apply(text, fold).diagnostics).toContain('[fold-pad/arithmetic]');
  });
});
