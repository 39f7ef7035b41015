import { contractionOf, convolution, parseShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { Contraction } from '@sconv/plans';
import { parseScheme, printScheme, schemeProblems } from '@sconv/schemes';
import type { KernelFamily } from '@sconv/targets';
import { expect, it } from 'vitest';
import { schemeSpace } from '../src/index.ts';
import { everyScheme } from './every-scheme.ts';

const channelsLast = { input: 'nhwgc', filters: 'ghwcf', output: 'nhwgf' };

const once = { channels: 1, tapRows: 1, tapColumns: 1 };

/** xorshift32 in `[0, 1)`. */
const seeded = (seed: number) => (): number => {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
};

const random = seeded(20);
const padding = seeded(21);
const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** Few iterations in all, so that everything can be tried. */
const drawSpace = () => {
  const kind = pick('convolution', 'product', 'tap', 'batch');
  const taps = kind === 'convolution' ? pick(2, 3) : 1;
  const family: KernelFamily = {
    lanes: 4,
    source: 'drawn',
    classes: [
      { unroll: once, vectors: pick(1, 2), heights: pick([2], [1, 2], [2, 3], [3, 4]) },
      ...(taps > 1 ? [{ unroll: { ...once, tapRows: taps }, vectors: 1, heights: pick([1], [2]) }] : []),
    ],
  };
  const isFew = kind === 'convolution' || kind === 'batch';
  const [k, c] = [pick(8, ...(isFew ? [] : [16])), kind === 'batch' ? 2 : pick(1, 2, 3)];
  const [h, w] = [pick(2, 4, 5, 7), kind === 'product' ? 1 : pick(2, 3)];
  const missing = padding() < 0.3 ? 3 : 0;
  const extents = { k, c, h, w, r: taps, s: taps, b: kind === 'batch' ? 2 : 1 };
  const shape = convolution({
    batch: extents.b,
    groups: 1,
    inputChannels: c,
    inputHeight: h + taps - 1,
    inputWidth: w + taps - 1,
    filters: k - missing,
    filterHeight: taps,
    filterWidth: taps,
    strides: { h: 1, w: 1 },
    dilations: { h: 1, w: 1 },
    elementType: 'f32',
  });
  const orders = {
    convolution: ['srcwhk', 'srckhw', 'srckwh', 'whkrcs', 'whkscr'],
    product: ['chk', 'ckh', 'hkc'],
    tap: ['cwhk', 'ckwh', 'whkc'],
    batch: ['cwhbk', 'ckwhb', 'whkbc'],
  }[kind];
  return {
    contraction: contractionOf(shape, channelsLast),
    small: {
      extents,
      orders,
      levels: isFew ? 1 : 2,
      family,
      isPadded: missing > 0,
      packs: pick('', 'filters', 'input', 'input filters'),
    },
  };
};

const spaceOf = (
  contraction: Contraction,
  { family, levels, packs }: ReturnType<typeof drawSpace>['small'],
) => {
  const may = (operand: string) => (packs.includes(operand) ? 'may' : 'never');
  return schemeSpace(contraction, family, {
    levels,
    lanes: 'filters',
    height: 'rows',
    packs: { input: may('input'), filters: may('filters') },
  });
};

const spaces = process.env['THOROUGH'] === undefined ? 30 : 200;

it('has the schemes that there are if everything is tried, each once and with its number', () => {
  const counts: number[] = [];
  for (let i = 0; i < spaces; i += 1) {
    const { contraction, small } = drawSpace();
    const space = spaceOf(contraction, small);
    const expected = everyScheme(small);
    const texts = Array.from(space, (scheme) => printScheme(scheme));
    expect(texts.filter((text) => !expected.has(text))).toEqual([]);
    expect([space.count, new Set(texts).size], JSON.stringify(small)).toEqual([
      BigInt(expected.size),
      expected.size,
    ]);
    for (let at = 0n; at < space.count; at += 7n) expect(space.indexOf(space.at(at))).toBe(at);
    counts.push(expected.size);
  }
  // Some are empty, and some are not so small.
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(5);
  expect(Math.max(...counts)).toBeGreaterThan(100);
});

it('draws all elements equally often', () => {
  const shape = convolution({
    batch: 1,
    groups: 1,
    inputChannels: 2,
    inputHeight: 17,
    inputWidth: 2,
    filters: 32,
    filterHeight: 1,
    filterWidth: 1,
    strides: { h: 1, w: 1 },
    dilations: { h: 1, w: 1 },
    elementType: 'f32',
  });
  const family: KernelFamily = {
    lanes: 16,
    source: 'a test',
    classes: [{ unroll: once, vectors: 1, heights: [5, 6] }],
  };
  const space = schemeSpace(contractionOf(shape, channelsLast), family, { levels: 2 });
  const size = Number(space.count);
  expect(size).toBeGreaterThan(30);
  const counts = Array<number>(size).fill(0);
  const draws = 100 * size;
  for (const scheme of space.sample(seeded(7), draws)) counts[Number(space.indexOf(scheme))]! += 1;
  const chiSquare = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
  // Its mean is size - 1, its variance twice that: three standard deviations.
  expect(Math.abs(chiSquare - size + 1)).toBeLessThan(3 * Math.sqrt(2 * (size - 1)));
});

it('takes a space of more than 2^53 elements by number', () => {
  const shape = parseShape('1x65536x65536x1,65536x65536x1x1');
  const family: KernelFamily = {
    lanes: 16,
    source: 'a test',
    classes: [{ unroll: once, vectors: 1, heights: [3, 4, 5] }],
  };
  const space = schemeSpace(contractionOf(shape, channelsLast), family, { levels: 7 });
  expect(space.count).toBeGreaterThan(2n ** 53n);
  for (const i of [0n, 2n ** 53n + 1n, space.count - 1n]) expect(space.indexOf(space.at(i))).toBe(i);
  expect(space.sample(seeded(1), 3)).toHaveLength(3);
});

const space = (options: object = {}, family: object = {}, shape = '1x8x6x6,32x8x3x3') =>
  schemeSpace(
    contractionOf(parseShape(shape), channelsLast),
    { lanes: 4, source: 'a test', classes: [{ unroll: once, vectors: 2, heights: [2, 3] }], ...family },
    options,
  );

it.each([
  ['its own', '[T(k,4), T(h,2), T(w,4), T(c,8), T(r,3), T(s,3), U(h,2), U(k,2), V(k,4)]', true],
  [
    'another order in the microkernel',
    '[T(k,4), T(h,2), T(w,4), T(s,3), T(r,3), T(c,8), U(h,2), U(k,2), V(k,4)]',
    false,
  ],
  [
    'two loops that are one',
    '[R(k), T(h,2), T(w,2), T(h,1), R(w), T(c,8), T(r,3), T(s,3), U(h,2), U(k,2), V(k,4)]',
    true,
  ],
  ['other loops', '[T(h,2), T(k,4), T(c,8), T(w,4), T(s,3), T(r,3), U(h,2), U(k,2), V(k,4)]', false],
  ['rows that are missing', '[T(k,4), T(w,4), T(c,8), T(r,3), T(s,3), U(h,2), U(k,2), V(k,4)]', false],
  ['other vectors', '[T(k,8), T(h,2), T(w,4), T(c,8), T(r,3), T(s,3), U(h,2), V(k,4)]', false],
  ['another length of vectors', '[T(k,4), T(h,2), T(w,4), T(c,8), T(r,3), T(s,3), U(h,2), V(k,8)]', false],
  ['another height', '[T(k,4), T(w,4), T(c,8), T(r,3), T(s,3), U(h,4), U(k,2), V(k,4)]', false],
  [
    'another unrolled dimension',
    '[T(k,4), T(h,2), T(w,2), T(c,8), T(r,3), T(s,3), U(w,2), U(h,2), U(k,2), V(k,4)]',
    false,
  ],
  ['no microkernel', '[T(k,32)]', false],
  [
    'a sequence',
    '[T(k,4), Seq(h; [(1, [T(w,4), U(h,2), U(k,2), V(k,4)]), (1, [T(w,4), U(h,2), U(k,2), V(k,4)])])]',
    false,
  ],
  ['a dimension of a product', '[T(j,4), U(i,2), V(j,4)]', false],
])('finds a scheme with %s: %s', (_, text, isFound) => {
  const own = space({ levels: 1 });
  const found = own.indexOf(unwrap(parseScheme(text)));
  expect(found !== undefined).toBe(isFound);
  if (found !== undefined) expect(own.indexOf(own.at(found))).toBe(found);
});

const microkernel = 'T(w,4), T(c,8), T(r,3), T(s,3), U(h,b), U(k,2), V(k,4)';

it.each([
  ['right inside of it', `T(k,4), lambda(h; b; [(1,2),(1,3)]), T(h,2), ${microkernel}`],
  ['around it, once', `T(h,1), T(k,4), lambda(h; b; [(2,2),(2,3)]), ${microkernel}`],
  ['in two steps', `T(k,4), lambda(h; b; [(1,2),(1,3)]), T(h,1), T(h,2), ${microkernel}`],
])('counts the loops over the rows of a combination that are %s', (_, text) => {
  const rows = space({ levels: 1, height: 'rows' }, {}, '1x8x12x6,32x8x3x3');
  const same = `[T(k,4), lambda(h; b; [(2,2),(2,3)]), ${microkernel}]`;
  const expected = rows.indexOf(unwrap(parseScheme(same)));
  expect(expected).toBeDefined();
  expect(rows.indexOf(unwrap(parseScheme(`[${text}]`)))).toBe(expected);
});

it.each([
  [
    'of what is no height',
    '[T(k,4), T(h,2), lambda(w; x; [(1,1),(1,3)]), T(w,x), T(c,8), T(r,3), T(s,3), U(h,2), U(k,2), V(k,4)]',
  ],
  [
    'two times',
    '[T(k,4), lambda(h; a; [(1,1),(1,2)]), lambda(h; b; [(1,2),(1,3)]), T(w,4), T(c,8), T(r,3), T(s,3), U(h,b), ' +
      'U(k,2), V(k,4)]',
  ],
])('has no scheme with a combination %s', (_, text) => {
  expect(space().indexOf(unwrap(parseScheme(text)))).toBeUndefined();
});

it.each([
  ['1x12x14x14,64x12x3x3', channelsLast],
  ['2x8x9x11,32x8x2x3,s2', channelsLast],
  ['1x12x14x1,64x12x1x1', channelsLast],
  ['1x8x9x9,32x4x3x3,g2', channelsLast],
  ['1x12x14x14,64x12x3x3', undefined],
] as const)('has valid schemes of %s with operands as %j', (text, layouts) => {
  const problem = contractionOf(parseShape(text), layouts);
  const valid = schemeSpace(problem, {
    lanes: 4,
    source: 'a test',
    classes: [
      { unroll: once, vectors: 1, heights: [2, 3, 4, 5] },
      { unroll: { channels: 2, tapRows: 3, tapColumns: 1 }, vectors: 1, heights: [3, 4, 5] },
    ],
  });
  const drawn = valid.sample(seeded(11), 100);
  expect(drawn).toHaveLength(100);
  expect(drawn.flatMap((scheme) => schemeProblems(scheme, problem))).toEqual([]);
});

it.each([
  ['rows that a height divides', '1x8x6x6,8x8x3x3', [2], {}, 'exact'],
  ['rows that none does, but all windows', '1x8x7x8,8x8x1x1', [4], {}, 'windows'],
  ['windows that none does', '1x8x7x7,8x8x3x3', [4], {}, 'padded'],
  ['windows that none does, along rows', '1x8x7x7,8x8x3x3', [4], { height: 'rows' }, 'exact'],
] as const)('covers %s: %s by heights %j', (_, shape, heights, options, covering) => {
  const classes = [{ unroll: once, vectors: 1, heights }];
  const problem = contractionOf(parseShape(shape), channelsLast);
  const found = schemeSpace(problem, { lanes: 4, source: 'a test', classes }, options);
  expect(found.covering).toBe(covering);
  expect(found.count > 0n).toBe(!('height' in options));
});

it('packs what cannot be read in place', () => {
  // The filters of one channel are a whole filter apart.
  const shape = contractionOf(parseShape('1x8x6x6,32x8x3x3'), { ...channelsLast, filters: 'gfchw' });
  const family = { lanes: 4, source: 'a test', classes: [{ unroll: once, vectors: 1, heights: [4] }] };
  const packed = schemeSpace(shape, family);
  for (const scheme of packed.sample(seeded(3), 50))
    expect(scheme.filter((each) => each.kind === 'P' && each.operand === 'filters')).toHaveLength(1);
});

it.each([
  [() => space({ levels: 8 }), 'spaces/levels'],
  [() => space({ lanes: 'channels' }), 'spaces/dimension'],
  [() => space({ height: 'filters' }), 'spaces/dimension'],
  [() => space({ packs: { input: 'always' } }), 'spaces/packs'],
  [() => space({}, { classes: [] }), 'spaces/family'],
  [() => space({}, { classes: [3] }), 'spaces/not-a-record'],
  [() => space({}, { lanes: 0 }), 'spaces/extent'],
  [() => space().at(-1n), 'spaces/index'],
  [() => space().at(space().count), 'spaces/index'],
])('refuses %s', (make, code) => {
  expect(make).toThrow(expect.objectContaining({ name: 'SpaceError', code }));
});
