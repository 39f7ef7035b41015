/** For testing passes: a structured op outside linalg. Its maps are fixed by the op, so passes must not change them. */
import { dim, makeMap } from '@sconv/affine';
import { structuredInterfaces, structuredViewOf } from '@sconv/dialects/linalg';
import type { Dialect } from '@sconv/ir';
import { anyTensor, anyType, defineOp, one, variadic } from '@sconv/ir';

/** The dialect of `foreign.add_next`: `out[i] += in[i + 1]`. */
export const foreignDialect: Dialect = {
  name: 'foreign',
  operations: [
    defineOp({
      name: 'foreign.add_next',
      summary: 'Adds the elements of a vector, but for the first, to those of another.',
      operands: { input: one(anyType), init: one(anyType) },
      results: { result: variadic(anyTensor) },
      regions: ['body'],
      interfaces: structuredInterfaces((operation) =>
        structuredViewOf(operation, ['parallel'], [makeMap(1, 0, [dim(0).add(1)]), makeMap(1, 0, [dim(0)])]),
      ),
    }),
  ],
};

/** A `foreign.add_next` of four iterations. */
export const foreignPayload = `func.func @f(%in: tensor<5xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "foreign.add_next"(%in, %init) ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }) : (tensor<5xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
`;
