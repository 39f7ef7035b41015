/**
 * Spaces of what no kernels cover as it is: windows through rows, tiles that are cut, filters that are padded; and of
 * products. Their schemes compute what plain loops do.
 */
import { expect, it } from 'vitest';
import { convolution, parseShape } from '@sconv/csa';
import { randomIntegers } from '@sconv/interpreter';
import { findToolchain } from '@sconv/native';
import { planOfScheme, printScheme, schemeProblems } from '@sconv/schemes';
import { schemeSpace } from '@sconv/spaces';
import type { KernelFamily } from '@sconv/targets';
import { dataOf, ofLayout, product } from './support/drawn-contraction.ts';
import type { Drawn } from './support/drawn-contraction.ts';
import type { Computed } from './support/planned-code.ts';
import { generated, outputOnWasm, outputsNatively } from './support/planned-code.ts';

const hasLlvm = 'paths' in (await findToolchain());

const nhwc = ofLayout('linalg.conv_2d_nhwc_hwcf', { input: 'nhwc', filters: 'hwcf', output: 'nhwf' });
const nchw = ofLayout('linalg.conv_2d_nchw_fchw', { input: 'nchw', filters: 'fchw', output: 'nfhw' });

const matrices = (i: number, j: number, k: number, products: number): Drawn =>
  product(
    convolution({
      inputChannels: k,
      inputHeight: j,
      inputWidth: 1,
      filters: i,
      filterHeight: 1,
      filterWidth: 1,
    }),
    products,
  );

const family = (heights: readonly number[], vectors = 1): KernelFamily => ({
  lanes: 4,
  source: 'a test',
  classes: [{ unroll: { channels: 1, tapRows: 1, tapColumns: 1 }, vectors, heights }],
});

const computed: (Computed & { readonly scheme: string })[] = [];

it.each<readonly [string, Drawn, KernelFamily, string, RegExp]>([
  // 49 = 4·6 + 5·5.
  [
    '7 rows and columns',
    nhwc(parseShape('1x2x8x8,8x2x2x2')),
    family([4, 5, 6]),
    'windows',
    /lambda\(j; b; .*U\(j,b\)/,
  ],
  [
    'a stride',
    nhwc(parseShape('1x2x5x5,4x2x1x1,s2')),
    family([2, 4, 5]),
    'windows',
    /lambda\(j;.*P\(input\)/,
  ],
  [
    '7 filters of NCHW',
    nchw(parseShape('1x2x5x4,7x2x2x1')),
    family([4, 5, 6]),
    'padded',
    /lambda\(k; b; \[\(1,3\),\(1,4\)\]\)/,
  ],
  [
    '5 of 7 windows',
    nhwc(parseShape('1x3x7x1,4x3x1x1')),
    family([5]),
    'padded',
    /lambda\(h; b; \[\(1,2\),\(1,5\)\]\)/,
  ],
  ['one row', nhwc(parseShape('1x3x1x1,4x3x1x1')), family([5]), 'padded', /^\[(?!.*[hwj]).*V\(k,4\)\]$/],
  ['6 filters', nhwc(parseShape('1x3x6x5,6x3x2x2')), family([2, 3]), 'exact', /P\(filters\).*V\(k,4\)/],
  [
    '11 filters, two vectors each',
    nhwc(parseShape('1x2x4x3,11x2x1x1')),
    family([2], 2),
    'exact',
    /T\(k,2\)|U\(k,2\)/,
  ],
  ['a product', matrices(8, 12, 6, 1), family([2, 3]), 'exact', /V\(j,4\)/],
  ['several products', matrices(5, 8, 4, 3), family([2, 3]), 'exact', /^\[T\(b,3\).*lambda\(i; b;/],
])('%s', (_, drawn, kernels, covering, pattern) => {
  const { contraction } = drawn;
  const space = schemeSpace(contraction, kernels, { levels: 2 });
  expect(space.covering).toBe(covering);
  const next = randomIntegers(7);
  const schemes = space.sample(() => next() / 2 ** 32, 40);
  expect(schemes.map((scheme) => printScheme(scheme)).some((text) => pattern.test(text))).toBe(true);
  expect(schemes.flatMap((scheme) => schemeProblems(scheme, contraction, { lanes: 4 }))).toEqual([]);
  for (const scheme of schemes) expect(space.at(space.indexOf(scheme)!)).toEqual(scheme);
  const data = dataOf(contraction);
  for (const scheme of schemes.slice(0, 3)) {
    const { bufferized } = generated(drawn, planOfScheme(scheme, contraction).tree);
    expect(outputOnWasm(bufferized, data)).toEqual(data.expected);
    computed.push({ module: bufferized, data, scheme: printScheme(scheme) });
  }
});

it.runIf(hasLlvm)('and natively', { timeout: 60_000 }, async () => {
  const some = computed.filter((_, i) => i % 3 === 0);
  for (const [i, output] of (await outputsNatively(some)).entries())
    expect(output, some[i]!.scheme).toEqual(some[i]!.data.expected);
});
