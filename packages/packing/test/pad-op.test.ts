import { describe, expect, it } from 'vitest';
import { apply, excerpt, matchOps } from './payloads.ts';

const any = '!transform.any_op';
const pad = (attributes: string, multiples = '', name = 'linalg.matmul'): string =>
  `${matchOps(name)}\n%padded, %pads, %copies = transform.structured.pad %op ${multiples === '' ? '' : `pad_to_multiple_of [${multiples}]`} {${attributes}} : (${any}) -> (${any}, ${any}, ${any})`;

const product = (a: string, b: string, c: string): string =>
  `func.func @f(%a: ${a}, %b: ${b}, %c: ${c}) -> ${c} {
  %0 = linalg.matmul ins(%a, %b : ${a}, ${b}) outs(%c : ${c}) -> ${c}
  return %0 : ${c}
}`;
const static_ = product('tensor<5x6xf32>', 'tensor<6x7xf32>', 'tensor<5x7xf32>');

/** A product of slices whose sizes `size` computes. */
const sliced = (
  size: string,
): string => `func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>, %t: tensor<?x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %eight = arith.constant 8 : index
  %0 = scf.for %k = %zero to %eight step %three iter_args(%o = %c) -> (tensor<8x8xf32>) {
    %m = affine.min affine_map<(d0) -> (3, -d0 + 8)>(%k)
    ${size}
    %x = tensor.extract_slice %a[0, 0] [8, %n] [1, 1] : tensor<8x8xf32> to tensor<8x?xf32>
    %y = tensor.extract_slice %b[0, 0] [%n, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
    %1 = linalg.matmul ins(%x, %y : tensor<8x?xf32>, tensor<?x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %1 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}`;

describe('transform.structured.pad', () => {
  it.each([
    ['padding_dimensions = [0, 1, 2]', '4, 2, 5'],
    ['padding_dimensions = [2], pack_paddings = [1, 1, 1], copy_back_op = "linalg.copy"', '4'],
    ['padding_dimensions = [0, 1], copy_back_op = "none"', '5, 7'],
    ['padding_dimensions = []', ''],
  ])('keeps what a product computes with {%s}, multiples [%s]', (attributes, multiples) => {
    const { status, diagnostics } = apply(static_, pad(attributes, multiples));
    expect([status, diagnostics]).toEqual(['success', '']);
  });

  it('keeps the dynamic type of a result whose size an input tells', () => {
    const payload = `func.func @f(%a: tensor<5x6xf32>, %b: tensor<6x7xf32>, %c: tensor<5x7xf32>) -> tensor<?x7xf32> {
  %d = tensor.cast %c : tensor<5x7xf32> to tensor<?x7xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<5x6xf32>, tensor<6x7xf32>) outs(%d : tensor<?x7xf32>) -> tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}`;
    const { text, diagnostics } = apply(payload, pad('padding_dimensions = [0], copy_back_op = "none"', '2'));
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor<6x7xf32> to tensor<?x7xf32>');
  });

  it.each([
    ['%n = affine.apply affine_map<(d0) -> (d0)>(%m)', 3],
    ['%n = affine.max affine_map<(d0) -> (d0, 2)>(%m)', 3],
    ['%n = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 2 + s0 mod 4)>(%m)[%k]', 4],
    ['%n = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%k)', 3],
    ['%n = affine.apply affine_map<(d0) -> (-d0 + 7)>(%k)', 7],
    ['%e = tensor.empty(%m) : tensor<?x8xf32>\n%n = tensor.dim %e, %zero : tensor<?x8xf32>', 3],
    [
      '%e = tensor.extract_slice %a[0, 0] [%m, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>\n%g = linalg.exp ins(%e : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>\n%n = tensor.dim %g, %zero : tensor<?x8xf32>',
      3,
    ],
    [
      '%e = tensor.cast %a : tensor<8x8xf32> to tensor<?x8xf32>\n%n = tensor.dim %e, %zero : tensor<?x8xf32>',
      8,
    ],
  ])('pads to the bound of a size: %s', (size, bound) => {
    const { text, diagnostics } = apply(sliced(size), pad('padding_dimensions = [2]'));
    expect(diagnostics).toBe('');
    expect(text).toContain(`linalg.matmul ins(%padded, %padded_`);
    expect(text).toContain(`tensor<8x${bound}xf32>, tensor<${bound}x8xf32>`);
  });

  it.each([
    ['%n = tensor.dim %t, %zero : tensor<?x8xf32>'],
    ['%n = arith.addi %m, %zero : index'],
    ['%n = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%m, %i)'],
    [
      '%e = tensor.extract_slice %t[0, 0] [%i, 1] [1, 1] : tensor<?x8xf32> to tensor<?xf32>\n%n = tensor.dim %e, %zero : tensor<?xf32>',
    ],
  ])('refuses a size without a bound: %s', (size) => {
    const payload = sliced(size).replace('%t: tensor<?x8xf32>', '%t: tensor<?x8xf32>, %i: index');
    expect(apply(payload, pad('padding_dimensions = [2]')).diagnostics).toContain(
      'failed to pad op: an operand has a size without a static bound [pad/bound]',
    );
  });

  it('pads a convolution as far as its windows reach', () => {
    const conv = (
      input: string,
    ) => `func.func @f(%a: ${input}, %b: tensor<3xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.conv_1d ins(%a, %b : ${input}, tensor<3xf32>) outs(%c : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}`;
    const padded = apply(conv('tensor<7xf32>'), pad('padding_dimensions = [0]', '6', 'linalg.conv_1d'));
    expect(padded.diagnostics).toBe('');
    expect(excerpt(padded.text, 'linalg.conv_1d')).toEqual([
      '% = linalg.conv_1d ins(%, % : tensor<12xf32>, tensor<3xf32>) outs(% : tensor<6xf32>) -> tensor<6xf32>',
    ]);
    const short = apply(conv('tensor<8xf32>'), pad('padding_dimensions = [0]', '8', 'linalg.conv_1d'));
    expect(short.diagnostics).toContain('[pad/shape]');
  });

  it('takes what a slice of a padded result was cut out of', () => {
    const payload = `func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %m = affine.min affine_map<()[s0] -> (s0, 8)>()[%n]
  %s = tensor.extract_slice %a[0] [%m] [1] : tensor<8xf32> to tensor<?xf32>
  %w = arith.constant 8 : index
  %h = affine.apply affine_map<()[s0] -> (-s0 + 8)>()[%m]
  %p = tensor.pad %s low[0] high[%h] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  %e = linalg.negf ins(%p : tensor<8xf32>) outs(%p : tensor<8xf32>) -> tensor<8xf32>
  %x = tensor.extract_slice %e[0] [%m] [1] : tensor<8xf32> to tensor<?xf32>
  %y = linalg.abs ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %z = tensor.insert_slice %y into %a[0] [%m] [1] : tensor<?xf32> into tensor<8xf32>
  return %z : tensor<8xf32>
}`;
    const { text, diagnostics } = apply(payload, pad('padding_dimensions = [0]', '', 'linalg.abs'));
    expect(diagnostics).toBe('');
    expect(text.match(/tensor\.pad/g)).toHaveLength(1);
  });

  it.each([
    ['padding_dimensions = [2], padding_values = [0 : i32]', '4', 'pad/value-type'],
    ['padding_dimensions = [2], padding_values = ["{foo}"]', '4', 'pad/value-text'],
    ['padding_dimensions = [2], padding_values = ["0.0", unit]', '4', 'pad/value-type'],
    ['padding_dimensions = [2], padding_values = ["0.0"]', '4', 'pad/no-value'],
    ['padding_dimensions = [2], padding_values = [1.0 : f32, 2.0 : f32, 0.0 : f32]', '4', 'pad/value'],
    ['padding_dimensions = [2], copy_back_op = "test.copy"', '4', 'pad/copy'],
    ['padding_dimensions = [2]', '0', 'pad/multiple'],
  ])('refuses {%s}, multiples [%s]', (attributes, multiples, code) => {
    expect(apply(static_, pad(attributes, multiples)).diagnostics).toContain(`[${code}]`);
  });

  it('refuses iterations that would read before the beginning', () => {
    const payload = `func.func @f(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 4)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<5xf32>) outs(%b : tensor<5xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}`;
    const padded = apply(payload, pad('padding_dimensions = [0]', '3', 'linalg.generic'));
    expect(padded.diagnostics).toContain('[pad/shape]');
  });

  it('refuses sizes that do not fit each other', () => {
    const payload = sliced('%n = affine.apply affine_map<(d0) -> (d0)>(%m)').replace(
      '%y = tensor.extract_slice %b[0, 0] [%n, 8]',
      '%q = affine.min affine_map<(d0)[s0] -> (d0, s0, 9)>(%n)[%eight]\n%y = tensor.extract_slice %b[0, 0] [%q, 8]',
    );
    expect(
      apply(payload.replace('-> (3, -d0 + 8)>', '-> (4, -d0 + 8)>'), pad('padding_dimensions = [2]')).status,
    ).toBe('success');
    const other = payload.replace('(d0, s0, 9)>(%n)[%eight]', '(d0 * 0 + s0 - 3, 9)>(%n)[%eight]');
    expect(apply(other, pad('padding_dimensions = [2]')).diagnostics).toContain('[pad/shape]');
  });

  it.each([
    ['func.return', 'expected LinalgOp target [pad/target]'],
    ['linalg.copy', 'failed to pad op: expected operation on tensors [pad/not-structured]'],
  ])('refuses %s', (name, message) => {
    const payload = `func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.copy ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}`;
    expect(apply(payload, pad('padding_dimensions = [0]', '', name)).diagnostics).toContain(message);
  });
});
