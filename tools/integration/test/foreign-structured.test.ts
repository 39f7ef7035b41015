/** A structured op of another dialect goes through everything that linalg's ops go through, providing only its view. */
import { dim, makeMap } from '@sconv/affine';
import { bufferizable, structuredModel } from '@sconv/bufferization';
import { unwrap } from '@sconv/diagnostics';
import type { StructuredView } from '@sconv/dialects/linalg';
import { structuredInterfaces, structuredViewOf } from '@sconv/dialects/linalg';
import type { TensorValue } from '@sconv/interpreter';
import { elementsOf, interpret, structuredHandler, tensor } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import {
  anyTensor,
  anyType,
  attach,
  defineOp,
  extendRegistry,
  one,
  parseModule,
  variadic,
  walk,
} from '@sconv/ir';
import { structuredLowering, wasmLowering } from '@sconv/wasm/lowering';
import { runSchedule } from '@sconv/transform';
import { compileModuleSync, defaultRegistry } from 'sconv';
import { expect, it } from 'vitest';

/** `out[i][j] += in[j][i]`. */
const view: StructuredView = (operation) =>
  structuredViewOf(
    operation,
    ['parallel', 'parallel'],
    [makeMap(2, 0, [dim(1), dim(0)]), makeMap(2, 0, [dim(0), dim(1)])],
  );

const addTransposed = defineOp({
  name: 'my.add_transposed',
  summary: 'adds the transpose of a matrix to another',
  operands: { input: one(anyType), init: one(anyType) },
  results: { result: variadic(anyTensor) },
  regions: ['body'],
  interfaces: structuredInterfaces(view),
});

const registry = extendRegistry(
  defaultRegistry,
  [{ name: 'my', operations: [addTransposed] }],
  [
    attach(bufferizable, addTransposed.name, structuredModel(view)),
    attach(wasmLowering, addTransposed.name, structuredLowering(view)),
  ],
);

const payload = unwrap(
  parseModule(
    `func.func @f(%in: tensor<3x4xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = "my.add_transposed"(%in, %init) ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }) : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}`,
    { registry },
  ),
);

const input = Float32Array.from({ length: 12 }, (_, i) => i + 1);
const init = Float32Array.from({ length: 12 }, (_, i) => 100 * i);
const expected = init.map((value, i) => value + input[(i % 3) * 4 + Math.floor(i / 3)]!);

const interpreted = (module: Module): Float32Array => {
  const handlers = { [addTransposed.name]: structuredHandler(view) };
  const values = [tensor([3, 4], input), tensor([4, 3], init)];
  const [result] = unwrap(interpret(module, 'f', values, { handlers }));
  return elementsOf(result as TensorValue) as Float32Array;
};

const script = unwrap(
  parseModule(
    `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %op : (!transform.any_op) -> !transform.op<"linalg.generic">
    %low, %high = transform.structured.split %generic after 1 {dimension = 0} : !transform.op<"linalg.generic">
    transform.yield
  }
}`,
    { registry },
  ),
);

it('is interpreted', () => {
  expect(interpreted(payload)).toEqual(expected);
});

it('runs on wasm, bufferized in place', () => {
  const artifact = unwrap(compileModuleSync(payload, { registry }));
  const result = init.slice();
  expect(artifact.run('f', input, result)).toEqual([result]);
  expect(result).toEqual(expected);
});

it('is matched by its interface, generalized and split', () => {
  const { module } = unwrap(runSchedule(script, payload, { registry }));
  const names = [...walk(module.root)].map(({ name }) => name);
  expect(names.filter((name) => name === 'linalg.generic')).toHaveLength(2);
  expect(names).not.toContain('my.add_transposed');
  expect(interpreted(module)).toEqual(expected);
});
