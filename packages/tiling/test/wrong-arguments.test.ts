/** Cores that are called with what the transform ops would not pass on. */
import type { Diagnosed } from '@sconv/diagnostics';
import { genericPayload } from '@sconv/interpreter/testing';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { replacementsOf } from '@sconv/transform/testing';
import { expect, it } from 'vitest';
import {
  continuousNumbers,
  continuousValues,
  multitileNumbers,
  multitileValues,
  tileReductionUsingForallOp,
  tileReductionUsingForOp,
  tileUsingForallOp,
  tileUsingForOp,
} from '../src/index.ts';

/** Sums over the second dimension of a tensor of 4x5. */
const rows = genericPayload({
  iterators: ['parallel', 'reduction'],
  inputs: [{ map: 'd0, d1', type: 'tensor<4x5xi32>' }],
  outputs: [{ map: 'd0', type: 'tensor<4xi32>' }],
  body: '%s = arith.addi %y0, %x0 : i32\nlinalg.yield %s : i32',
});

type Core = (rewriter: Rewriter, operation: DraftOperation) => Diagnosed<unknown>;

it.each<[string, string, Core]>([
  ['tileUsingForOp', 'tile/sizes', (r, op) => tileUsingForOp(r, op, [1.5])],
  ['tileUsingForallOp', 'tile/sizes', (r, op) => tileUsingForallOp(r, op, { tileSizes: [1.5] })],
  ['tileReductionUsingForOp', 'reduction/sizes', (r, op) => tileReductionUsingForOp(r, op, [0, 2.5])],
  ['tileReductionUsingForallOp', 'reduction/sizes', (r, op) => tileReductionUsingForallOp(r, op, [0, 2.5])],
  ...[multitileNumbers, multitileValues].flatMap((sizes): [string, string, Core][] => [
    ['a target', 'tile/multitile', (r, op) => sizes(r, op, { dimension: 0, target: 2.5, divisor: 1 })],
    ['a divisor', 'tile/multitile', (r, op) => sizes(r, op, { dimension: 0, target: 2, divisor: 0.5 })],
  ]),
  ...[continuousNumbers, continuousValues].map((sizes): [string, string, Core] => [
    'continuous sizes',
    'tile/continuous',
    (r, op) => sizes(r, op, { dimension: 0, target: 2.5 }),
  ]),
])('%s by a number that is no integer fails with %s', (_, code, core) => {
  expect(() => replacementsOf(rows, 'linalg.generic', core)).toThrow(code);
});
