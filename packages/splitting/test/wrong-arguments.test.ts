/** Cores that are called with what the transform ops would not pass on. */
import { genericPayload } from '@sconv/interpreter/testing';
import { replacementsOf } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import type { ReductionSplit } from '../src/index.ts';
import { splitExactlyOp, splitOp, splitReductionOp } from '../src/index.ts';

/** Sums over the second dimension of a tensor of 4x5. */
const rows = genericPayload({
  iterators: ['parallel', 'reduction'],
  inputs: [{ map: 'd0, d1', type: 'tensor<4x5xi32>' }],
  outputs: [{ map: 'd0', type: 'tensor<4xi32>' }],
  body: '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32',
});
const reduction: ReductionSplit = {
  factor: 5,
  position: 0,
  innerParallel: false,
  byScaling: false,
  useAlloc: false,
};

describe('a number that is no integer', () => {
  it.each([{ factor: 2.5 }, { factor: NaN }, { position: 0.5 }])('splitReductionOp with %j', (given) => {
    const options = { ...reduction, ...given };
    expect(() =>
      replacementsOf(rows, 'linalg.generic', (rewriter, op) => splitReductionOp(rewriter, op, options)),
    ).toThrow(/split-reduction\/(factor|position)/);
  });

  it.each([splitOp, splitExactlyOp])('%o', (split) => {
    expect(() =>
      replacementsOf(rows, 'linalg.generic', (rewriter, op) => split(rewriter, op, 0, 1.5)),
    ).toThrow('split/point');
  });
});
