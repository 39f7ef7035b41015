/** Canonicalization of padding. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a pad of a cast tensor',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<?xf32>',
    `%0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %r = tensor.pad %0 low[1] high[2] {
    ^bb0(%i: index):
      tensor.yield %x : f32
    } : tensor<?xf32> to tensor<?xf32>`,
    'tensor.pad, tensor.cast',
    'tensor<4xf32> to tensor<7xf32>',
  ],
  [
    'a pad of a tensor whose other size is cast',
    '(%t: tensor<4x?xf32>, %x: f32, %n: index) -> tensor<?x?xf32>',
    `%0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
    %r = tensor.pad %0 low[0, %n] high[%n, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>`,
    'tensor.pad',
  ],
  [
    'a pad that is cast',
    '(%t: tensor<?xf32>, %x: f32, %n: index) -> tensor<8xf32>',
    `%0 = tensor.pad %t low[1] high[3] {
    ^bb0(%i: index):
      tensor.yield %x : f32
    } : tensor<?xf32> to tensor<?xf32>
    %r = tensor.cast %0 : tensor<?xf32> to tensor<8xf32>`,
    'tensor.pad',
    'tensor<?xf32> to tensor<8xf32>',
  ],
  [
    'a pad that is cast, and used',
    '(%t: tensor<?xf32>, %x: f32, %n: index) -> (tensor<8xf32>, tensor<?xf32>)',
    `%0 = tensor.pad %t low[1] high[3] {
    ^bb0(%i: index):
      tensor.yield %x : f32
    } : tensor<?xf32> to tensor<?xf32>
    %r = tensor.cast %0 : tensor<?xf32> to tensor<8xf32>
    return %r, %0 : tensor<8xf32>, tensor<?xf32>`,
    stays,
  ],
  [
    'a pad of nothing that is kept',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32>',
    `%r = tensor.pad %t nofold low[0] high[0] {
    ^bb0(%i: index):
      tensor.yield %x : f32
    } : tensor<4xf32> to tensor<4xf32>`,
    stays,
  ],
  [
    'pads of rows, then of columns',
    '(%t: tensor<8x9xf32>, %i: index, %n: index) -> tensor<5x7xf32>',
    `%a = tensor.extract_slice %t[%i, 0] [3, 9] [1, 1] : tensor<8x9xf32> to tensor<3x9xf32>
    %b = tensor.pad %a low[0, 0] high[2, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<3x9xf32> to tensor<5x9xf32>
    %c = tensor.extract_slice %b[0, 1] [5, 4] [1, 1] : tensor<5x9xf32> to tensor<5x4xf32>
    %r = tensor.pad %c low[0, 0] high[0, 3] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<5x4xf32> to tensor<5x7xf32>`,
    'tensor.extract_slice, tensor.pad',
    'high[2, 3]',
  ],
  [
    'pads of rows, then of columns with another value',
    '(%t: tensor<8x9xf32>, %i: index) -> tensor<5x7xf32>',
    `%a = tensor.extract_slice %t[%i, 0] [3, 9] [1, 1] : tensor<8x9xf32> to tensor<3x9xf32>
    %b = tensor.pad %a low[0, 0] high[2, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<3x9xf32> to tensor<5x9xf32>
    %c = tensor.extract_slice %b[0, 1] [5, 4] [1, 1] : tensor<5x9xf32> to tensor<5x4xf32>
    %r = tensor.pad %c low[0, 0] high[0, 3] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f3 : f32
    } : tensor<5x4xf32> to tensor<5x7xf32>`,
    stays,
  ],
  [
    'pads of rows, then of fewer rows',
    '(%t: tensor<8x9xf32>, %i: index) -> tensor<6x4xf32>',
    `%a = tensor.extract_slice %t[%i, 0] [3, 9] [1, 1] : tensor<8x9xf32> to tensor<3x9xf32>
    %b = tensor.pad %a low[0, 0] high[2, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<3x9xf32> to tensor<5x9xf32>
    %c = tensor.extract_slice %b[0, 1] [4, 4] [1, 1] : tensor<5x9xf32> to tensor<4x4xf32>
    %r = tensor.pad %c low[0, 0] high[2, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<4x4xf32> to tensor<6x4xf32>`,
    stays,
  ],
  [
    'pads of rows, some of which are cut off, then of columns',
    '(%t: tensor<8x9xf32>, %i: index) -> tensor<4x7xf32>',
    `%a = tensor.extract_slice %t[%i, 0] [3, 9] [1, 1] : tensor<8x9xf32> to tensor<3x9xf32>
    %b = tensor.pad %a low[0, 0] high[2, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<3x9xf32> to tensor<5x9xf32>
    %c = tensor.extract_slice %b[0, 1] [4, 4] [1, 1] : tensor<5x9xf32> to tensor<4x4xf32>
    %r = tensor.pad %c low[0, 0] high[0, 3] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<4x4xf32> to tensor<4x7xf32>`,
    stays,
  ],
  [
    'pads of rows below, then of columns',
    '(%t: tensor<8x9xf32>, %i: index) -> tensor<5x7xf32>',
    `%a = tensor.extract_slice %t[%i, 0] [3, 9] [1, 1] : tensor<8x9xf32> to tensor<3x9xf32>
    %b = tensor.pad %a low[2, 0] high[0, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<3x9xf32> to tensor<5x9xf32>
    %c = tensor.extract_slice %b[0, 1] [5, 4] [1, 1] : tensor<5x9xf32> to tensor<5x4xf32>
    %r = tensor.pad %c low[0, 0] high[0, 3] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<5x4xf32> to tensor<5x7xf32>`,
    stays,
  ],
  [
    'pads of rows, of which the first is not taken, then of columns',
    '(%t: tensor<8x9xf32>, %i: index) -> tensor<5x7xf32>',
    `%a = tensor.extract_slice %t[%i, 1] [4, 8] [1, 1] : tensor<8x9xf32> to tensor<4x8xf32>
    %b = tensor.pad %a low[0, 0] high[2, 0] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<4x8xf32> to tensor<6x8xf32>
    %c = tensor.extract_slice %b[1, 1] [5, 4] [1, 1] : tensor<6x8xf32> to tensor<5x4xf32>
    %r = tensor.pad %c low[0, 0] high[0, 3] {
    ^bb0(%p: index, %q: index):
      tensor.yield %f2 : f32
    } : tensor<5x4xf32> to tensor<5x7xf32>`,
    stays,
  ],
]);
