import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import { createRegistry, parseModule, printModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { passes } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const [foldTensorSubsetOps] = passes;

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
])('fold-tensor-subset-ops %s', (_, text, expected, gone) => {
  const module = unwrap(parseModule(text, { registry }));
  const folded = unwrap(foldTensorSubsetOps().run(module, { registry }));
  const printed = printModule(folded, { registry });
  expect(printed).toMatch(expected);
  expect(printed).not.toContain(gone);
  expect(firstDifference(module, folded)).toBeUndefined();
});
