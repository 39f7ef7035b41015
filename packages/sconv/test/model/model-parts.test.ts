/** A function in parts, which compute what the whole does. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { avx2 } from '@sconv/targets';
import { withChosenLayouts } from '../../src/choose-layouts.ts';
import { compileModule, defaultRegistry, integerData } from '../../src/index.ts';
import { partsOf } from '../../src/model/model-parts.ts';
import { profileModel } from '../../src/model/profile-model.ts';
import { runParts } from '../../src/model/run-parts.ts';

const [x, w] = ['tensor<1x4x8x8xf32>', 'tensor<4x4x3x3xf32>'];
const id = 'affine_map<(n, c, h, w) -> (n, c, h, w)>';
/** `%p` and a name: an image with a row and a column of zeros on each side. */
const padded = (name: string, from: string, image: string, type: string): string => `
  %p${name} = tensor.pad ${from} low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i${name}: index, %j${name}: index, %k${name}: index, %l${name}: index):
    tensor.yield %zero : f32
  } : ${image} to ${type} loc("${name}")`;
const convolution = (name: string, from: string): string => `
  ${padded(name, from, x, 'tensor<1x4x10x10xf32>')}
  %b${name} = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : ${x}) dimensions = [0, 2, 3] loc("${name}")
  %c${name} = linalg.conv_2d_nchw_fchw ins(%p${name}, %w : tensor<1x4x10x10xf32>, ${w}) outs(%b${name} : ${x}) -> ${x} loc("${name}")`;
const elementwise = (name: string, op: string, a: string, b: string): string => `
  %${name} = linalg.generic {indexing_maps = [${id}, ${id}, ${id}], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(${a}, ${b} : ${x}, ${x}) outs(%e : ${x}) {
  ^bb0(%s: f32, %t: f32, %u: f32):
    %v = arith.${op} %s, %t : f32
    linalg.yield %v : f32
  } -> ${x} loc("${name}")`;

/** Two convolutions and a residual; the maximum of it and the first, and a view of that are returned. */
const module = unwrap(
  parseModule(
    `func.func @main(%x: ${x}, %w: ${w}, %bias: tensor<4xf32>) -> (${x}, tensor<256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : ${x}
  ${convolution('first', '%x')}
  ${convolution('second', '%cfirst')}
  ${elementwise('sum', 'addf', '%csecond', '%x')}
  ${elementwise('most', 'maximumf', '%sum', '%cfirst')}
  %flat = tensor.collapse_shape %most [[0, 1, 2, 3]] : ${x} into tensor<256xf32> loc("flat")
  return %most, %flat : ${x}, tensor<256xf32>
}`,
    { registry: defaultRegistry },
  ),
);
const given = [256, 144, 4].map((length, i) => integerData(length, i + 1));

it('are loop nests with what is fused with them', () => {
  const { parts, results } = partsOf(module, 'main', defaultRegistry);
  expect(parts.map(({ nodes, operations }) => [nodes, operations])).toEqual([
    [['first'], ['conv_2d_nchw_fchw', 'generic']],
    [
      ['second', 'sum', 'most'],
      ['conv_2d_nchw_fchw', 'generic'],
    ],
    [['flat'], ['tensor.collapse_shape']],
  ]);
  expect(parts.map(({ inputs }) => inputs)).toEqual([[0, 1, 2], [3, 1, 2, 0], [4]]);
  expect(results).toEqual([4, 5]);
});

it('compute what the whole does', async () => {
  const whole = unwrap(await compileModule(module));
  const expected = whole.run('main', ...given).map((value) => [...(value as Float32Array)]);
  const parts = partsOf(module, 'main', defaultRegistry);
  const compiled = unwrap(await compileModule(parts.module));
  const results = unwrap(await runParts(compiled, parts, given, ({ call }) => Promise.resolve(call())));
  expect(results.map((value) => [...(value as Float32Array)])).toEqual(expected);
  for (const each of [whole, compiled]) each.dispose();
});

it('are timed, with what they compute and move', async () => {
  const parts = unwrap(await profileModel(module, 'main', given, 1, {}));
  const convolved = 4 * 64 * 4 * 9;
  expect(parts.map(({ multiplyAdds, bytes }) => [multiplyAdds, bytes])).toEqual([
    [convolved, 4 * (256 + 144 + 4 + 256)],
    [convolved, 4 * (256 + 144 + 4 + 256 + 256)],
    [0, 4 * (256 + 256)],
  ]);
  for (const { seconds, bound } of parts) {
    expect(seconds).toBeGreaterThan(0);
    expect(bound.seconds).toBeGreaterThan(0);
  }
});

it('are of chosen layouts, weights packed beforehand', async () => {
  const [image, filters] = ['tensor<1x16x14x14xf32>', 'tensor<16x16x3x3xf32>'];
  const whole = 'tensor<1x16x16x16xf32>';
  const layer = (name: string, input: string): string => `
  ${padded(name, input, image, whole)}
  %${name} = linalg.conv_2d_nchw_fchw ins(%p${name}, %w : ${whole}, ${filters}) outs(%e : ${image}) -> ${image} loc("${name}")`;
  const network = unwrap(
    parseModule(
      `func.func @main(%x: ${image}) -> ${image} {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : ${filters}
  %empty = tensor.empty() : ${image}
  %e = linalg.fill ins(%zero : f32) outs(%empty : ${image}) -> ${image}
  ${layer('first', '%x')}
  ${layer('second', '%first')}
  return %second : ${image}
}`,
      { registry: defaultRegistry },
    ),
  );
  const laidOut = unwrap(withChosenLayouts(network, avx2, defaultRegistry));
  const { parts } = partsOf(laidOut, 'main', defaultRegistry);
  expect(parts.map(({ operations }) => operations)).toEqual([
    ['transpose'],
    ['generic'],
    ['generic'],
    ['transpose'],
    ['copy'],
  ]);
  const timed = await profileModel(network, 'main', [integerData(16 * 196, 1)], 1, { layouts: 'chosen' });
  expect(unwrap(timed).every(({ seconds }) => seconds > 0)).toBe(true);
});
