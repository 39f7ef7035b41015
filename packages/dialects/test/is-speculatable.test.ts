import { unwrap } from '@sconv/diagnostics';
import { edit } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { isSpeculatable } from '../src/index.ts';
import { inFunction, parse, registry } from './support.ts';

/** Whether a slice may be taken ahead of a loop whose `%i` is 0 or 1. */
const mayRun = (slice: string): boolean => {
  const text = inFunction(
    '%t: tensor<8x4xf32>, %s: tensor<2x4xf32>, %d: tensor<?x4xf32>, %m: memref<8x4xf32>, %n: index',
    `%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
scf.for %i = %c0 to %c2 step %c1 {
  ${slice}
}`,
  );
  return edit(unwrap(parse(text)), { registry }, (rewriter) => {
    const found = rewriter.walk(rewriter.root).find(({ name }) => /slice|subview/.test(name));
    return isSpeculatable(rewriter, found!);
  }).results;
};

describe('a slice may be taken ahead', () => {
  const extract = (place: string, type: string, from = '%t : tensor<8x4xf32>'): string =>
    from.replace(/(%\w) : (.*)/, `%r = tensor.extract_slice $1${place} : $2 to ${type}`);
  const insert = (place: string, source = '%s : tensor<2x4xf32>'): string =>
    source.replace(/(%\w) : (.*)/, `%r = tensor.insert_slice $1 into %t${place} : $2 into tensor<8x4xf32>`);

  it.each([
    ['that is inside', extract('[6, 0] [2, 4] [1, 1]', 'tensor<2x4xf32>')],
    ['at a place that is known to be', extract('[%i, 0] [7, 4] [1, 1]', 'tensor<7x4xf32>')],
    ['of a size that is known to fit', extract('[7, 0] [%i, 4] [1, 1]', 'tensor<?x4xf32>')],
    ['with gaps', extract('[1, 0] [3, 4] [3, 1]', 'tensor<3x4xf32>')],
    ['without elements, anywhere', extract('[%n, 0] [0, 4] [1, 1]', 'tensor<0x4xf32>')],
    ['that is inserted inside', insert('[6, 0] [2, 4] [1, 1]')],
    [
      'of a buffer',
      '%r = memref.subview %m[6, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 24>>',
    ],
  ])('%s', (_, lines) => {
    expect(mayRun(lines)).toBe(true);
  });

  it.each([
    ['at an unknown place', extract('[%n, 0] [2, 4] [1, 1]', 'tensor<2x4xf32>')],
    ['that may end outside', extract('[%i, 0] [8, 4] [1, 1]', 'tensor<8x4xf32>')],
    ['of an unknown size', extract('[0, 0] [%n, 4] [1, 1]', 'tensor<?x4xf32>')],
    ['with unknown gaps', extract('[0, 0] [2, 4] [%n, 1]', 'tensor<2x4xf32>')],
    [
      'of a tensor of unknown size',
      extract('[0, 0] [2, 4] [1, 1]', 'tensor<2x4xf32>', '%d : tensor<?x4xf32>'),
    ],
    ['that is inserted at an unknown place', insert('[%n, 0] [2, 4] [1, 1]')],
    ['that is inserted, of unknown size', insert('[0, 0] [%n, 4] [1, 1]', '%d : tensor<?x4xf32>')],
  ])('but not one %s', (_, lines) => {
    expect(mayRun(lines)).toBe(false);
  });
});
