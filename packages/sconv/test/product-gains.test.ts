import { unwrap } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import { parseModule, printModule, walk } from '@sconv/ir';
import { wasm } from '@sconv/targets';
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
