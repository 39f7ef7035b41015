import { unwrap } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import { parseModule, printModule, walk } from '@sconv/ir';
import { csaPlanner } from '@sconv/csa';
import { firstDifference } from '@sconv/interpreter/testing';
import { planPaths } from '@sconv/plans';
import { target as targetNamed, wasm, zen4 } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { compileModuleSync } from '../src/compile-module.ts';
import { defaultRegistry } from '../src/default-registry.ts';
import { convolutionsOf, targetSchedule } from '../src/target-schedule.ts';

const product = (sizes: string, name = 'f'): string => {
  const [m, n, k] = sizes.split('x');
  const [a, b, c] = [`tensor<${m}x${k}xf32>`, `tensor<${k}x${n}xf32>`, `tensor<${m}x${n}xf32>`];
  return `func.func @${name}(%a: ${a}, %b: ${b}, %c: ${c}) -> ${c} {
  %0 = linalg.matmul ins(%a, %b : ${a}, ${b}) outs(%c : ${c}) -> ${c}
  return %0 : ${c}
}
`;
};

const parse = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry }));

describe('the products that a target slices', () => {
  // Rows, columns, and what is summed up.
  it.each([
    ['64x64x64', true],
    ['64x64x63', false],
    ['49x512x512', true],
    ['32x1000x1000', true],
    ['1000x32x1000', true],
    ['16x256x256', false],
    ['1000x8x1000', false],
    ['1x1000x2048', false],
    ['1000x1x2048', false],
    // The second operand has 8 MB.
    ['3x1000x2048', false],
    ['4x1000x2048', true],
    ['?x512x512', false],
  ])('%s: %s', (sizes, isSliced) => {
    expect(convolutionsOf(parse(product(sizes)), wasm)).toHaveLength(isSliced ? 1 : 0);
  });

  it('are planned, with others in the same module left as they are', () => {
    const module = parse(product('8x8x8', 'small') + product('64x64x64', 'large') + product('4x4x4', 'tiny'));
    const schedule = unwrap(targetSchedule(module, wasm));
    expect(schedule.plans.map(({ operation, plan }) => [operation.name, plan.shape.filters])).toEqual([
      ['linalg.matmul', 64],
    ]);
    const { module: after } = unwrap(schedule.run(module, { registry: defaultRegistry }));
    expect([...walk(after.root)].filter(({ name }) => name === 'linalg.matmul')).toHaveLength(2);
  });
});

describe('a product whose second operand stays in L2', () => {
  const batch = `func.func @f(%a: tensor<5x64x70xf32>, %b: tensor<5x70x64xf32>, %c: tensor<5x64x64xf32>) -> tensor<5x64x64xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<5x64x70xf32>, tensor<5x70x64xf32>) outs(%c : tensor<5x64x64xf32>) -> tensor<5x64x64xf32>
  return %0 : tensor<5x64x64xf32>
}`;
  const withSum = product('128x64x96').replace(
    'return %0',
    `%1 = linalg.add ins(%0, %c : tensor<128x64xf32>, tensor<128x64xf32>) outs(%c : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %1`,
  );
  const narrow = `func.func @f(%a: tensor<96x96xf16>, %b: tensor<96x96xf16>, %c: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<96x96xf16>, tensor<96x96xf16>) outs(%c : tensor<96x96xf32>) -> tensor<96x96xf32>
  return %0 : tensor<96x96xf32>
}`;
  const transposed = product('96x96x96').replace('linalg.matmul', 'linalg.matmul_transpose_b');

  it.each([
    ['zen4', product('512x49x256'), {}, 0],
    ['neon', product('96x96x96'), {}, 0],
    ['zen4', batch, {}, 0],
    ['zen4', product('96x96x96').replace('linalg.matmul', 'linalg.matmul_transpose_a'), {}, 0],
    // Nine megabytes, matrix units, columns that are apart, elements to extend, something to fuse.
    ['zen4', product('128x3072x768'), {}, 1],
    ['mma', product('96x96x96'), {}, 1],
    ['wasm', product('96x96x96'), {}, 1],
    ['zen4', transposed, {}, 1],
    ['zen4', narrow, {}, 1],
    ['zen4', withSum, {}, 1],
    // Something asked of the plan.
    ['zen4', product('96x96x96'), { edges: 'small' }, 1],
    ['zen4', product('96x96x96'), { schedule: 'is' }, 1],
    ['zen4', product('96x96x96'), { planner: csaPlanner() }, 1],
  ] as const)('is computed there natively: %s, case %#', (name, text, planning, plans) => {
    expect(unwrap(targetSchedule(parse(text), targetNamed(name), planning)).plans).toHaveLength(plans);
  });

  it('is distributed over threads', () => {
    const distributed = (text: string, threads: number) => {
      const module = parse(text);
      const schedule = unwrap(targetSchedule(module, zen4, { threads }));
      expect(schedule.plans).toEqual([]);
      const { module: after } = unwrap(schedule.run(module, { registry: defaultRegistry }));
      const loops = [...walk(after.root)].filter(({ name }) => name === 'scf.forall');
      return { module, after, loops: loops.length };
    };
    expect(distributed(product('260x512x384'), 2).loops).toBe(1);
    const { module, after, loops } = distributed(batch, 2);
    expect(loops).toBe(1);
    expect(firstDifference(module, after)).toBeUndefined();
  });

  it('leaves no few columns to tiles that pack all rows again', () => {
    const [planned] = unwrap(targetSchedule(parse(product('512x289x1024')), zen4)).plans;
    const lanes = planPaths(planned!.plan.tree).map(({ leaf }) => leaf.kind === 'kernel' && leaf.lanes);
    expect(new Set(lanes)).toEqual(new Set(['windows']));
  });
});

describe('a product of few rows', () => {
  it.each([
    ['1x512x1024', 64],
    ['3x600x720', 48],
    // No number of rows divides them, the second operand fits into L2, there is too little to gain.
    ['1x600x1021', undefined],
    ['1x512x256', undefined],
    ['2x59x65536', undefined],
  ])('reads rows of its second operand in order: %s', (sizes, rows) => {
    const module = parse(product(sizes));
    const { stages, plans, ...compiled } = unwrap(compileModuleSync(module));
    expect(plans).toEqual([]);
    const printed = printModule(stages.scheduled, { registry: defaultRegistry });
    expect(/scf\.for .* step %(c\d+)/.exec(printed)?.[1]).toBe(rows === undefined ? undefined : `c${rows}`);
    const [m, n, k] = sizes.split('x').map(Number) as [number, number, number];
    const [a, b] = [integerData(m * k, 1), integerData(k * n, 2)];
    const [sums] = compiled.run('f', a, b, new Float32Array(m * n));
    const first = Array.from({ length: k }, (_, i) => a[i]! * b[i * n + 5]!).reduce((x, y) => x + y, 0);
    expect((sums as Float32Array)[5]).toBe(first);
    compiled.dispose();
  });
});
