import { avx512, wasm, zen4 } from '@sconv/targets';
import { expect, it } from 'vitest';
import type { ConvolutionElement } from '../src/index.ts';
import {
  compileModuleSync,
  convolutionPayload,
  defaultRegistry,
  schedule,
  sconv,
  unwrap,
} from '../src/index.ts';
import { schedulePayload } from '../src/schedule-payload.ts';
import { slowTiles } from '../src/slow-tiles.ts';

const slicing = (mkInfo: readonly [number, number]) =>
  schedule(($) => {
    sconv({ target: $.match('linalg.conv_2d_nchw_fchw') }, { mkInfo });
  });
const payload = (elementType: ConvolutionElement = 'f32') =>
  convolutionPayload({ input: [1, 8, 20, 20], filters: [16, 8, 3, 3], elementType });

it.each([
  [
    'of half a vector',
    [8, 4],
    zen4,
    'f32',
    [
      "a microkernel of 8x4 runs at about 49 % of the speed of 48x8, which suits 'zen4' best: mk_info = [48, 8]",
    ],
  ],
  ['of the target', [48, 8], zen4, 'f32', []],
  ['as fast as it', [16, 8], zen4, 'f32', []],
  ['without measured speeds', [8, 4], avx512, 'f32', []],
  ['of other elements than those measured', [8, 4], zen4, 'i8', []],
] as const)('warns of a tile that is slow on the target: %s', (_, mkInfo, target, element, messages) => {
  const scheduling = { target, schedule: slicing(mkInfo) };
  const { plans } = unwrap(schedulePayload(payload(element), scheduling, { registry: defaultRegistry }));
  expect(plans).toHaveLength(1);
  expect(slowTiles(plans, target).map(({ message }) => message)).toEqual(messages);
});

it('is said by the compilation with a given schedule', () => {
  const { diagnostics } = compileModuleSync(payload(), { target: wasm, schedule: slicing([1, 1]) });
  expect(diagnostics.map(({ code }) => code)).toContain('sconv/slow-tile');
});
