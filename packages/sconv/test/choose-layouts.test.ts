/** Layouts of a network's convolutions, chosen: in blocks where that pays, exact, and packed once for neighbours. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { avx2 } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { inChosenLayouts, withChosenLayouts } from '../src/choose-layouts.ts';
import { defaultRegistry as registry } from '../src/default-registry.ts';
import { compileModule } from '../src/index.ts';

/** Three padded convolutions of nine taps, an activation, a sum with what came before, and a concatenation. */
const network = (channels: number, side: number): string => {
  const image = `tensor<1x${channels}x${side}x${side}xf32>`;
  const filters = `tensor<${channels}x${channels}x3x3xf32>`;
  const both = `tensor<1x${2 * channels}x${side}x${side}xf32>`;
  const padded = `tensor<1x${channels}x${side + 2}x${side + 2}xf32>`;
  const convolution = (name: string, input: string) => `
  %p${name} = tensor.pad ${input} low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : ${image} to ${padded}
  %s${name} = linalg.fill ins(%zero : f32) outs(%e : ${image}) -> ${image}
  %${name} = linalg.conv_2d_nchw_fchw ins(%p${name}, %k : ${padded}, ${filters})
    outs(%s${name} : ${image}) -> ${image}`;
  const insert = (name: string, source: string, dest: string, at: number) => `
  %${name} = tensor.insert_slice ${source} into ${dest}[0, ${at}, 0, 0]
    [1, ${channels}, ${side}, ${side}] [1, 1, 1, 1] : ${image} into ${both}`;
  return `
#map = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @f(%x: ${image}, %k: ${filters}) -> ${both} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : ${image}${convolution('a', '%x')}
  %b = linalg.generic {indexing_maps = [#map, #map], 
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : ${image}) outs(%e : ${image}) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> ${image}${convolution('c', '%b')}
  %d = linalg.add ins(%c, %b : ${image}, ${image}) outs(%e : ${image}) -> ${image}${convolution('g', '%d')}
  %w = tensor.empty() : ${both}${insert('h', '%d', '%w', 0)}${insert('i', '%g', '%h', channels)}
  return %i : ${both}
}`;
};

const read = (text: string) => unwrap(parseModule(text, { registry }));
const chosenText = (text: string): string =>
  printModule(unwrap(withChosenLayouts(read(text), avx2, registry)), { registry });
const count = (text: string, word: string): number => text.split(word).length - 1;

describe('chosen layouts', () => {
  it('of neighbours are packed once, and unpacked once', () => {
    const text = chosenText(network(32, 14));
    expect(count(text, 'linalg.conv_2d_nchw_fchw')).toBe(0);
    // Of the image: into blocks, and at the end back; the others are of the filters.
    const transposed = [...text.matchAll(/linalg\.transpose ins\(%\w+ : tensor<1x(\S+)xf32>/g)];
    expect(transposed.map(([, shape]) => shape)).toEqual(['4x8x14x14', '8x14x14x8']);
  });

  it('leave few channels of an image where they are', () => {
    const image = 'tensor<1x3x29x29xf32>';
    const [between, result] = ['tensor<1x32x14x14xf32>', 'tensor<1x32x12x12xf32>'];
    const [first, second] = ['tensor<32x3x3x3xf32>', 'tensor<32x32x3x3xf32>'];
    const text = chosenText(`
func.func @f(%x: ${image}, %k: ${first}, %l: ${second}, %y: ${between}, %z: ${result}) -> ${result} {
  %a = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %k : ${image}, ${first})
    outs(%y : ${between}) -> ${between}
  %b = linalg.conv_2d_nchw_fchw ins(%a, %l : ${between}, ${second}) outs(%z : ${result}) -> ${result}
  return %b : ${result}
}`);
    expect(count(text, 'linalg.conv_2d_nchw_fchw')).toBe(0);
    expect(text).toMatch(
      /linalg\.generic .* ins\(%arg0, %\w+ : tensor<1x3x29x29xf32>, tensor<4x3x3x3x8xf32>\)/,
    );
  });

  it('leave a module as it is where none pays', () => {
    // Few filters cannot fill vectors: a block is read for a single one of them.
    const module = read(network(1, 6));
    expect(unwrap(withChosenLayouts(module, avx2, registry))).toBe(module);
  });

  it('compute the same', async () => {
    const [channels, side] = [32, 14];
    const elements = (length: number) => Float32Array.from({ length }, (_, i) => ((i * 7) % 5) - 2);
    const outputs = [];
    const given = read(network(channels, side));
    const laidOut = unwrap(withChosenLayouts(given, avx2, registry));
    const options = [{}, { layouts: 'chosen' }, { schedule: inChosenLayouts }] as const;
    for (const [i, module] of [given, given, laidOut].entries()) {
      const compiled = unwrap(await compileModule(module, options[i]));
      const [output] = compiled.run('f', elements(channels * side * side), elements(9 * channels * channels));
      const { scheduled } = compiled.stages;
      expect(printModule(scheduled, { registry }).includes('sconv.kernel')).toBe(module === laidOut);
      outputs.push([...(output as Float32Array)]);
      compiled.dispose();
    }
    expect(outputs[2]).toEqual(outputs[0]);
    expect(outputs[1]).toEqual(outputs[0]);
  });

  it.each([
    [{ layouts: 'best' as never }, "'layouts': "],
    [{ layouts: 'chosen', schedule: 'is' } as const, "'layouts' is for the target's own schedule"],
  ])('are refused: %j', async (options, message) => {
    const refused = await compileModule(read(network(8, 4)), options);
    expect(refused.diagnostics[0]).toMatchObject({
      code: 'sconv/option',
      message: expect.stringContaining(message) as string,
    });
  });
});
