import { dim, makeMap } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { structuredInterfaces, structuredViewOf } from '@sconv/dialects/linalg';
import {
  anyTensor,
  anyType,
  createRegistry,
  defineOp,
  one,
  parseModule,
  tryEdit,
  variadic,
  walk,
} from '@sconv/ir';
import { expect, it } from 'vitest';
import { splitOp } from '../src/index.ts';

/** `out[i] += in[i + 1]`, as an op whose map is its own. */
const addNext = defineOp({
  name: 'my.add_next',
  summary: 'adds the elements behind the first to others',
  operands: { input: one(anyType), init: one(anyType) },
  results: { result: variadic(anyTensor) },
  regions: ['body'],
  interfaces: structuredInterfaces((operation) =>
    structuredViewOf(operation, ['parallel'], [makeMap(1, 0, [dim(0).add(1)]), makeMap(1, 0, [dim(0)])]),
  ),
});

it('a part of a named op that would need another map is refused', () => {
  const registry = createRegistry([...payloadDialects, { name: 'my', operations: [addNext] }]);
  const text = `func.func @f(%in: tensor<5xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "my.add_next"(%in, %init) ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }) : (tensor<5xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`;
  const module = unwrap(parseModule(text, { registry }));
  const operation = [...walk(module.root)].find((each) => addNext.is(each))!;
  const result = tryEdit(module, { registry }, (rewriter) =>
    splitOp(rewriter, rewriter.find(operation), 0, 2),
  );
  expect(result).toMatchObject({ status: 'silenceable', diagnostics: [{ code: 'split/named-map' }] });
});
