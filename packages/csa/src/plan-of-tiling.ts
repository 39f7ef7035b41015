/**
 * From a tiling to its plan (ST §5.2-5.4, Figure 3; SC §4.2, Figure 5): the splits that leave whole tiles, the
 * five-layer loop nest with packing in each part, and the edges.
 */
import type { ConvolutionDimension, Extents, KernelNode, Plan } from '@sconv/plans';
import type { Edges, TileRun } from './edges.ts';
import { tiledRuns } from './edges.ts';
import { expectRecord } from './errors.ts';
import type { ConvolutionShape } from './shape.ts';
import type { MicrokernelShape, Dataflow, SlicedConvolution, Tiling } from './tiling.ts';

/** The whole iteration space of a convolution. */
export const extentsOf = (sliced: SlicedConvolution): Extents => {
  expectRecord('sliced', sliced, 'shape');
  return extentsOfShape(sliced.shape);
};

/** The same of a shape: channels and filters are those of a group. */
export const extentsOfShape = (shape: ConvolutionShape): Extents => ({
  batch: shape.batch,
  group: shape.groups,
  channels: shape.inputChannels / shape.groups,
  windows: shape.outputHeight * shape.outputWidth,
  filters: shape.filters / shape.groups,
});

/** The dimension whose tile stays in L1, and the one that streams past. */
export const dimensionRoles = (schedule: Dataflow) =>
  schedule === 'is'
    ? ({ stationary: 'windows', moving: 'filters' } as const)
    : ({ stationary: 'filters', moving: 'windows' } as const);

/** What the plan of a tiling depends on besides the tiling. */
export interface PlannedSpace {
  readonly extents: Extents;
  readonly microkernel: MicrokernelShape;
  readonly elementBytes: number;
}

/**
 * The plan of a tiling. First the structural splits (ST §5.2, 2a): windows, then filters, into runs of equal tiles;
 * then in each part the tiling splits (2b): K2, K3 and Nc, in this order. A loop over groups is outermost.
 *
 * @deviation ST leaves structural edges as scalar code, so at its defaults 1076 of ConvBench's 7922 convolutions have
 * no microkernel at all. Here that is one of several kinds of edges.
 */
export const planOfExtents = (space: PlannedSpace, tiling: Tiling, edges: Edges): Plan => {
  expectRecord('space', space, 'extents', 'microkernel');
  expectRecord('tiling', tiling);
  const { extents } = space;
  const ofGroup = planOfGroup({ ...space, extents: { ...extents, group: 1 } }, tiling, edges);
  return extents.group === 1 ? ofGroup : loop('group', extents.group, 1, ofGroup);
};

const planOfGroup = (space: PlannedSpace, tiling: Tiling, edges: Edges): Plan => {
  const { extents: whole, microkernel, elementBytes } = space;
  const isSmall = whole.windows < microkernel.windows || whole.filters < microkernel.filters;
  // Without a full tile in one dimension everything is one edge.
  if (edges === 'scalar' && isSmall) return { kind: 'scalar', extents: whole };
  const runs = tiledRuns(whole, microkernel, edges, elementBytes);
  return split(
    'windows',
    runs.map(({ windows, filters, lanes }) =>
      runPart('windows', whole, windows, (byWindows, width) =>
        split(
          'filters',
          filters.map((run) =>
            runPart('filters', byWindows, run, (extents, height) =>
              splitByTiling(
                extents,
                { windows: width, filters: height },
                lanes,
                withTilesOf(tiling, filters[0]!.width ?? height, microkernel.filters),
              ),
            ),
          ),
        ),
      ),
    ),
  );
};

export const planOfTiling = (sliced: SlicedConvolution, tiling: Tiling, edges: Edges = 'scalar'): Plan =>
  planOfExtents({ ...sliced, extents: extentsOf(sliced) }, tiling, edges);

/** The part of a run; one without a microkernel is scalar. */
const runPart = (
  dimension: 'windows' | 'filters',
  extents: Extents,
  { size, width }: TileRun,
  tiled: (extents: Extents, width: number) => Plan,
): { readonly size: number; readonly body: Plan } => {
  const part = { ...extents, [dimension]: size };
  return { size, body: width === undefined ? { kind: 'scalar', extents: part } : tiled(part, width) };
};

/** The tiling for tiles of `width` filters, with blocks of no more filters than its own tiles of `own` filters have. */
const withTilesOf = (tiling: Tiling, width: number, own: number): Tiling => {
  if (width <= own) return tiling;
  const tiles = dimensionRoles(tiling.schedule).moving === 'filters' ? 'k2' : 'k3';
  return { ...tiling, [tiles]: Math.max(1, Math.floor((tiling[tiles] * own) / width)) };
};

/** Stage 2b: splits off the remainders of K2, K3 and Nc. */
const splitByTiling = (
  extents: Extents,
  microkernel: MicrokernelShape,
  lanes: KernelNode['lanes'],
  { schedule, nc, k2, k3 }: Tiling,
): Plan => {
  const { stationary, moving } = dimensionRoles(schedule);
  return splitBlocks(moving, extents, k2 * microkernel[moving], (byK2, movingBlock) =>
    splitBlocks(stationary, byK2, k3 * microkernel[stationary], (byK3, stationaryBlock) =>
      splitBlocks('channels', byK3, nc, (last, channels) =>
        nest(last, schedule, microkernel, lanes, {
          moving: movingBlock,
          stationary: stationaryBlock,
          channels,
        }),
      ),
    ),
  );
};

/** Splits after the last whole block of `size`; `then` receives each part's block size. */
const splitBlocks = (
  dimension: ConvolutionDimension,
  extents: Extents,
  size: number,
  then: (extents: Extents, block: number) => Plan,
): Plan => {
  const extent = extents[dimension];
  const block = Math.min(size, extent);
  const rest = extent % block;
  const part = (size: number, ofBlock: number) => ({
    size,
    body: then({ ...extents, [dimension]: size }, ofBlock),
  });
  return split(dimension, [part(extent - rest, block), ...(rest === 0 ? [] : [part(rest, rest)])]);
};

/** A single part is not split. */
const split = (
  dimension: ConvolutionDimension,
  parts: readonly { readonly size: number; readonly body: Plan }[],
): Plan => {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only.body : { kind: 'split', dimension, parts };
};

/** The nest of one part: layers 5 to 1, multipacking in layer 3, packing in layer 2. */
const nest = (
  extents: Extents,
  schedule: Dataflow,
  microkernel: MicrokernelShape,
  lanes: KernelNode['lanes'],
  block: { readonly moving: number; readonly stationary: number; readonly channels: number },
): Plan => {
  const { stationary, moving } = dimensionRoles(schedule);
  const pack = (dimension: 'windows' | 'filters', tiles: number, body: Plan): Plan => ({
    kind: 'pack',
    operand: dimension === 'windows' ? 'input' : 'filters',
    tiles,
    body,
  });
  const call: Plan = {
    kind: 'kernel',
    lanes,
    extents: { batch: 1, group: 1, channels: block.channels, ...microkernel },
  };
  const layer1 = loop(moving, block.moving, microkernel[moving], call);
  const layer2 = loop(stationary, block.stationary, microkernel[stationary], pack(stationary, 1, layer1));
  const multipacked = pack(moving, block.moving / microkernel[moving], layer2);
  const layer3 = loop(moving, extents[moving], block.moving, multipacked);
  const layer4 = loop(stationary, extents[stationary], block.stationary, layer3);
  const layer5 = loop('channels', extents.channels, block.channels, layer4);
  return loop('batch', extents.batch, 1, layer5);
};

const loop = (dimension: ConvolutionDimension, extent: number, step: number, body: Plan): Plan => ({
  kind: 'loop',
  dimension,
  step,
  count: extent / step,
  body,
});
