import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import { createRegistry, parseModule, printModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { passes } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const [foldTensorSubsetOps] = passes;

/** A vector is written into a slice, of which `where` says whence it is; the slice is then inserted into a tensor. */
const writtenSlice = (vector: string, where?: string): string =>
  `func.func @f(%v: vector<${vector}xf32>, %t: tensor<2x3xf32>, %d: tensor<6x9xf32>) -> tensor<6x9xf32> {
  %c0 = arith.constant 0 : index
  ${where === undefined ? '' : `%s = tensor.extract_slice %d${where} : tensor<6x9xf32> to tensor<2x3xf32>`}
  %0 = vector.transfer_write %v, ${where === undefined ? '%t' : '%s'}[%c0, %c0] {in_bounds = ` +
  `[${vector.replaceAll(/\d+/g, 'true').replaceAll('x', ', ')}]} : vector<${vector}xf32>, tensor<2x3xf32>
  %1 = tensor.insert_slice %0 into %d[2, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
}`;

it.each([
  [
    'reads a slice from the whole tensor',
    `func.func @f(%a: tensor<6x9xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %a[3, 2] [3, 5] [1, 1] : tensor<6x9xf32> to tensor<3x5xf32>
  %1 = vector.transfer_read %0[%c1, %c0], %z {in_bounds = [true]} : tensor<3x5xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}`,
    /vector\.transfer_read %arg0\[/,
    'tensor.extract_slice',
  ],
  [
    'inserts at once what is expanded before',
    `func.func @f(%a: tensor<2x3xf32>, %b: tensor<1x2x3xf32>, %c: tensor<4x5x6xf32>) -> tensor<4x5x6xf32> {
  %0 = tensor.insert_slice %a into %b[0, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<2x3xf32> into tensor<1x2x3xf32>
  %1 = tensor.insert_slice %0 into %c[2, 1, 3] [1, 2, 3] [1, 1, 1] : tensor<1x2x3xf32> into tensor<4x5x6xf32>
  return %1 : tensor<4x5x6xf32>
}`,
    /insert_slice %arg0 into %arg2\[2, 1, 3\]/,
    'into %arg1',
  ],
  [
    'writes a whole slice into the whole tensor',
    writtenSlice('2x3'),
    /vector\.transfer_write %arg0, %arg2\[/,
    'tensor.insert_slice',
  ],
  [
    'keeps what a write leaves of a slice',
    writtenSlice('3'),
    /vector\.transfer_write %arg0, %arg1\[/,
    'transfer_write %arg0, %arg2',
  ],
  [
    'keeps the rows that a write leaves of a slice',
    writtenSlice('1x3'),
    /vector\.transfer_write %arg0, %arg1\[/,
    'transfer_write %arg0, %arg2',
  ],
  [
    'writes into the tensor that a slice is put back into',
    writtenSlice('3', '[2, 1] [2, 3] [1, 1]'),
    /vector\.transfer_write %arg0, %arg2\[/,
    'tensor.insert_slice',
  ],
  [
    'keeps a slice that was cut out elsewhere',
    writtenSlice('3', '[2, 2] [2, 3] [1, 1]'),
    /tensor\.insert_slice/,
    'transfer_write %arg0, %arg2',
  ],
  [
    'keeps a write that a slice cuts off',
    `func.func @f(%v: vector<2x3xf32>, %t: tensor<2x3xf32>, %d: tensor<6x9xf32>) -> tensor<6x9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_write %v, %t[%c1, %c0] {in_bounds = [false, true]} : vector<2x3xf32>, tensor<2x3xf32>
  %1 = tensor.insert_slice %0 into %d[2, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
}`,
    /vector\.transfer_write %arg0, %arg1\[/,
    'transfer_write %arg0, %arg2',
  ],
  [
    'keeps what a mask leaves of a slice',
    `func.func @f(%v: vector<2x3xf32>, %t: tensor<2x3xf32>, %d: tensor<6x9xf32>, %m: vector<2x3xi1>) -> ` +
      `tensor<6x9xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0], %m {in_bounds = [true, true]} : vector<2x3xf32>, tensor<2x3xf32>
  %1 = tensor.insert_slice %0 into %d[2, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
}`,
    /vector\.transfer_write %arg0, %arg1\[/,
    'transfer_write %arg0, %arg2',
  ],
  [
    'keeps a slice of every other row',
    `func.func @f(%v: vector<2x3xf32>, %t: tensor<2x3xf32>, %d: tensor<6x9xf32>) -> tensor<6x9xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, tensor<2x3xf32>
  %1 = tensor.insert_slice %0 into %d[2, 1] [2, 3] [2, 1] : tensor<2x3xf32> into tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
}`,
    /vector\.transfer_write %arg0, %arg1\[/,
    'transfer_write %arg0, %arg2',
  ],
  [
    'puts a slice that is cut out of another tensor back',
    writtenSlice('3', '[2, 1] [2, 3] [1, 1]')
      .replace('%d: tensor', '%e: tensor<6x9xf32>, %d: tensor')
      .replace('extract_slice %d', 'extract_slice %e'),
    /tensor\.insert_slice/,
    'transfer_write %arg0, %arg3',
  ],
])('fold-tensor-subset-ops %s', (_, text, expected, gone) => {
  const module = unwrap(parseModule(text, { registry }));
  const folded = unwrap(foldTensorSubsetOps().run(module, { registry }));
  const printed = printModule(folded, { registry });
  expect(printed).toMatch(expected);
  expect(printed).not.toContain(gone);
  expect(firstDifference(module, folded)).toBeUndefined();
});
