import { csaPlanner } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import type { ContractionEpilogue } from '@sconv/plans';
import { wasm } from '@sconv/targets';
import { expect, it } from 'vitest';
import { defaultRegistry } from '../src/default-registry.ts';
import { targetSchedule } from '../src/target-schedule.ts';

const type = 'tensor<8x12xf32>';
const maps = (...results: readonly string[]): string =>
  `{indexing_maps = [${results.map((each) => `affine_map<(a, b) -> (${each})>`).join(', ')}], iterator_types = ["parallel", "parallel"]}`;
const bias = `%1 = linalg.generic ${maps('a, b', 'b', 'a, b')} ins(%0, %bias : ${type}, tensor<12xf32>) outs(%c : ${type}) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %sum = arith.addf %x, %y : f32
    %max = arith.maximumf %sum, %zero : f32
    linalg.yield %max : f32
  } -> ${type}`;
const residual = `%2 = linalg.add ins(%1, %r : ${type}, ${type}) outs(%c : ${type}) -> ${type}`;

const epilogueSeen = (ops: string, result: string): ContractionEpilogue | undefined => {
  const seen: (ContractionEpilogue | undefined)[] = [];
  const module = unwrap(
    parseModule(
      `func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x12xf32>, %c: ${type}, %bias: tensor<12xf32>, %r: ${type}) -> ${type} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x12xf32>) outs(%c : ${type}) -> ${type}
  ${ops}
  return ${result} : ${type}
}`,
      { registry: defaultRegistry },
    ),
  );
  const planner: ReturnType<typeof csaPlanner> = (problem, kernels) => {
    seen.push(problem.epilogue);
    return csaPlanner()(problem, kernels);
  };
  unwrap(targetSchedule(module, wasm, { planner, registry: defaultRegistry }));
  expect(seen).toHaveLength(1);
  return seen[0];
};

it.each([
  ['nothing', '', '%0', undefined],
  [
    'a bias and an activation',
    bias,
    '%1',
    { operations: ['arith.addf', 'arith.maximumf'], operands: 1, bytes: 0.5 },
  ],
  [
    'these, and a residual',
    `${bias}\n${residual}`,
    '%2',
    { operations: ['arith.addf', 'arith.maximumf', 'arith.addf'], operands: 2, bytes: 4.5 },
  ],
])('a planner sees what is fused after a product: %s', (_, ops, result, expected) => {
  expect(epilogueSeen(ops, result)).toEqual(expected);
});
