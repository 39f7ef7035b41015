/** Folds of vector ops: what the last operation of a function folds to. */
import { applyPatternsGreedily, createRegistry, edit, parseModule, printModule } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';

import { payloadDialects } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

/** The lines of a function that returns `%r` of `type`, folded. */
const folded = (args: string, type: string, body: string): readonly string[] => {
  const text = `func.func @f(${args}) -> ${type} {\n${body}\nreturn %r : ${type}\n}`;
  const { module } = edit(unwrap(parseModule(text, { registry })), { registry }, (rewriter) => {
    unwrap(applyPatternsGreedily(rewriter, [rewriter.root], []));
  });
  return printModule(module, { registry, localScope: true })
    .split('\n')
    .map((line) => line.trim())
    .slice(2, -3);
};

const matrix = '%m: vector<2x3x4xf32>, %v: vector<3x4xf32>, %x: f32';

describe('vectors fold', () => {
  it.each<[string, string, string, string, readonly string[]]>([
    [
      'an extraction of an extraction',
      matrix,
      'f32',
      `%a = vector.extract %m[1] : vector<3x4xf32> from vector<2x3x4xf32>
       %r = vector.extract %a[2, 0] : f32 from vector<3x4xf32>`,
      ['%0 = vector.extract %arg0[1, 2, 0] : f32 from vector<2x3x4xf32>', 'return %0 : f32'],
    ],
    [
      'what was inserted',
      matrix,
      'vector<3x4xf32>',
      `%a = vector.insert %v, %m[1] : vector<3x4xf32> into vector<2x3x4xf32>
       %b = vector.insert %x, %a[0, 1, 1] : f32 into vector<2x3x4xf32>
       %r = vector.extract %b[1] : vector<3x4xf32> from vector<2x3x4xf32>`,
      ['return %arg1 : vector<3x4xf32>'],
    ],
    [
      'a part of what was inserted',
      matrix,
      'vector<4xf32>',
      `%a = vector.insert %v, %m[1] : vector<3x4xf32> into vector<2x3x4xf32>
       %r = vector.extract %a[1, 2] : vector<4xf32> from vector<2x3x4xf32>`,
      ['%0 = vector.extract %arg1[2] : vector<4xf32> from vector<3x4xf32>', 'return %0 : vector<4xf32>'],
    ],
    [
      'an element before a transposition',
      matrix,
      'f32',
      `%a = vector.transpose %m, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
       %r = vector.extract %a[3, 1, 2] : f32 from vector<4x2x3xf32>`,
      ['%0 = vector.extract %arg0[1, 2, 3] : f32 from vector<2x3x4xf32>', 'return %0 : f32'],
    ],
    [
      'no rows of what was transposed in them',
      matrix,
      'vector<4x3xf32>',
      `%a = vector.transpose %m, [0, 2, 1] : vector<2x3x4xf32> to vector<2x4x3xf32>
       %r = vector.extract %a[1] : vector<4x3xf32> from vector<2x4x3xf32>`,
      [
        '%0 = vector.transpose %arg0, [0, 2, 1] : vector<2x3x4xf32> to vector<2x4x3xf32>',
        '%1 = vector.extract %0[1] : vector<4x3xf32> from vector<2x4x3xf32>',
        'return %1 : vector<4x3xf32>',
      ],
    ],
    [
      'a row of what was repeated',
      matrix,
      'vector<4xf32>',
      `%a = vector.broadcast %v : vector<3x4xf32> to vector<5x3x4xf32>
       %r = vector.extract %a[4, 2] : vector<4xf32> from vector<5x3x4xf32>`,
      ['%0 = vector.extract %arg1[2] : vector<4xf32> from vector<3x4xf32>', 'return %0 : vector<4xf32>'],
    ],
    [
      'an element of another shape',
      matrix,
      'vector<4xf32>',
      `%a = vector.shape_cast %m : vector<2x3x4xf32> to vector<6x4xf32>
       %r = vector.extract %a[5] : vector<4xf32> from vector<6x4xf32>`,
      ['%0 = vector.extract %arg0[1, 2] : vector<4xf32> from vector<2x3x4xf32>', 'return %0 : vector<4xf32>'],
    ],
    [
      'an element of a box',
      matrix,
      'vector<4xf32>',
      `%a = vector.extract_strided_slice %m {offsets = [1, 1], sizes = [1, 2], strides = [1, 1]} : vector<2x3x4xf32> to vector<1x2x4xf32>
       %r = vector.extract %a[0, 1] : vector<4xf32> from vector<1x2x4xf32>`,
      ['%0 = vector.extract %arg0[1, 2] : vector<4xf32> from vector<2x3x4xf32>', 'return %0 : vector<4xf32>'],
    ],
    [
      'an element of a box that was inserted',
      '%m: vector<4x5xf32>, %v: vector<2x2xf32>, %w: vector<1x5xf32>',
      'f32',
      `%a = vector.insert_strided_slice %v, %m {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x5xf32>
       %b = vector.insert_strided_slice %w, %a {offsets = [3, 0], strides = [1, 1]} : vector<1x5xf32> into vector<4x5xf32>
       %r = vector.extract %b[2, 2] : f32 from vector<4x5xf32>`,
      ['%0 = vector.extract %arg1[1, 0] : f32 from vector<2x2xf32>', 'return %0 : f32'],
    ],
    [
      'one of several elements',
      '%x: f32, %y: f32',
      'f32',
      `%a = vector.from_elements %x, %y, %x, %x : vector<2x2xf32>
       %r = vector.extract %a[0, 1] : f32 from vector<2x2xf32>`,
      ['return %arg1 : f32'],
    ],
    [
      'a box of a box that was inserted',
      '%m: vector<4x5xf32>, %v: vector<2x3xf32>',
      'vector<1x2xf32>',
      `%a = vector.insert_strided_slice %v, %m {offsets = [1, 2], strides = [1, 1]} : vector<2x3xf32> into vector<4x5xf32>
       %r = vector.extract_strided_slice %a {offsets = [2, 3], sizes = [1, 2], strides = [1, 1]} : vector<4x5xf32> to vector<1x2xf32>`,
      [
        '%0 = vector.extract_strided_slice %arg1 {offsets = [1, 1], sizes = [1, 2], strides = [1, 1]} : vector<2x3xf32> to vector<1x2xf32>',
        'return %0 : vector<1x2xf32>',
      ],
    ],
    [
      'shapes one after the other',
      '%m: vector<6x4xf32>',
      'vector<24xf32>',
      `%a = vector.shape_cast %m : vector<6x4xf32> to vector<2x3x4xf32>
       %r = vector.shape_cast %a : vector<2x3x4xf32> to vector<24xf32>`,
      ['%0 = vector.shape_cast %arg0 : vector<6x4xf32> to vector<24xf32>', 'return %0 : vector<24xf32>'],
    ],
    [
      'rows in their order',
      '%a: vector<4xf32>, %b: vector<2xf32>',
      'vector<2xf32>',
      '%r = vector.shuffle %a, %b [4, 5] : vector<4xf32>, vector<2xf32>',
      ['return %arg1 : vector<2xf32>'],
    ],
    [
      'numbers from 0 on, compared',
      '',
      'vector<3xi1>',
      `%c = arith.constant dense<7> : vector<3xindex>
       %s = vector.step : vector<3xindex>
       %r = arith.cmpi slt, %s, %c : vector<3xindex>`,
      ['%cst = arith.constant dense<true> : vector<3xi1>', 'return %cst : vector<3xi1>'],
    ],
    [
      'a read of what was written',
      '%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %x: f32',
      'vector<4xf32>',
      `%c0 = arith.constant 0 : index
       %c4 = arith.constant 4 : index
       %a = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
       %b = vector.transfer_write %w, %a[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
       %r = vector.transfer_read %b[%c0], %x : tensor<8xf32>, vector<4xf32>`,
      ['return %arg1 : vector<4xf32>'],
    ],
    [
      'a read of what was written, at constants of another dialect than arith',
      '%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %x: f32',
      'vector<4xf32>',
      `%c0 = index.constant 0
       %c4 = index.constant 4
       %a = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
       %b = vector.transfer_write %w, %a[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
       %r = vector.transfer_read %b[%c0], %x : tensor<8xf32>, vector<4xf32>`,
      ['return %arg1 : vector<4xf32>'],
    ],
    [
      'nothing about the bounds of a transfer from a negative index',
      '%t: tensor<8xf32>, %x: f32',
      'vector<4xf32>',
      `%c = arith.constant -3 : index
       %r = vector.transfer_read %t[%c], %x : tensor<8xf32>, vector<4xf32>`,
      [
        '%c-3 = arith.constant -3 : index',
        '%0 = vector.transfer_read %arg0[%c-3], %arg1 : tensor<8xf32>, vector<4xf32>',
        'return %0 : vector<4xf32>',
      ],
    ],
    [
      'no read of what was partly overwritten',
      '%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %x: f32',
      'vector<4xf32>',
      `%c0 = arith.constant 0 : index
       %c3 = arith.constant 3 : index
       %a = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
       %b = vector.transfer_write %w, %a[%c3] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
       %r = vector.transfer_read %b[%c0], %x {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>`,
      [
        '%c0 = arith.constant 0 : index',
        '%c3 = arith.constant 3 : index',
        '%0 = vector.transfer_write %arg1, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>',
        '%1 = vector.transfer_write %arg2, %0[%c3] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>',
        '%2 = vector.transfer_read %1[%c0], %arg3 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>',
        'return %2 : vector<4xf32>',
      ],
    ],
    [
      'what is read and written back',
      '%t: tensor<8xf32>, %i: index, %x: f32',
      'tensor<8xf32>',
      `%v = vector.transfer_read %t[%i], %x : tensor<8xf32>, vector<4xf32>
       %r = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>`,
      ['return %arg0 : tensor<8xf32>'],
    ],
    [
      'bounds and masks that say nothing, and casts',
      '%t: tensor<8x4xf32>, %i: index, %x: f32',
      'vector<4xf32>',
      `%c4 = arith.constant 4 : index
       %k = vector.constant_mask [4] : vector<4xi1>
       %u = tensor.cast %t : tensor<8x4xf32> to tensor<?x?xf32>
       %r = vector.transfer_read %u[%c4, %i], %x, %k {permutation_map = affine_map<(d0, d1) -> (d0)>} : tensor<?x?xf32>, vector<4xf32>`,
      [
        '%c4 = arith.constant 4 : index',
        '%0 = vector.transfer_read %arg0[%c4, %arg1], %arg2 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : tensor<8x4xf32>, vector<4xf32>',
        'return %0 : vector<4xf32>',
      ],
    ],
  ])('%s', (_, args, type, body, expected) => {
    expect(folded(args, type, body)).toEqual(expected);
  });
});
