import { csaPlanner } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import type { ContractionEpilogue } from '@sconv/plans';
import { wasm } from '@sconv/targets';
import { expect, it } from 'vitest';
import { compileModuleSync } from '../src/compile-module.ts';
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

it.each([
  ['d', 64, []],
  // The loops count rows of two dimensions as one.
  ['b', 16, ['fuse-epilogue/reshape']],
])(
  'a bias along %s follows a contraction into its loops, or stays behind with a warning',
  (along, size, codes) => {
    const rows = 'tensor<8x16x64xf32>';
    const row = 'affine_map<(a, b, d) -> (a, b, d)>';
    const module = parseModule(
      `func.func @f(%a: ${rows}, %w: tensor<64x64xf32>, %c: ${rows}, %bias: tensor<${size}xf32>) -> ${rows} {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, d, c) -> (a, b, c)>, affine_map<(a, b, d, c) -> (c, d)>, affine_map<(a, b, d, c) -> (a, b, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %w : ${rows}, tensor<64x64xf32>) outs(%c : ${rows}) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> ${rows}
  %1 = linalg.generic {indexing_maps = [${row}, affine_map<(a, b, d) -> (${along})>, ${row}], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %bias : ${rows}, tensor<${size}xf32>) outs(%c : ${rows}) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> ${rows}
  return %1 : ${rows}
}`,
      { registry: defaultRegistry },
    );
    const compiled = compileModuleSync(unwrap(module));
    expect(compiled.diagnostics.map(({ code }) => code)).toEqual(codes);
    expect(unwrap(compiled).plans).toHaveLength(1);
  },
);
