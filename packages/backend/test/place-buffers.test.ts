import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BufferPlaces, Lifetime, MemoryUse } from '../src/index.ts';
import { bufferAlignment, mostPlacedBySize, placeBuffers, useOf } from '../src/index.ts';

type Buffer = Lifetime & MemoryUse;

const buffer = (bytes: number, first: number, last: number): Buffer => ({ ...useOf(bytes), first, last });

const meet = (a: Lifetime, b: Lifetime): boolean => a.first <= b.last && b.first <= a.last;

/** Two buffers that are alive at once and share a byte, or one that leaves the arena. */
const faultIn = (buffers: readonly Buffer[], { offsets, arenaBytes }: BufferPlaces): string | undefined => {
  for (const [i, a] of buffers.entries()) {
    const [start, end] = [offsets[i]!, offsets[i]! + a.arenaBytes];
    if (start < 0 || end > arenaBytes || start % bufferAlignment !== 0) return `${i} at ${start}`;
    const other = buffers.findIndex(
      (b, j) => j < i && meet(a, b) && start < offsets[j]! + b.arenaBytes && offsets[j]! < end,
    );
    if (other >= 0) return `${i} and ${other}`;
  }
  return undefined;
};

/** Bytes alive at each position, at most. */
const peakOf = (buffers: readonly Buffer[]): number =>
  Math.max(
    0,
    ...buffers.map(({ first }) =>
      buffers
        .filter((each) => meet(each, { first, last: first }))
        .reduce((sum, each) => sum + each.liveBytes, 0),
    ),
  );

it.each<[string, readonly Buffer[], readonly number[], number]>([
  ['nothing', [], [], 0],
  ['a buffer without elements', [buffer(0, 0, 1), buffer(64, 0, 1)], [0, 0], 64],
  ['one after another', [buffer(100, 0, 1), buffer(128, 2, 3)], [0, 0], 128],
  ['one that ends where another begins', [buffer(64, 0, 1), buffer(64, 1, 2)], [0, 64], 128],
  [
    'a gap between two',
    [buffer(64, 0, 9), buffer(64, 0, 3), buffer(64, 0, 9), buffer(64, 4, 9)],
    [0, 64, 128, 64],
    192,
  ],
  [
    'a chain by size, as its order leaves gaps',
    [buffer(64, 0, 1), buffer(64, 1, 2), buffer(256, 2, 3), buffer(64, 3, 4)],
    [0, 256, 0, 256],
    320,
  ],
])('places %s', (_, buffers, offsets, bytes) => {
  const places = placeBuffers(buffers);
  expect(faultIn(buffers, places)).toBeUndefined();
  expect([places.offsets, places.arenaBytes]).toEqual([offsets, bytes]);
});

it('counts a call as what its callee says', () => {
  const callee = { arenaBytes: 640, liveBytes: 600, bufferBytes: 9000 };
  const { arenaBytes, liveBytes, bufferBytes } = placeBuffers([
    { ...callee, first: 2, last: 3 },
    buffer(100, 1, 2),
    buffer(900, 4, 5),
  ]);
  expect({ arenaBytes, liveBytes, bufferBytes }).toEqual({
    arenaBytes: 960,
    liveBytes: 900,
    bufferBytes: 10_000,
  });
});

const anyBuffers = fc.array(
  fc
    .tuple(fc.nat(1000), fc.nat(40), fc.nat(12))
    .map(([bytes, first, length]) => buffer(bytes, first, first + length)),
  { maxLength: 40 },
);

it('lets no two buffers share bytes that are alive at once, and needs what is alive at least', () => {
  fc.assert(
    fc.property(anyBuffers, (buffers) => {
      const places = placeBuffers(buffers);
      expect(faultIn(buffers, places)).toBeUndefined();
      expect(places.liveBytes).toBe(peakOf(buffers));
      expect(places.bufferBytes).toBe(buffers.reduce((sum, each) => sum + each.bufferBytes, 0));
      expect(placeBuffers(buffers)).toEqual(places);
    }),
    { numRuns: 200 },
  );
});

it('takes more buffers than it places by size', () => {
  const buffers = Array.from({ length: 5 * mostPlacedBySize }, (_, i) =>
    buffer(64 * (1 + ((i * 7) % 9)), i, i + (i % 5)),
  );
  const { arenaBytes, liveBytes } = placeBuffers(buffers);
  expect(arenaBytes).toBeLessThan(1.5 * liveBytes);
});

it('places many as if those without elements were not there', () => {
  const buffers = Array.from({ length: 2 * mostPlacedBySize }, (_, i) =>
    buffer(64 * (1 + ((i * 7) % 9)), 3 * i, 3 * i + (i % 11)),
  );
  const withEmpty = buffers.flatMap((each) => [each, buffer(0, each.first, each.last + 1)]);
  const places = placeBuffers(withEmpty);
  expect(places.arenaBytes).toBe(placeBuffers(buffers).arenaBytes);
});

/** The activations of a network, from the layers: bytes of what a layer makes, and the layers that it reads. */
const activations = (
  layers: readonly (readonly [bytes: number, ...reads: readonly number[]])[],
): readonly Buffer[] =>
  layers.map(([bytes], i) => {
    const readers = layers.flatMap(([, ...reads], at) => (reads.includes(i) ? [at] : []));
    return buffer(bytes, i, Math.max(i, ...readers));
  });

const f32s = (...sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 4);

type Layers = [number, ...number[]][];

/** Stages of bottlenecks with a shortcut: 1x1, 3x3, 1x1, sum. */
const residual = (): Layers => {
  const layers: Layers = [[f32s(64, 112, 112)], [f32s(64, 56, 56), 0]];
  [64, 128, 256, 512].forEach((channels, stage) => {
    const size = 56 / 2 ** stage;
    for (let block = 0; block < [3, 4, 6, 3][stage]!; block++) {
      const from = layers.length - 1;
      const before = block === 0 && stage > 0 ? 2 * size : size;
      layers.push([f32s(channels, before, before), from]);
      layers.push([f32s(channels, size, size), layers.length - 1]);
      layers.push([f32s(4 * channels, size, size), layers.length - 1]);
      const main = layers.length - 1;
      if (block === 0) layers.push([f32s(4 * channels, size, size), from]);
      layers.push([f32s(4 * channels, size, size), main, block === 0 ? layers.length - 1 : from]);
    }
  });
  return layers;
};

/** Fire modules: a squeeze, two expansions, and what joins them. */
const squeezing = (): Layers => {
  const layers: Layers = [[f32s(96, 109, 109)], [f32s(96, 54, 54), 0]];
  [16, 16, 32, 32, 48, 48, 64, 64].forEach((channels, i) => {
    const size = i < 3 ? 54 : i < 7 ? 27 : 13;
    if (i === 3 || i === 7) layers.push([f32s(layers.length, size, size), layers.length - 1]);
    layers.push([f32s(channels, size, size), layers.length - 1]);
    const squeezed = layers.length - 1;
    layers.push([f32s(4 * channels, size, size), squeezed], [f32s(4 * channels, size, size), squeezed]);
    layers.push([f32s(8 * channels, size, size), squeezed + 1, squeezed + 2]);
  });
  return layers;
};

/** Each layer reads all before it in its block. */
const dense = (): Layers => {
  const layers: Layers = [[f32s(64, 56, 56)]];
  [6, 12, 24, 16].forEach((count, stage) => {
    const size = 56 / 2 ** stage;
    const block = [layers.length - 1];
    for (let i = 0; i < count; i++) {
      layers.push([f32s(64 + 32 * i, size, size), ...block]);
      layers.push([f32s(128, size, size), layers.length - 1]);
      layers.push([f32s(32, size, size), layers.length - 1]);
      block.push(layers.length - 1);
    }
    layers.push([f32s(64 + 16 * count, size / 2, size / 2), ...block]);
  });
  return layers;
};

/** A pyramid: levels of a backbone that are read again on the way up, resized, added, and joined. */
const pyramid = (): Layers => {
  const layers: Layers = [[f32s(16, 160, 160)]];
  const levels = [16, 24, 56, 480].map((channels, i) => {
    const size = 160 / 2 ** i;
    for (let block = 0; block < 3; block++) {
      layers.push([f32s(3 * channels, size, size), layers.length - 1]);
      layers.push([f32s(channels, size, size), layers.length - 1]);
    }
    return { at: layers.length - 1, size };
  });
  let above: number | undefined;
  const joined = levels.toReversed().map(({ at, size }) => {
    layers.push([f32s(96, size, size), at]);
    if (above !== undefined) {
      layers.push([f32s(96, size, size), above], [f32s(96, size, size), layers.length - 1, layers.length]);
    }
    above = layers.length - 1;
    return above;
  });
  const resized = joined.map((at) => layers.push([f32s(24, 160, 160), at]) - 1);
  layers.push(
    [f32s(96, 160, 160), ...resized],
    [f32s(24, 160, 160), layers.length],
    [f32s(1, 640, 640), layers.length + 1],
  );
  return layers;
};

describe('an arena', () => {
  it.each([
    ['residual blocks', residual()],
    ['modules that join what they expand', squeezing()],
    ['dense blocks', dense()],
    ['a pyramid', pyramid()],
  ])('for %s is not larger by a twentieth than what is alive at once', (_, layers) => {
    const buffers = activations(layers);
    const places = placeBuffers(buffers);
    expect(faultIn(buffers, places)).toBeUndefined();
    expect(places.liveBytes).toBe(peakOf(buffers));
    expect(places.arenaBytes / places.liveBytes).toBeLessThanOrEqual(1.05);
    expect(places.bufferBytes / places.arenaBytes).toBeGreaterThan(3);
  });
});
