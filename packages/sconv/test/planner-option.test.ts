import { describe, expect, it } from 'vitest';
import { main } from '../src/sconv.ts';
import { capture, example, fileWith, payload } from './support/capture.ts';

const planner = example('own-planner/planner.mjs');
const product = `func.func @f(%a: tensor<64x96xf32>, %b: tensor<96x80xf32>, %c: tensor<64x80xf32>) -> tensor<64x80xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x96xf32>, tensor<96x80xf32>) outs(%c : tensor<64x80xf32>) -> tensor<64x80xf32>
  return %0 : tensor<64x80xf32>
}`;

const batch = `func.func @f(%a: tensor<3x12x10xf32>, %b: tensor<3x10x8xf32>, %c: tensor<3x12x8xf32>) -> tensor<3x12x8xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x12x10xf32>, tensor<3x10x8xf32>) outs(%c : tensor<3x12x8xf32>) -> tensor<3x12x8xf32>
  return %0 : tensor<3x12x8xf32>
}`;
const nhwc = `func.func @f(%a: tensor<1x5x4x3xf32>, %b: tensor<1x1x3x8xf32>, %c: tensor<1x5x4x8xf32>) -> tensor<1x5x4x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x5x4x3xf32>, tensor<1x1x3x8xf32>) outs(%c : tensor<1x5x4x8xf32>) -> tensor<1x5x4x8xf32>
  return %0 : tensor<1x5x4x8xf32>
}`;

describe('--planner', () => {
  it('plans what is run', async () => {
    const { code, out } = await capture(main, 'run', fileWith(payload()), '--planner', planner, '--check');
    expect(code).toBe(0);
    expect(out).toMatch(/^plan +loop batch 1 x 1$/m);
    expect(out).toMatch(/^check +all 245 elements/m);
  });

  it.each([
    ['a product', product, '[V j; U (2, j); U (4, i); R k; R j; R i]', 'loop filters 16 x 4'],
    ['each product of a batch', batch, '[R(b), R(i), R(j), R(k), U(i,6), V(j,4)]', 'loop batch 1 x 1'],
    ['NHWC', nhwc, '[R(w), lambda(h; b; [(1,3),(1,2)]), R(c), U(h,b), U(k,2), V(k)]', 'loop columns 4 x 1'],
  ])('plans %s by the scheme of a file', async (_, text, scheme, loop) => {
    const planner = fileWith(scheme, 'own.scheme');
    const { code, out } = await capture(
      main,
      'run',
      fileWith(text),
      '--planner',
      planner,
      '--check',
      '--repeat',
      '1',
    );
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^plan +${loop}$`, 'm'))]);
    expect(out).toMatch(/^check +all \d+ elements/m);
  });

  it('says where a scheme does not fit what is run', async () => {
    const planner = fileWith('[R(k),\n T(h,6)]', 'own.scheme');
    const { code, err } = await capture(main, 'run', fileWith(payload()), '--planner', planner);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/own\.scheme:2:2: error: .* covers 6 of h.*\[scheme\/size\]/),
    ]);
  });

  it('plans what is measured', async () => {
    const words = [fileWith(payload()), '--planner', planner, '--samples', '1'];
    const { code, out } = await capture(main, 'bench', ...words);
    expect([code, out]).toEqual([0, expect.stringContaining('another plan')]);
  });

  it('plans shapes that are measured, beside the analysis', async () => {
    const words = ['--shapes', '1x3x9x9,5x3x3x3', '--peers', 'none', '--planner', planner, '--samples', '1'];
    const { groups } = JSON.parse((await capture(main, 'bench', ...words, '--json')).out) as {
      readonly groups: readonly { readonly rows: readonly { readonly sides: readonly unknown[] }[] }[];
    };
    expect(groups[0]?.rows[0]).toMatchObject({
      failed: [],
      sides: [
        { name: 'sconv', how: expect.stringMatching(/^[IW]S /) as string },
        { name: 'sconv, planner.mjs', how: 'another plan' },
      ],
    });
  });

  it('plans what a schedule is printed for', async () => {
    const { code, out } = await capture(
      main,
      'schedule',
      fileWith(payload()),
      '--planner',
      planner,
      '--short',
    );
    expect([code, out]).toEqual([0, expect.stringContaining('sconv.plan')]);
  });

  it('plans shapes, printed as trees', async () => {
    const words = ['1x3x9x9,5x3x3x3', '--target', 'wasm', '--planner', planner];
    const text = await capture(main, 'csa', ...words);
    expect([text.code, text.out]).toEqual([
      0,
      expect.stringMatching(/^1x3x9x9,5x3x3x3:\nloop batch 1 x 1\n/),
    ]);
    const json = await capture(main, 'csa', ...words, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ plans: [{ tree: { kind: 'loop', dimension: 'batch' } }] });
  });

  const file = (text: string): string => fileWith(text, 'planner.mjs');

  it.each([
    ['no file', () => 'nowhere.mjs', 'planner/not-found'],
    ['a module that does not parse', () => file('export default ('), 'planner/cannot-load'],
    ['a module that throws', () => file('throw new Error("not today");'), 'planner/cannot-load'],
    ['a module without default export', () => file('export const planner = 1;'), 'planner/no-planner'],
    [
      'a default export that is no function',
      () => file('export default Promise.resolve();'),
      'planner/no-planner',
    ],
    ['a planner that throws', () => file('export default () => { throw "no plan"; };'), 'planner/threw'],
    ['a planner that promises', () => file('export default async () => {};'), 'sconv/plan'],
    [
      'a planner without plan',
      () => file('export default () => ({ status: "success", value: {}, diagnostics: [] });'),
      'sconv/plan',
    ],
    [
      'a plan of something else',
      () =>
        file(
          'export default () => ({ status: "success", diagnostics: [], value: { tree: { kind: "loop" } } });',
        ),
      'sconv/plan',
    ],
  ])('fails in words with %s', async (_, path, code) => {
    for (const words of [
      ['run', fileWith(payload())],
      ['csa', '1x3x9x9,5x3x3x3'],
    ]) {
      const result = await capture(main, ...(words as [string, string]), '--planner', path());
      expect(result).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`[${code}]`) as string });
    }
  });

  it('says where there is no code for a plan: a product has neither rows nor columns', async () => {
    const { code, err } = await capture(main, 'run', fileWith(product), '--planner', planner);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/input\.mlir:2:8: error: .*a matrix product has windows, .*\[sconv\/plan\]/),
    ]);
  });

  it.each([
    ['run', 'a.mlir', '--schedule', 'b.mlir'],
    ['run', 'a.mlir', '--edges', 'small'],
    ['bench', 'a.mlir', '--schedule', 'b.mlir'],
    ['schedule', 'a.mlir', '--edges', 'small'],
    ['csa', '1x3x9x9,5x3x3x3', '--heuristic', 'halving'],
    ['csa', '--shapes', 'a.csv'],
  ])('does not go with what it makes void: %s %s %s', async (...words) => {
    expect(await capture(main, ...words, '--planner', planner)).toMatchObject({ code: 2, out: '' });
  });
});

it('reports a matrix product by its own sizes', async () => {
  const path = fileWith(product);
  const text = await capture(main, 'run', path);
  expect(text.out).toMatch(/^product +m 64, n 80, k 96$/m);
  const { convolutions } = JSON.parse((await capture(main, 'run', path, '--json')).out) as {
    readonly convolutions: readonly unknown[];
  };
  expect(convolutions).toMatchObject([{ product: { m: 64, n: 80, k: 96 } }]);
});
