import { avx2, derive, sme, tileUnit, wasm } from '@sconv/targets';
import type { Target } from '@sconv/targets';
import { printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import type { FormKernelsOptions } from '../src/index.ts';
import { formed, parse, registry } from './support.ts';

/** The sums of a tile that is allocated, with a further attribute; `strides` of the filters. */
const microkernel = (
  windows: number,
  filters: number,
  attribute = '',
  element = 'f32',
  strides = '',
): string =>
  `func.func @f(%o: memref<1x${filters}x${windows}x${element}>) {
    %a = memref.alloc() : memref<1x8x${windows}x${element}>
    %b = memref.alloc() : memref<8x${filters}x${element}${strides}>
    linalg.generic {indexing_maps = [affine_map<(n, f, w, k) -> (n, k, w)>, affine_map<(n, f, w, k) -> (k, f)>,
        affine_map<(n, f, w, k) -> (n, f, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<1x8x${windows}x${element}>, memref<8x${filters}x${element}${strides}>)
      outs(%o : memref<1x${filters}x${windows}x${element}>) ${attribute} {
      ^bb0(%x: ${element}, %y: ${element}, %z: ${element}):
        %0 = arith.mulf %x, %y : ${element}
        %1 = arith.addf %z, %0 : ${element}
        linalg.yield %1 : ${element}
    }
    return
  }`;

const decided = (text: string): string => `attrs = {sconv.kernel = ${text}}`;

/** The lanes and register tiles of the microkernel, and the warnings. */
const divided = (text: string, target?: Target) => {
  const options: FormKernelsOptions = { unit: { tiles: target && tileUnit(target) } };
  const { module, warnings } = formed(parse(text), options);
  const [, lanes, tiles] =
    /lanes = "(\w+)".*tiles = \[(.*?)\]\}/.exec(printModule(module, { registry })) ?? [];
  return { lanes, tiles: tiles?.replaceAll(/array<i64: (.*?)>/g, '[$1]'), warnings };
};

/** Of 8x4 in one pass, and with at most two filters. */
const slow = derive(wasm, (draft) => {
  draft.speeds!.stepCycles = [
    [2, 3],
    [4, 5],
  ];
});

describe('the register tiles of a microkernel', () => {
  it.each<[string, string, Target | undefined, string, string]>([
    ['one, without a target', microkernel(8, 4), undefined, 'windows', '[0, 8, 0, 4]'],
    ['those that the target is fastest with', microkernel(8, 4), wasm, 'windows', '[0, 8, 0, 4]'],
    [
      'others on a target with other speeds',
      microkernel(8, 4),
      slow,
      'windows',
      '[0, 8, 0, 2], [0, 8, 2, 2]',
    ],
    [
      'of elements twice as large',
      microkernel(8, 4, '', 'f64'),
      wasm,
      'windows',
      '[0, 4, 0, 4], [4, 4, 0, 4]',
    ],
    [
      'with a last window beside others',
      microkernel(25, 8),
      avx2,
      'windows',
      '[0, 24, 0, 3, 24, 1, 0, 8], [0, 24, 3, 3], [0, 24, 6, 2]',
    ],
    ['along the filters of few windows', microkernel(1, 24), avx2, 'filters', '[0, 1, 0, 24]'],
    ['on a matrix unit', microkernel(16, 16), sme, 'both', '[0, 16, 0, 16]'],
    ['on its vector unit for other elements', microkernel(4, 4, '', 'f64'), sme, 'windows', '[0, 4, 0, 4]'],
    [
      'or for filters that are apart',
      microkernel(16, 16, '', 'f32', ', strided<[1, 8]>'),
      sme,
      'windows',
      '[0, 16, 0, 6], [0, 16, 6, 5], [0, 16, 11, 5]',
    ],
  ])('are %s', (_, text, target, lanes, tiles) => {
    expect(divided(text, target)).toEqual({ lanes, tiles, warnings: [] });
  });

  it.each([
    ['tiles', '{tiles = [[0, 8, 0, 1], [0, 8, 1, 3]]}', 'windows', '[0, 8, 0, 1], [0, 8, 1, 3]'],
    ['both', '{lanes = "filters", tiles = [array<i64: 0, 8, 0, 4>]}', 'filters', '[0, 8, 0, 4]'],
    ['lanes', '{lanes = "filters"}', 'filters', '[0, 8, 0, 4]'],
    ['neither', '{unroll = {channels = 2}}', 'windows', '[0, 8, 0, 4]'],
  ])('are what a plan has decided: %s', (_, text, lanes, tiles) => {
    expect(divided(microkernel(8, 4, decided(text)), wasm)).toEqual({ lanes, tiles, warnings: [] });
  });

  it.each([
    ['{tiles = [[0, 8, 0, 3]]}', /do not cover 8 windows of 4 filters once/],
    ['{tiles = [[0, 8, 0, 4.0]]}', /do not cover/],
    ['{tiles = 4}', /do not cover/],
    ['{lanes = "steps"}', /lanes along none of windows, filters, both/],
  ])('are those of the target where %s does not fit', (text, message) => {
    expect(divided(microkernel(8, 4, decided(text)), wasm)).toMatchObject({
      lanes: 'windows',
      tiles: '[0, 8, 0, 4]',
      warnings: [{ severity: 'warning', code: 'kernels/decision', message }],
    });
  });

  it('are made where a kernel has none, and stay where it has some', () => {
    const text = printModule(formed(parse(microkernel(8, 4))).module, { registry });
    const once = divided(text.replace(/lanes = .*?, op/, 'op').replace(/, tiles = \[.*?\]\}/, '}'), slow);
    expect(once.tiles).toBe('[0, 8, 0, 2], [0, 8, 2, 2]');
    expect(divided(text, slow).tiles).toBe('[0, 8, 0, 4]');
  });
});
