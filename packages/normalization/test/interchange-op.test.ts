import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { replacementsOf, scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { interchangeOp } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference });
const one = '!transform.any_op';
const interchanged = (payload: string, order: string, name = 'linalg.generic') =>
  apply(
    payload,
    `%op = transform.structured.match ops{["${name}"]} in %root : (${one}) -> ${one}
    %x = transform.structured.interchange %op ${order} : (${one}) -> ${one}
    transform.annotate %x "seen" : ${one}`,
  );

/** Three loops of different extents; sums up all of their indices. */
const places = `func.func @places(%in: tensor<2x3x4xf32>, %out: tensor<4x2xindex>) -> tensor<4x2xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d0)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%in : tensor<2x3x4xf32>) outs(%out : tensor<4x2xindex>) {
  ^bb0(%x: f32, %old: index):
    %c7 = arith.constant 7 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %0 = arith.muli %old, %c7 : index
    %1 = arith.addi %i, %0 : index
    %2 = arith.muli %1, %c7 : index
    %3 = arith.addi %j, %k : index
    %4 = arith.addi %2, %3 : index
    linalg.yield %4 : index
  } -> tensor<4x2xindex>
  return %0 : tensor<4x2xindex>
}`;

describe('transform.structured.interchange', () => {
  it.each(['[0, 2, 1]', '[1, 0, 2]', '[1, 2, 0]', '[2, 0, 1]', '[2, 1, 0]'])(
    'to %s computes the same',
    (order) => {
      const { status, text } = interchanged(places, `iterator_interchange = ${order}`);
      expect(status).toBe('success');
      expect(text).toContain('seen');
      expect(text.match(/affine\.apply/g)).toHaveLength(3);
    },
  );

  it('orders maps and iterators as upstream', () => {
    const { text } = interchanged(places, 'iterator_interchange = [1, 2, 0]');
    expect(text).toContain(
      'indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]',
    );
  });

  it('does nothing without an order', () => {
    expect(interchanged(places, '').text).not.toContain('affine.apply');
  });

  /** Two reductions, and a body that combines an element with the output by `combine`. */
  const reduced = (combine: string): string =>
    genericPayload({
      iterators: ['reduction', 'parallel', 'reduction'],
      inputs: [{ map: 'd0, d1, d2', type: 'tensor<2x3x4xi32>' }],
      outputs: [{ map: 'd1', type: 'tensor<3xi32>' }],
      body: `${combine}\nlinalg.yield %r : i32`,
    });

  it.each([
    ['sums up in another order', '%r = arith.addi %x0, %y0 : i32', '[2, 1, 0]'],
    ['keeps the order of reductions', '%r = arith.subi %x0, %y0 : i32', '[1, 0, 2]'],
  ])('%s', (_, combine, order) => {
    const { diagnostics } = interchanged(reduced(combine), `iterator_interchange = ${order}`);
    expect(diagnostics).toBe('');
  });

  it('throws for what is no permutation', () => {
    expect(() =>
      replacementsOf(places, 'linalg.generic', (r, op) => interchangeOp(r, op, [0, 0, 1])),
    ).toThrow(new RangeError('[0, 0, 1] is not a permutation of 3 loops'));
  });

  it.each([
    [
      'interchange/order',
      reduced('%r = arith.subi %x0, %y0 : i32'),
      '[2, 1, 0]',
      'linalg.generic',
      'iterations would run in another order, which may change the result',
    ],
    [
      'interchange/length',
      places,
      '[1, 0]',
      'linalg.generic',
      'iterator_interchange has length (2) different from the number of loops in the target operation (3)',
    ],
    [
      'interchange/not-generic',
      `func.func @f(%x: f32, %out: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`,
      '[0]',
      'linalg.fill',
      'transform applied to the wrong op kind',
    ],
  ])('%s', (code, payload, order, name, message) => {
    const { status, diagnostics } = interchanged(payload, `iterator_interchange = ${order}`, name);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`error: ${message} [${code}]`);
  });
});
