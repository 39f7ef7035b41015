/** Cores called with arguments that no script can give them. */
import { success } from '@sconv/diagnostics';
import { replacementsOf } from '@sconv/transform/testing';
import { expect, it } from 'vitest';
import { buildPackingLoopNest, hoistPadOp, lowerUnpackOp, padOp } from '../src/index.ts';

const payload = `func.func @f(%a: tensor<5xf32>, %n: index) -> tensor<5xf32> {
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c1 to %n step %c1 iter_args(%o = %a) -> (tensor<5xf32>) {
    %1 = linalg.exp ins(%a : tensor<5xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %1 : tensor<5xf32>
  }
  return %0 : tensor<5xf32>
}`;

it.each([[-4], [0], [1.5], [NaN]])('padOp throws for a multiple of %d', (multiple) => {
  expect(() =>
    replacementsOf(payload, 'linalg.exp', (rewriter, operation) =>
      padOp(rewriter, operation, { dimensions: [0], multiples: [multiple] }),
    ),
  ).toThrow(new RangeError(`expected multiples of at least 1, got [${multiple}]`));
});

it.each<[string, string, Parameters<typeof replacementsOf>[2]]>([
  ['hoistPadOp', 'hoist-pad/target', (rewriter, operation) => hoistPadOp(rewriter, operation, 1)],
  [
    'buildPackingLoopNest',
    'hoist-pad/target',
    (rewriter, operation) => buildPackingLoopNest(rewriter, operation, operation.parent!),
  ],
  ['lowerUnpackOp', 'lower-unpack/target', (rewriter, operation) => lowerUnpackOp(rewriter, operation)],
])('%s refuses another op with %s', (_, code, rewrite) => {
  const codes: (string | undefined)[] = [];
  replacementsOf(payload, 'linalg.exp', (rewriter, operation) => {
    const { status, diagnostics } = rewrite(rewriter, operation);
    codes.push(status, diagnostics[0]?.code);
    return success(undefined);
  });
  expect(codes).toEqual(['silenceable', code]);
});
