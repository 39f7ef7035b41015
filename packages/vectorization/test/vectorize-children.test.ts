import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const children = (flags = ''): string =>
  `%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
%g = transform.structured.vectorize_children_and_apply_patterns %f ${flags} : (${any}) -> ${any}`;

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /vector\.|linalg\.|memref\./.test(line));

/** A buffer that is partly overwritten by a copy, then read whole. */
const behindCopy = ({
  fill = '%x',
  offset = 0,
  between = '',
  later = '',
  copied = '%part, %view',
  buffer = '%buffer = memref.alloc() : memref<4x4xf32>',
  mask = '',
} = {}): string => {
  const part = 'memref<2x4xf32, strided<[8, 1], offset: 10>>';
  const view = `memref<2x4xf32, strided<[4, 1], offset: ${4 * offset}>>`;
  return `func.func @f(%m: memref<8x8xf32>, %y: f32) -> (vector<4x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 0.000000e+00 : f32
  ${buffer}
  linalg.fill ins(${fill} : f32) outs(%buffer : memref<4x4xf32>)
  %part = memref.subview %m[1, 2] [2, 4] [1, 1] : memref<8x8xf32> to ${part}
  %view = memref.subview %buffer[${offset}, 0] [2, 4] [1, 1] : memref<4x4xf32> to ${view}
  memref.copy ${copied} : ${copied
    .split(', ')
    .map((name) => (name === '%part' ? part : view))
    .join(' to ')}
  ${between}
  %v = vector.transfer_read %buffer[%c0, %c0], %x${mask} : memref<4x4xf32>, vector<4x4xf32>
  ${later === '' ? '%l = arith.addf %x, %x : f32' : later}
  return %v, %l : vector<4x4xf32>, f32
}`;
};

describe('transform.structured.vectorize_children_and_apply_patterns', () => {
  it('reads the source of a copy instead of what was copied', () => {
    const { text, diagnostics } = apply(behindCopy(), children());
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.transfer_read %subview[');
  });

  it('reads the source of a copy behind a write to another buffer', () => {
    const between = `%other = memref.alloc() : memref<4x4xf32>
  memref.store %y, %other[%c0, %c0] : memref<4x4xf32>`;
    const { text, diagnostics } = apply(behindCopy({ between }), children());
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.transfer_read %subview[');
  });

  it.each([
    [
      'behind a read of the same',
      { between: '%q = memref.load %m[%c1, %c2] : memref<8x8xf32>', later: '%l = arith.addf %q, %x : f32' },
    ],
    [
      'before the buffer is freed',
      { later: '%l = arith.addf %x, %x : f32\n  memref.dealloc %buffer : memref<4x4xf32>' },
    ],
    [
      'in a view of bytes',
      {
        buffer:
          '%bytes = memref.alloc() : memref<64xi8>\n  %buffer = memref.view %bytes[%c0][] : memref<64xi8> to ' +
          'memref<4x4xf32>',
      },
    ],
  ])('reads the source of a copy %s', (_, change) => {
    const { text, diagnostics } = apply(behindCopy(change), children());
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.transfer_read %subview[');
  });

  it.each([
    ['what is copied elsewhere', behindCopy({ copied: '%view, %part' })],
    [
      'a buffer of which another part is seen',
      behindCopy({
        between:
          '%other = memref.subview %buffer[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, ' +
          '1], offset: 8>>',
        later: '%l = memref.load %other[%c0, %c0] : memref<2x4xf32, strided<[4, 1], offset: 8>>',
      }),
    ],
    [
      'a buffer under a mask',
      behindCopy({
        between:
          '%set = arith.constant dense<[[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]]> : vector<4x4xi1>',
        mask: ', %set',
      }),
    ],
    ['a buffer that was filled with something else', behindCopy({ fill: '%y' })],
    ['a part that begins elsewhere', behindCopy({ offset: 1 })],
    [
      'a copy of what is written afterwards',
      behindCopy({ between: 'memref.store %y, %m[%c1, %c2] : memref<8x8xf32>' }),
    ],
    [
      'a copy of what a function may write afterwards',
      behindCopy({ between: 'func.call @g() : () -> ()' }) + '\nfunc.func private @g()',
    ],
    [
      'a buffer that is read again',
      behindCopy({ later: '%l = memref.load %buffer[%c0, %c0] : memref<4x4xf32>' }),
    ],
  ])('reads %s itself', (_, payload) => {
    const { text, diagnostics } = apply(payload, children());
    expect(diagnostics).toBe('');
    expect(text).toMatch(/vector.transfer_read %alloc\[/);
  });

  it('leaves what cannot be a vector', () => {
    const payload =
      `func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>, %d: ` +
      `tensor<?xf32>, %x: f32) -> (tensor<1x6x6x4xf32>, tensor<?xf32>) {
      %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : ` +
      `tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
      %1 = linalg.fill ins(%x : f32) outs(%d : tensor<?xf32>) -> tensor<?xf32>
      return %0, %1 : tensor<1x6x6x4xf32>, tensor<?xf32>
    }`;
    const { text, diagnostics } = apply(payload, children());
    expect(diagnostics.replaceAll('Attempted to vectorize, but failed: ', '')).toMatchInlineSnapshot(`
      "script.mlir:4:6: warning: 2 structured ops are not vectorized [vectorize-children/left]
      payload.mlir:2:12: note: 'linalg.conv_2d_nhwc_hwcf': only convolutions of one dimension and of known extents have a form in vectors
      payload.mlir:3:12: note: 'linalg.fill': the extents [?] are dynamic: give vector_sizes, or choose tile sizes that divide"
    `);
    expect(lines(text).map((line) => /(linalg|vector)\.\w+/.exec(line)?.[0])).toEqual([
      'linalg.conv_2d_nhwc_hwcf',
      'linalg.fill',
    ]);
  });

  it('lists 8 of those that it leaves', () => {
    const fill = (i: number): string =>
      `%${i + 1} = linalg.fill ins(%x : f32) outs(%${i} : tensor<?xf32>) -> tensor<?xf32>`;
    const payload = `func.func @f(%d: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
      ${Array.from({ length: 9 }, (_, i) => fill(i))
        .join('\n      ')
        .replace('(%0 ', '(%d ')}
      return %9 : tensor<?xf32>
    }`;
    const { diagnostics } = apply(payload, children());
    expect(diagnostics).toContain('warning: 9 structured ops are not vectorized');
    expect(diagnostics.split('note: ')).toHaveLength(1 + 8);
  });

  const transposed = `func.func @f(%a: tensor<4x6xf32>, %b: tensor<6x4xf32>) -> tensor<6x4xf32> {
    %0 = linalg.transpose ins(%a : tensor<4x6xf32>) outs(%b : tensor<6x4xf32>) permutation = [1, 0]
    return %0 : tensor<6x4xf32>
  }`;
  const product = `func.func @f(%a: tensor<4x6xf32>, %b: tensor<6x3xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x3xf32>) outs(%c : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }`;
  const padded = `func.func @f(%a: tensor<4x6xf32>, %x: f32) -> tensor<4x8xf32> {
    %0 = tensor.pad %a low[0, 0] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<4x6xf32> to tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }`;

  it.each([
    ['vector.transpose', '', transposed, true],
    ['vector.transpose', '{disable_transfer_permutation_map_lowering_patterns}', transposed, false],
    ['vector.contract', '', product, true],
    ['vector.contract', '{disable_multi_reduction_to_contract_patterns}', product, false],
    ['tensor.pad', '', padded, true],
    ['tensor.pad', '{vectorize_padding}', padded, false],
  ])('%s with %s', (op, flags, payload, stands) => {
    const { text, diagnostics } = apply(payload, children(flags));
    expect(diagnostics).toBe('');
    expect(text.split('transform.')[0]!.includes(op)).toBe(stands);
  });

  const paddedBy = (before: string, after: string, use: string): string =>
    `func.func @f(%a: tensor<${before}xf32>, %c: tensor<3x2x8xf32>, %x: f32) -> tensor<3x2x8xf32> {
    %0 = tensor.pad %a low[0, 0, 0] high[0, 0, 2] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %x : f32
    } : tensor<${before}xf32> to tensor<${after}xf32>
    ${use}
  }`;
  it.each([
    [
      'a copy of nothing',
      'func.func @f(%a: memref<2x0xf32>, %b: memref<2x0xf32>) { memref.copy %a, %b : memref<2x0xf32> to ' +
        'memref<2x0xf32> return }',
    ],
    [
      'a padding of nothing',
      paddedBy(
        '2x0x6',
        '2x0x8',
        '%1 = tensor.insert_slice %0 into %c[0, 0, 0] [2, 0, 8] [1, 1, 1] : tensor<2x0x8xf32> into ' +
          'tensor<3x2x8xf32> return %1 : tensor<3x2x8xf32>',
      ),
    ],
    [
      'a padding of a slice without elements',
      paddedBy(
        '3x2x0',
        '3x2x2',
        '%1 = tensor.insert_slice %0 into %c[0, 0, 0] [3, 2, 2] [1, 1, 1] : tensor<3x2x2xf32> into ' +
          'tensor<3x2x8xf32> return %1 : tensor<3x2x8xf32>',
      ),
    ],
  ])('makes no vectors without elements of %s', (_, payload) => {
    const { text, diagnostics } = apply(payload, children('{vectorize_padding}'));
    expect(diagnostics).toMatch(/^$|an extent is 0$/);
    expect(text).not.toMatch(/vector<(\d+x)*0x/);
  });

  it('refuses what is not isolated from above', () => {
    const { diagnostics } = apply(
      product,
      `%op = transform.structured.match ops{["linalg.matmul"]} in %root : (${any}) -> ${any}
%g = transform.structured.vectorize_children_and_apply_patterns %op : (${any}) -> ${any}`,
    );
    expect(diagnostics).toContain('[vectorize-children/not-isolated]');
  });
});
