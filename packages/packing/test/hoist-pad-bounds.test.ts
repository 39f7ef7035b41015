/** Paddings that are hoisted out of loops whose bounds are computed, or constants of their own. */
import { describe, expect, it } from 'vitest';
import { apply, paddedTile } from './payloads.ts';

const any = '!transform.any_op';
const hoist = (loops: number): string =>
  `%op = transform.structured.match ops{["tensor.pad"]} in %root : (${any}) -> ${any}
%h = transform.structured.hoist_pad %op by ${loops} loops : (${any}) -> ${any}
transform.annotate %h "hoisted" : ${any}`;

/** Copies tiles of 3 elements, each padded, by a loop with these bounds in another loop. */
const tiles = (before: string, inside: string, bounds: string): string =>
  `func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %eight = arith.constant 8 : index
  %v = arith.constant 3.0 : f32
  ${before}
  %all = scf.for %d = %zero to %one step %one iter_args(%o1 = %o) -> (tensor<8xf32>) {
    ${inside}
    %r = scf.for %i = ${bounds} iter_args(%q = %o1) -> (tensor<8xf32>) {
      ${paddedTile}
    }
    scf.yield %r : tensor<8xf32>
  }
  return %all : tensor<8xf32>
}`;

describe('transform.structured.hoist_pad', () => {
  it.each([
    [
      'begins where is not known',
      '%from = arith.minui %k, %three : index',
      '',
      '%from to %eight step %three',
    ],
    ['has a step of its own', '', '%step = arith.constant 3 : index', '%zero to %eight step %step'],
    [
      'begins at a constant of its own',
      '',
      '%from = arith.constant 2 : index',
      '%from to %eight step %three',
    ],
  ])('packs the tiles of a loop that %s', (_, before, inside, bounds) => {
    const { diagnostics, text } = apply(tiles(before, inside, bounds), hoist(2));
    expect(diagnostics).toBe('');
    expect(text).toMatch(/tensor\.pad[^]*hoisted/);
    expect(text.split('scf.for')[1]).toContain('tensor.pad');
  });

  it('refuses a loop that begins where another one computes', () => {
    const payload = tiles('', '%from = arith.minui %d, %three : index', '%from to %eight step %three');
    expect(apply(payload, hoist(2)).diagnostics).toContain('[hoist-pad/bounds]');
  });
});
