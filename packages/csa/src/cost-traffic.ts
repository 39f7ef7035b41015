/**
 * The cost model of this package: lines moved between the levels by all parts of a plan, that is by the code that is
 * generated.
 *
 * As in TT §5.2: for each kind of access in the nest, the reuse distance (distinct lines touched since the last touch
 * of the same line) follows from the footprints of the loops in between, and an LRU cache hits when that distance is
 * within its capacity. Beyond SC §4.1.1 this counts both sides of packing, repeated for every block; output reloads for
 * every channel set; lines shared by neighbouring tiles; remainder fragments; edges; and strides that map to few sets.
 *
 * Letters as in SC: the stationary operand (window tiles for IS) stays in L1, the moving one streams past.
 */

import { isOpenPlan, planPaths, type AnyPlan, type PlanPath } from '@sconv/plans';
import { priced, type Cost, type CostModel } from './cost.ts';
import { edgeProfile, type AccessProfile } from './edge-profile.ts';
import { filterFootprint, inputFootprint, outputFootprint, type OperandFootprint } from './footprint.ts';
import type { Edges } from './edges.ts';
import { planOfTiling } from './plan-of-tiling.ts';
import { misses, neverBefore, reuseAt, type CacheGeometry, type Reuse, type Strided } from './reuse.ts';
import { paddedInput, unpackedElementBytes } from './shape.ts';
import {
  belowSplits,
  isOverGroups,
  slicingNest,
  spansOf,
  type PartSpans,
  type SlicingNest,
} from './slicing-nest.ts';
import type { Hierarchy, SlicedConvolution, Tiling } from './tiling.ts';
import { lanesAlong } from './tiling.ts';
import { elementsOfVector } from './vectors.ts';

/** One fragment in the model's terms. */
interface Nest {
  readonly sizes: SlicingNest;
  readonly stationary: OperandFootprint;
  readonly moving: OperandFootprint;
  /** Output lines of that many stationary and moving tiles. */
  readonly output: (stationaryTiles: number, movingTiles: number) => number;
  /** The same lines, as one run per filter. */
  readonly rows: (stationaryTiles: number, movingTiles: number) => Strided;
  /** Tiles of the fragment. */
  readonly stationaryTiles: number;
  readonly movingTiles: number;
  /** Trip counts: channel sets (layer 5), blocks of K3 (layer 4), blocks of K2 (layer 3). */
  readonly sets: number;
  readonly stationaryBlocks: number;
  readonly movingBlocks: number;
}

/** Distinct lines per iteration of each loop; `fragment` covers all iterations. */
interface Footprints {
  readonly call: number;
  readonly layer2: number;
  readonly layer3: number;
  readonly layer4: number;
  readonly layer5: number;
  readonly fragment: number;
  /** The two packed buffers, whose addresses do not change. */
  readonly buffers: number;
}

/** A fragment, with what the profiles of later fragments depend on. */
interface FragmentProfile extends AccessProfile {
  readonly sizes: SlicingNest;
  readonly footprints: Footprints;
}

/** `sliced` is tiled for the nest's microkernel. */
const nestOf = (sliced: SlicedConvolution, sizes: SlicingNest, line: number): Nest => {
  const { schedule, microkernel } = sizes;
  const windowTiles = (sizes.windows.to - sizes.windows.from) / microkernel.windows;
  const filterTiles = (sizes.filters.to - sizes.filters.from) / microkernel.filters;
  const input = inputFootprint(sliced, sizes.nc, line);
  const filters = filterFootprint(sliced, sizes.nc, line);
  const block = outputFootprint(sliced, line);
  const is = schedule === 'is';
  const output = (stationary: number, moving: number): number =>
    is ? block(stationary, moving) : block(moving, stationary);
  const stationaryTiles = is ? windowTiles : filterTiles;
  const movingTiles = is ? filterTiles : windowTiles;
  return {
    sizes,
    stationary: is ? input : filters,
    moving: is ? filters : input,
    output,
    rows: (stationary, moving) => {
      const lines = output(stationary, moving);
      const filtersOf = microkernel.filters * (is ? moving : stationary);
      return { lines, stride: sliced.windows * sliced.elementBytes, run: lines / filtersOf };
    },
    stationaryTiles,
    movingTiles,
    sets: (sizes.channels.to - sizes.channels.from) / sizes.nc,
    stationaryBlocks: stationaryTiles / sizes.k3,
    movingBlocks: movingTiles / sizes.k2,
  };
};

const footprintsOf = (nest: Nest, everything: number): Footprints => {
  const { stationary, moving, output, stationaryTiles, movingTiles, sets } = nest;
  const { k2, k3 } = nest.sizes;
  const buffers = stationary.packed + k2 * moving.packed;
  const whole = moving.raw(movingTiles) + stationary.raw(stationaryTiles);
  const outputs = output(stationaryTiles, movingTiles);
  const capped = (lines: number): number => Math.min(lines, everything);
  return {
    call: stationary.packed + moving.packed + output(1, 1),
    layer2: capped(buffers + stationary.raw(1) + output(1, k2)),
    layer3: capped(buffers + moving.raw(k2) + stationary.raw(k3) + output(k3, k2)),
    layer4: capped(buffers + moving.raw(movingTiles) + stationary.raw(k3) + output(k3, movingTiles)),
    layer5: capped(buffers + whole + outputs),
    fragment: capped(buffers + sets * whole + outputs),
    buffers,
  };
};

/** Number of microkernel calls and of tiles packed per operand in a fragment. */
const countsOf = (nest: Nest) => {
  const { sets, stationaryTiles, movingTiles, stationaryBlocks, movingBlocks } = nest;
  return {
    calls: sets * stationaryTiles * movingTiles,
    packsStationary: sets * stationaryTiles * movingBlocks,
    packsMoving: sets * movingTiles * stationaryBlocks,
    /** Executions of the layer 3 body; each packs K2 moving tiles. */
    blocks: sets * stationaryBlocks * movingBlocks,
  };
};

/** Touches of the packed buffers by the microkernel and by packing. */
const packedReuses = (nest: Nest, { call, layer2, buffers }: Footprints): Reuse[] => {
  const { stationary, moving, output, rows } = nest;
  const { k2, k3 } = nest.sizes;
  const { calls, packsStationary, blocks } = countsOf(nest);
  const tile = stationary.packed;
  const tiles = k2 * moving.packed;
  return [
    // Stationary tile: last read by the previous call; for the first call after packing, written by it.
    { touches: (calls - packsStationary) * tile, from: call, to: call, strided: [rows(1, 1)] },
    { touches: packsStationary * tile, from: tile + stationary.raw(1), to: tile + moving.packed },
    // Moving tiles: last read for the previous stationary tile; for the first one after packing all K2, written by it.
    {
      touches: blocks * (k3 - 1) * tiles,
      from: layer2,
      to: layer2,
      strided: [rows(1, k2), stationary.strided(1)],
    },
    {
      touches: blocks * tiles,
      from: buffers + stationary.raw(1) + moving.raw(k2),
      to: buffers + stationary.raw(1) + output(1, k2),
    },
    // Packing overwrites what the last calls read.
    { touches: blocks * tiles, from: buffers + output(1, k2), to: buffers + moving.raw(k2) },
    { touches: (packsStationary - blocks) * tile, from: call, to: tile + stationary.raw(1) + output(1, 1) },
    reuseAt(blocks * tile, call + moving.raw(k2) + tiles),
  ];
};

/** Packing's reads of the tensors, except the first touch of each line. */
const tensorReuses = (nest: Nest, footprints: Footprints): Reuse[] => {
  const {
    stationary,
    moving,
    output,
    rows,
    sets,
    stationaryBlocks,
    movingBlocks,
    stationaryTiles,
    movingTiles,
  } = nest;
  const { k2, k3 } = nest.sizes;
  const { packsStationary, packsMoving, blocks } = countsOf(nest);
  const [filters, filterPacks] =
    nest.sizes.schedule === 'is' ? [moving, packsMoving] : [stationary, packsStationary];
  const nextRow = Math.min(Math.max(moving.rowTiles, 1), k2);
  const nextRowTiles = Math.min(Math.max(stationary.rowTiles, 1), k3);
  const { stride } = filters.strided(1);
  return [
    // One line of each of the Nf filters, element by element.
    {
      touches: filterPacks * Math.max(filters.tileElements - filters.raw(1), 0),
      from: filters.width + 1,
      to: filters.width + 1,
      own: { lines: filters.width, stride, run: 1 },
    },
    // Moving tiles: lines shared with the previous tile, with the previous row, between blocks, with the last K3 block.
    reuseAt(
      blocks * (k2 * moving.raw(1) - moving.rawByRow(k2)),
      moving.packed + moving.raw(1),
      moving.strided(1),
    ),
    reuseAt(
      blocks * (moving.rawByRow(k2) - moving.raw(k2)),
      nextRow * moving.packed + moving.raw(nextRow),
      moving.strided(nextRow),
    ),
    reuseAt(
      sets * stationaryBlocks * (movingBlocks * moving.raw(k2) - moving.raw(movingTiles)),
      footprints.layer3,
      moving.strided(k2),
    ),
    reuseAt(
      sets * (stationaryBlocks - 1) * moving.raw(movingTiles),
      footprints.layer4,
      moving.strided(movingTiles),
    ),
    // Stationary tiles: the same, repeated for every block of moving tiles.
    {
      ...reuseAt(
        blocks * (k3 * stationary.raw(1) - stationary.rawByRow(k3)),
        footprints.layer2,
        stationary.strided(1),
      ),
      strided: [rows(1, k2)],
    },
    reuseAt(
      blocks * (stationary.rawByRow(k3) - stationary.raw(k3)),
      footprints.buffers + stationary.raw(nextRowTiles) + output(nextRowTiles, k2),
      stationary.strided(nextRowTiles),
    ),
    reuseAt(
      sets * stationaryBlocks * (movingBlocks - 1) * stationary.raw(k3),
      footprints.layer3,
      stationary.strided(k3),
    ),
    reuseAt(
      sets * (stationaryBlocks * stationary.raw(k3) - stationary.raw(stationaryTiles)),
      footprints.layer4,
      stationary.strided(k3),
    ),
  ];
};

/** Touches of the output, except the first of each line: lines shared by neighbouring tiles, further channel sets. */
const outputReuses = (nest: Nest, { call, layer2, layer3, layer4, layer5 }: Footprints): Reuse[] => {
  const { output, rows, sets, stationaryTiles, movingTiles, stationaryBlocks, movingBlocks } = nest;
  const { k2, k3 } = nest.sizes;
  const { blocks } = countsOf(nest);
  const again = reuseAt(
    (sets - 1) * output(stationaryTiles, movingTiles),
    layer5,
    rows(stationaryTiles, movingTiles),
  );
  // Only tiles adjacent along the windows share lines.
  return nest.sizes.schedule === 'is'
    ? [
        reuseAt(blocks * k2 * (k3 * output(1, 1) - output(k3, 1)), layer2, rows(1, k2)),
        reuseAt(
          sets * movingTiles * (stationaryBlocks * output(k3, 1) - output(stationaryTiles, 1)),
          layer4,
          rows(k3, movingTiles),
        ),
        again,
      ]
    : [
        reuseAt(blocks * k3 * (k2 * output(1, 1) - output(1, k2)), call, rows(1, 1)),
        reuseAt(
          sets * stationaryTiles * (movingBlocks * output(1, k2) - output(1, movingTiles)),
          layer3,
          rows(k3, k2),
        ),
        again,
      ];
};

/** First touches within a fragment: of lines that an earlier fragment or channel set touched, or of cold ones. */
const firstTouches = (
  nest: Nest,
  own: Footprints,
  earlier: readonly FragmentProfile[],
  everything: number,
): Reuse[] => {
  const { stationary, moving, output, sets, stationaryTiles, movingTiles, sizes } = nest;
  const [stationaryDimension, movingDimension] =
    nest.sizes.schedule === 'is' ? (['windows', 'filters'] as const) : (['filters', 'windows'] as const);
  const operand = (touches: number, dimension: 'windows' | 'filters'): Reuse => {
    const source = earlier.findLastIndex(
      (other) =>
        other.sizes.channels.from === sizes.channels.from &&
        other.sizes[dimension].from === sizes[dimension].from,
    );
    const origin = earlier[source];
    if (origin === undefined) return neverBefore(touches);
    const between = earlier.slice(source + 1).reduce((sum, { footprints }) => sum + footprints.fragment, 0);
    return {
      touches,
      from: Math.min(between + origin.footprints.fragment, everything),
      to: Math.min(between + own.fragment, everything),
    };
  };
  const shared = (sets - 1) * (stationary.sharedBySets(stationaryTiles) + moving.sharedBySets(movingTiles));
  const ofStationary =
    sets * stationary.raw(stationaryTiles) - (sets - 1) * stationary.sharedBySets(stationaryTiles);
  const ofMoving = sets * moving.raw(movingTiles) - (sets - 1) * moving.sharedBySets(movingTiles);
  const outputs = output(stationaryTiles, movingTiles);
  const before = earlier.at(-1);
  return [
    reuseAt(shared, own.layer5),
    operand(ofStationary, stationaryDimension),
    operand(ofMoving, movingDimension),
    // The channel remainder accumulates into the output of the previous fragment.
    sizes.channels.from > 0 && before !== undefined
      ? { touches: outputs, from: before.footprints.layer5, to: own.layer5 }
      : neverBefore(outputs),
  ];
};

const profileOf = (
  sliced: SlicedConvolution,
  nest: Nest,
  earlier: readonly FragmentProfile[],
  everything: number,
): FragmentProfile => {
  const { microkernel, taps } = sliced;
  const footprints = footprintsOf(nest, everything);
  const { calls, packsStationary, packsMoving } = countsOf(nest);
  const along = lanesAlong(microkernel);
  const vectors = Math.ceil(microkernel[along] / elementsOfVector(sliced.elementBytes));
  const scalars = microkernel[along === 'windows' ? 'filters' : 'windows'];
  const perStep = vectors + scalars;
  return {
    sizes: nest.sizes,
    footprints,
    accesses:
      calls * (nest.sizes.nc * taps * perStep + 2 * scalars * vectors) +
      2 * (packsStationary * nest.stationary.tileElements + packsMoving * nest.moving.tileElements),
    reuses: [
      ...packedReuses(nest, footprints),
      ...tensorReuses(nest, footprints),
      ...outputReuses(nest, footprints),
      ...firstTouches(nest, footprints, earlier, everything),
    ],
  };
};

/** Lines of all tensors and buffers together: an upper bound on reuse distances. */
const wholeFootprint = (
  { channels, filters, windows, taps, elementBytes, shape }: SlicedConvolution,
  nests: readonly SlicingNest[],
  line: number,
): number => {
  const padded = paddedInput(shape);
  const buffers = nests.map(({ schedule, microkernel, nc, k2 }) => {
    const width =
      schedule === 'is'
        ? microkernel.windows + k2 * microkernel.filters
        : microkernel.filters + k2 * microkernel.windows;
    return nc * taps * width;
  });
  const bytes =
    channels * padded.h * padded.w * unpackedElementBytes(shape, 'input') +
    filters * channels * taps * unpackedElementBytes(shape, 'filters') +
    (filters * windows + Math.max(0, ...buffers)) * elementBytes;
  return bytes / line;
};

/** A plan's nests of Convolution Slicing, its scalar code without loops around it, and everything else. */
interface PricedParts {
  readonly nests: readonly SlicingNest[];
  readonly scalars: readonly PartSpans[];
  readonly others: readonly PlanPath<string>[];
}

const partsOf = (plan: AnyPlan): PricedParts => {
  const nests: SlicingNest[] = [];
  const scalars: PartSpans[] = [];
  const others: PlanPath<string>[] = [];
  if (isOpenPlan(plan)) return { nests, scalars, others: planPaths(plan) };
  for (const path of planPaths(plan)) {
    const nest = slicingNest(path);
    if (nest !== undefined) nests.push(nest);
    else if (path.leaf.kind === 'scalar' && belowSplits(path).nest.every(isOverGroups))
      scalars.push(spansOf(path));
    else others.push(path);
  }
  return { nests, scalars, others };
};

/** Profiles a nest of another form, in one group of one image, given the lines that earlier nests touch. */
export type ProfileOther = (
  sliced: SlicedConvolution,
  path: PlanPath<string>,
  before: number,
  line: number,
) => AccessProfile & { readonly footprint: number };

/** Profiles of one group of one image. */
const profiles = (
  sliced: SlicedConvolution,
  plan: AnyPlan,
  line: number,
  profileOther: ProfileOther,
): readonly AccessProfile[] => {
  const { nests, scalars, others } = partsOf(plan);
  const everything = wholeFootprint(sliced, nests, line);
  const fragments: FragmentProfile[] = [];
  for (const sizes of nests) {
    const own = { ...sliced, microkernel: sizes.microkernel };
    fragments.push(profileOf(own, nestOf(own, sizes, line), fragments, everything));
  }
  let footprint = fragments.reduce((sum, { footprints }) => sum + footprints.fragment, 0);
  const further = others.map((path) => {
    const profile = profileOther(sliced, path, Math.min(footprint, everything), line);
    footprint += profile.footprint;
    return profile;
  });
  const before = footprint === 0 ? Infinity : Math.min(footprint, everything);
  return [...fragments, ...further, ...scalars.map((edge) => edgeProfile(sliced, edge, before, line))];
};

/** `trafficOfPlan` for a plan of a tiling, or with `profileOther`, which other nests need. */
export const trafficOfTiling = (
  sliced: SlicedConvolution,
  plan: AnyPlan,
  caches: Hierarchy,
  profileOther: ProfileOther = noOther,
): Cost => {
  const parts = profiles(sliced, plan, caches.lineBytes, profileOther);
  /** Misses of a level, given the accesses that reach it; a missing level passes everything on. */
  const beyond = (geometry: CacheGeometry, reaching: number): number =>
    geometry.lines === 0
      ? reaching
      : Math.min(
          reaching,
          parts.reduce(
            (sum, { reuses }) => reuses.reduce((inner, reuse) => inner + misses(reuse, geometry), sum),
            0,
          ),
        );
  const accesses = parts.reduce((sum, part) => sum + part.accesses, 0);
  const l1 = beyond(caches.geometry.l1, accesses);
  const l2 = beyond(caches.geometry.l2, l1);
  const l3 = beyond(caches.geometry.l3, l2);
  const times = sliced.repetitions;
  return priced(
    { l1: times * (accesses - l1), l2: times * (l1 - l2), l3: times * (l2 - l3), memory: times * l3 },
    caches,
  );
};

const noOther: ProfileOther = (_, { name }) => {
  throw new Error(`${name} is no nest of Convolution Slicing`);
};

/** The model over tilings: prices the tiling's plan. */
export const trafficCost: CostModel = (
  sliced: SlicedConvolution,
  tiling: Tiling,
  caches: Hierarchy,
  edges?: Edges,
): Cost => trafficOfTiling(sliced, planOfTiling(sliced, tiling, edges), caches);
