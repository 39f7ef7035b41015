import { success, unwrap } from '@sconv/diagnostics';
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

  it.each([
    ['zen4', 'matvec 256x256 256 256', true],
    ['neon', 'matmul_transpose_b 1x512 256x512 1x256', true],
    ['zen4', 'matmul_transpose_b 3x512 256x512 3x256', true],
    ['wasm', 'matmul_transpose_b 3x512 256x512 3x256', true],
    // Few multiply-adds, few columns, columns that are read side by side as they are.
    ['zen4', 'matmul_transpose_b 1x64 64x64 1x64', false],
    ['zen4', 'matmul_transpose_b 3x4096 32x4096 3x32', false],
    ['zen4', 'matmul 3x512 512x256 3x256', false],
  ])('%s, columns that lie apart: %s: %s', (name, types, isSliced) => {
    expect(convolutionsOf(parse(contraction(types)), targetNamed(name))).toHaveLength(isSliced ? 1 : 0);
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
    const lanes = planPaths<string>(planned!.plan.tree).map(
      ({ leaf }) => leaf.kind === 'kernel' && leaf.lanes,
    );
    expect(new Set(lanes)).toEqual(new Set(['windows']));
  });
});

/** A `linalg.generic` that multiplies and adds; or a named op, without maps. */
const contraction = (types: string, maps?: string, iterators = ''): string => {
  const [name, ...shapes] = types.split(' ');
  const [a, b, c] = shapes.map((shape) => `tensor<${shape}xf32>`);
  const how = `ins(%a, %b : ${a!}, ${b!}) outs(%c : ${c!})`;
  const attributes = `{indexing_maps = [${(maps ?? '')
    .split(' ; ')
    .map((map) => `affine_map<${map}>`)
    .join(
      ', ',
    )}], iterator_types = [${Array.from(iterators, (each) => (each === 'p' ? '"parallel"' : '"reduction"')).join(', ')}]}`;
  const body = `{
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  }`;
  return `func.func @f(%a: ${a!}, %b: ${b!}, %c: ${c!}) -> ${c!} {
  %0 = linalg.${name!} ${maps === undefined ? how : `${attributes} ${how} ${body}`} -> ${c!}
  return %0 : ${c!}
}
`;
};

describe('the other contractions that a target slices', () => {
  it.each([
    ['mmt4d 32x256x8x1 32x256x8x1 32x32x8x8', true],
    ['mmt4d 2x4x8x1 2x4x8x1 2x2x8x8', false],
    ['batch_reduce_matmul 4x128x128 4x128x128 128x128', true],
    ['matvec 256x256 256 256', true],
    ['matvec 64x64 64 64', false],
    ['batch_matvec 8x256x256 8x256 8x256', true],
    ['vecmat 1024 1024x1024 1024', false],
    ['conv_1d_nwc_wcf 1x130x64 3x64x64 1x128x64', true],
    ['conv_1d_nwc_wcf 1x18x8 3x8x8 1x16x8', false],
  ])('%s: %s', (types, isSliced) => {
    expect(convolutionsOf(parse(contraction(types)), wasm)).toHaveLength(isSliced ? 1 : 0);
  });

  it.each([
    [
      '(a, b, d, c) -> (a, b, c) ; (a, b, d, c) -> (c, d) ; (a, b, d, c) -> (a, b, d)',
      'pppr',
      '8x16x64 64x64 8x16x64',
      true,
    ],
    ['(i, k, j) -> (i, j) ; (i, k, j) -> (k, j) ; (i, k, j) -> (i, k)', 'ppr', '64x64 64x64 64x64', true],
    // Heads between rows and columns: as many products.
    [
      '(h, q, k, d) -> (q, h, d) ; (h, q, k, d) -> (k, h, d) ; (h, q, k, d) -> (h, q, k)',
      'pppr',
      '64x4x64 64x4x64 4x64x64',
      true,
    ],
    // Sums over so little that transposing the result costs more.
    [
      '(a, b, c, d, k) -> (a, b, k) ; (a, b, c, d, k) -> (c, d, k) ; (a, b, c, d, k) -> (a, c, b, d)',
      'ppppr',
      '16x16x2 16x16x2 16x16x16x16',
      false,
    ],
  ])('%s: %s of %s: %s', (maps, iterators, types, isSliced) => {
    const text = contraction(`generic ${types}`, maps, iterators);
    expect(convolutionsOf(parse(text), wasm)).toHaveLength(isSliced ? 1 : 0);
  });

  it('asks a planner for each, and leaves those as they are that it gives one scalar leaf', () => {
    const asked: number[] = [];
    const module = parse(contraction('matvec 6x5 5 6') + product('8x8x8', 'small'));
    const schedule = unwrap(
      targetSchedule(module, wasm, {
        planner: ({ dimensions }) => {
          const [batch, group, filters, rows, columns, channels] = dimensions.map(({ extent }) => extent);
          asked.push(filters!);
          const extents = {
            batch: batch!,
            group: group!,
            filters: filters!,
            windows: rows! * columns!,
            channels: channels!,
          };
          return success({ tree: { kind: 'scalar', extents } });
        },
      }),
    );
    expect(asked).toEqual([1, 8]);
    expect(schedule.plans).toEqual([]);
    const { module: after } = unwrap(schedule.run(module, { registry: defaultRegistry }));
    expect([...walk(after.root)].map(({ name }) => name)).toEqual(
      expect.arrayContaining(['linalg.matvec', 'linalg.matmul']),
    );
  });
});

describe('a product of few rows', () => {
  it('of which a vector is one', () => {
    const { stages } = unwrap(compileModuleSync(parse(contraction('vecmat 1024 1024x512 512'))));
    const printed = printModule(stages.scheduled, { registry: defaultRegistry });
    expect(/scf\.for .* step %(c\d+)/.exec(printed)?.[1]).toBe('c8');
  });

  it('reads few rows at once natively, too', () => {
    const module = parse(product('1x512x1024'));
    const { module: after } = unwrap(
      unwrap(targetSchedule(module, zen4)).run(module, { registry: defaultRegistry }),
    );
    expect(printModule(after, { registry: defaultRegistry })).toContain('tensor<8x512xf32>');
  });

  it.each([
    ['1x512x1024', 8],
    ['1x512x252', 7],
    ['3x600x720', 48],
    // No number of rows divides them, the second operand fits into L2, there is too little to gain.
    ['1x600x1021', undefined],
    ['1x512x254', undefined],
    ['2x512x256', undefined],
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
