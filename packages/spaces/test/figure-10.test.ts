import { contractionOf, parseShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { parseScheme, schemeProblems } from '@sconv/schemes';
import type { KernelClass, KernelFamily } from '@sconv/targets';
import { expect, it } from 'vitest';
import { schemeSpace } from '../src/index.ts';

const classOf = (
  vectors: number,
  low: number,
  high: number,
  unroll: Partial<KernelClass['unroll']> = {},
) => ({
  unroll: { channels: 1, tapRows: 1, tapColumns: 1, ...unroll },
  vectors,
  heights: Array.from({ length: high - low + 1 }, (_, i) => low + i),
});

/** What TT §5.1, Figure 7 and Figure 10 say of AVX-512, whose 32 registers hold 28 sums, a vector of filters each. */
const family: KernelFamily = {
  lanes: 16,
  source: 'TT §5.1, §5.3, Figures 7 and 10',
  classes: [
    classOf(2, 8, 15),
    classOf(3, 8, 9),
    classOf(4, 4, 7),
    classOf(4, 4, 7, { tapColumns: 3 }),
    classOf(4, 4, 7, { tapRows: 3 }),
    classOf(1, 8, 15, { tapRows: 3 }),
  ],
};

/** TT Figure 8: filters, channels, rows and columns of the input, taps, stride; TT Figure 10: the microkernels. */
const layers = [
  ['Yolo9000-0', [32, 3, 544, 3, 1], '[8H2K]'],
  ['Yolo9000-2', [64, 32, 272, 3, 1], '[3S4H4K]'],
  ['Yolo9000-4', [128, 64, 136, 3, 1], '[3R10H]+2[3R12H]'],
  ['Yolo9000-5', [64, 128, 136, 1, 1], '[8H2K]+2[13H2K]'],
  ['Yolo9000-8', [256, 128, 68, 3, 1], '[3S4H4K]'],
  ['Yolo9000-9', [128, 256, 68, 1, 1], '[8H2K]+5[12H2K]'],
  ['Yolo9000-12', [512, 256, 34, 3, 1], '2[3R11H]+[3R12H]'],
  ['Yolo9000-13', [256, 512, 34, 1, 1], '2[10H2K]+[14H2K]'],
  ['Yolo9000-18', [1024, 512, 17, 3, 1], '[8H2K]+[9H2K]'],
  ['Yolo9000-19', [512, 1024, 17, 1, 1], '[8H2K]+[9H2K]'],
  ['Yolo9000-23', [28_272, 1024, 17, 1, 1], '[8H3K]+[9H3K]'],
  ['ResNet18-1', [64, 3, 224, 7, 2], '[14H2K]'],
  ['ResNet18-2', [64, 64, 56, 3, 1], '[14H2K]'],
  ['ResNet18-3', [64, 64, 56, 1, 1], '[14H2K]'],
  ['ResNet18-4', [128, 64, 56, 3, 2], '[14H2K]'],
  ['ResNet18-5', [128, 64, 56, 1, 2], '[14H2K]'],
  ['ResNet18-6', [128, 128, 28, 3, 1], '[3S4H4K]'],
  ['ResNet18-7', [256, 128, 28, 3, 2], '[14H2K]'],
  ['ResNet18-8', [256, 128, 28, 3, 1], '[14H2K]'],
  ['ResNet18-9', [256, 256, 14, 3, 1], '[3R14H]'],
  ['ResNet18-10', [512, 512, 14, 3, 2], '[3R7H4K]'],
  ['ResNet18-11', [512, 256, 14, 1, 2], '[7H4K]'],
  ['ResNet18-12', [512, 512, 7, 3, 1], '[3S7H4K]'],
] as const;

const spaceOf = ([filters, channels, size, taps, stride]: (typeof layers)[number][1]) =>
  schemeSpace(
    contractionOf(
      parseShape(
        `1x${channels}x${size}x${size},${filters}x${channels}x${taps}x${taps},s${stride},p${(taps - 1) / 2}`,
      ),
      { input: 'nhwgc', filters: 'ghwcf', output: 'nhwgf' },
    ),
    family,
    { levels: 1, packs: { input: 'never', filters: 'never' } },
  );

/** `2[3R11H]+[3R12H]` as counts of sizes. */
const kernelOf = (text: string) =>
  text.split('+').map((part) => {
    const number = (pattern: RegExp): number => Number(pattern.exec(part)?.[1] ?? 1);
    return {
      count: number(/^(\d+)\[/),
      height: number(/(\d+)H/),
      vectors: number(/(\d+)K/),
      unroll: { channels: 1, tapRows: number(/(\d+)R/), tapColumns: number(/(\d+)S/) },
    };
  });

it.each(layers)('has the best microkernel of %s, %j: %s', (_, layer, text) => {
  const space = spaceOf(layer);
  const [first, ...others] = kernelOf(text);
  const heights = [first!, ...others].map(({ height }) => height);
  const group = space.kernels.find(
    (each) =>
      each.heights.join() === heights.join() &&
      each.of.vectors === first!.vectors &&
      JSON.stringify(each.of.unroll) === JSON.stringify(first!.unroll) &&
      [...Array(each.ways).keys()]
        .map(each.kernel)
        .some(({ runs }) => [first!, ...others].every(({ count }, i) => runs[i]!.count === count)),
  );
  expect(group).toBeDefined();
});

it('has that of Yolo9000-23 for 28,269 filters, too, the last of which are padded', () => {
  const layer = contractionOf(parseShape('1x1024x17x17,28269x1024x1x1'), {
    input: 'nhwgc',
    filters: 'ghwcf',
    output: 'nhwgf',
  });
  const space = schemeSpace(layer, family, { levels: 2, packs: { input: 'never' } });
  expect(space.kernels.some(({ heights, of }) => heights.join() === '8,9' && of.vectors === 3)).toBe(true);
  const text =
    '[lambda(h; b; [(1,8),(1,9)]), T(k,589), P(filters), T(w,17), T(c,1024), U(h,b), U(k,3), V(k,16)]';
  expect(schemeProblems(unwrap(parseScheme(text)), layer, { lanes: 16 })).toEqual([]);
  expect(space.indexOf(unwrap(parseScheme(text)))).toBeDefined();
});

const example =
  '[T(k,16), T(h,1), lambda(h; b; [(2,11),(1,12)]), T(w,17), T(h,1), T(h,1), T(s,3), T(r,3), T(w,2), T(c,256), ' +
  'U(h,b), U(k,2), V(k,16)]';

it.each([
  ['the example of TT §5.3', [512, 256, 34, 3, 1], example],
  // TT §5.2: the order of loops for this layer.
  [
    'the order of TT §5.2',
    [32, 3, 544, 3, 1],
    '[T(k,1), T(h,4), T(w,32), T(h,17), T(s,3), T(r,3), T(w,17), T(c,3), U(h,8), U(k,2), V(k,16)]',
  ],
] as const)('has %s, wherever its combination stands', (_, layer, text) => {
  const space = spaceOf(layer);
  // One level has one loop over a dimension; TT has those of L1, L2 and L3.
  const whole = schemeSpace(space.contraction, family);
  const scheme = unwrap(parseScheme(text));
  const index = whole.indexOf(scheme);
  expect(index).toBeDefined();
  expect(whole.indexOf(whole.at(index!))).toBe(index);
});
