import { contractView } from '@sconv/dialects/kernel';
import type { ContractKernel } from '@sconv/dialects/kernel';
import { operationsIn } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import type { ContractTile } from '../src/index.ts';
import { contractRoles, contractStrides, contractTiles, registerSizes } from '../src/index.ts';
import { parse } from './support.ts';

interface Sizes {
  readonly rows: number;
  readonly columns: number;
  readonly filters: number;
}

/** A product of filters (d2) and of windows, rows (d0) of columns (d1), over two channels (d3). */
const kernelOf = (
  { rows, columns, filters }: Sizes,
  lanes: number,
  more = '',
  room = columns,
): ContractKernel => {
  const types = [
    `memref<2x${rows}x${room}xf32>`,
    `memref<2x${filters}xf32>`,
    `memref<${filters}x${rows}x${columns}xf32>`,
  ];
  const map = (results: string): string => `affine_map<(d0, d1, d2, d3) -> (${results})>`;
  const maps = ['d3, d0, d1', 'd3, d2', 'd2, d0, d1'].map(map).join(', ');
  const module = parse(`func.func @f(${types.map((type, i) => `%${i}: ${type}`).join(', ')}) {
    "kernel.contract"(%0, %1, %2) {lanes = ${lanes} : i64, maps = [${maps}],
      operand_segment_sizes = array<i32: 1, 1, 1, 0, 0>, unroll = array<i64: 1, 1, 1, 1>${more}}
      : (${types.join(', ')}) -> ()
    return
  }`);
  return contractView(operationsIn(module.root).find(({ name }) => name === 'kernel.contract')!);
};

/** The results of a tile, by their indices. */
const resultsOf = ({ vectors, others }: ContractTile, lanes: number): readonly string[] =>
  vectors.flatMap(({ at, width }) =>
    Array.from({ length: width }, (_, lane) => at.with(lanes, at[lanes]! + lane)).flatMap((point) =>
      others.map((other) => point.map((index, i) => index + other[i]!).join()),
    ),
  );

const everyResult = ({ rows, columns, filters }: Sizes): readonly string[] =>
  Array.from({ length: rows * columns * filters }, (_, i) =>
    [Math.floor(i / columns) % rows, i % columns, Math.floor(i / (rows * columns)), 0].join(),
  );

const sizes: readonly Sizes[] = [
  { rows: 1, columns: 1, filters: 1 },
  { rows: 1, columns: 13, filters: 5 },
  { rows: 3, columns: 4, filters: 7 },
  { rows: 2, columns: 9, filters: 16 },
  { rows: 5, columns: 1, filters: 21 },
];

describe.each([
  ['windows', 1],
  ['filters', 2],
] as const)('tiles along %s', (name, lanes) => {
  it.each(sizes)('of %j have each result once, and what the registers hold', (size) => {
    for (const registers of [4, 16, 32]) {
      const tiles = contractTiles(kernelOf(size, lanes), { lanes: 4, registers });
      expect(tiles.flatMap((tile) => resultsOf(tile, lanes)).sort()).toEqual([...everyResult(size)].sort());
      for (const { vectors, others } of tiles) {
        const isLeast = vectors.length * others.length === 1;
        expect(isLeast || vectors.length * (others.length + 1) + 1 <= registers).toBe(true);
        for (const { width, loaded } of vectors) expect([width <= 4, loaded]).toEqual([true, width]);
      }
    }
  });

  it('read the other operand element by element', () => {
    const { space } = kernelOf(sizes[1]!, lanes);
    expect(contractRoles(space)).toEqual(name === 'windows' ? [0, 1] : [1, 0]);
  });

  it('are those of the plan, which names windows first', () => {
    const tiles = ', tiles = array<i64: 0, 8, 0, 7, 8, 4, 0, 7>';
    const found = contractTiles(kernelOf(sizes[2]!, lanes, tiles), { lanes: 4, registers: 8 });
    expect(found.map((tile) => resultsOf(tile, lanes).length)).toEqual([56, 28]);
    expect(found.flatMap((tile) => resultsOf(tile, lanes)).sort()).toEqual(
      [...everyResult(sizes[2]!)].sort(),
    );
  });
});

it('fill the registers, with as few loads as that takes', () => {
  const sizesOf = (registers: number): readonly string[] =>
    contractTiles(kernelOf(sizes[3]!, 1), { lanes: 4, registers }).map(
      ({ vectors, others }) => `${vectors.length}x${others.length}`,
    );
  // Six vectors of windows, 16 filters.
  expect(sizesOf(32)).toEqual(['6x4', '6x4', '6x4', '6x4']);
  // Twelve sums, three vectors, and an element that is broadcast.
  expect(new Set(sizesOf(16))).toEqual(new Set(['3x4']));
  expect(new Set(sizesOf(15))).toEqual(new Set(['2x4']));
  expect(new Set(sizesOf(4))).toEqual(new Set(['1x2']));
});

it('cost their multiply-adds, or their latency, and half of their loads', () => {
  expect(registerSizes({ vectors: 6, others: 16 }, 16)).toEqual({
    vectors: 3,
    others: 4,
    cost: 8 * (12 + 3.5),
  });
  expect(registerSizes({ vectors: 1, others: 2 }, 16)).toEqual({ vectors: 1, others: 2, cost: 8 + 1.5 });
  expect(registerSizes({ vectors: 3, others: 3 }, 3)).toEqual({ vectors: 1, others: 1, cost: 9 * (8 + 1) });
});

it('loads whole vectors of an operand that is padded', () => {
  const tiles = contractTiles(kernelOf(sizes[1]!, 1, '', 16), { lanes: 4, registers: 32 });
  const widths = tiles.flatMap(({ vectors }) => vectors.map(({ width, loaded }) => `${width} of ${loaded}`));
  expect(new Set(widths)).toEqual(new Set(['4 of 4', '1 of 4']));
});

it('knows how far elements are apart', () => {
  const kernel = kernelOf(sizes[2]!, 1);
  const strides = kernel.operands.map(({ type }, i) => contractStrides(type, kernel.maps[i]!));
  expect(strides).toEqual([
    { steps: [4, 1, 0, 12], first: 0 },
    { steps: [0, 0, 1, 7], first: 0 },
    { steps: [4, 1, 12, 0], first: 0 },
  ]);
});
