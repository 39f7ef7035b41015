/**
 * The Sliced Convolution as a schedule of smaller transforms (ST Figure 4): what `transform.structured.sconv` expands to.
 */
import type { Plan } from '@sconv/csa';
import { generalizeOp, linearizeOp, delinearizeOp } from '@sconv/normalization';
import { formMicrokernelOp, multipackOp, packFiltersOp, packWindowsOp } from '@sconv/packing';
import { dimensions } from '@sconv/packing-equations';
import { splitOp } from '@sconv/splitting';
import { gatherOperandOp, swapInductionVarsOp, tileUsingForOp } from '@sconv/tiling';
import type { Handle, Schedule } from '@sconv/transform';
import { match, mergeHandles, schedule } from '@sconv/transform';
import { match as matching } from 'ts-pattern';
import type { Edges, Fragment, SplitDimension, SplitTree } from './fragments.ts';
import { splitTree } from './fragments.ts';

/** The stages of the pipeline, in order. */
export const sconvStages = [
  'linearize',
  'split',
  'tile-outer',
  'tile-inner',
  'swap',
  'pack',
  'multipack',
  'delinearize',
] as const;

/** A fragment of the convolution and the handle to its op. */
interface FragmentHandle {
  readonly fragment: Fragment;
  readonly handle: Handle;
}

/** A fragment in its loops. */
interface Tile extends FragmentHandle {
  /** Outermost first. */
  readonly loops: readonly Handle[];
}

const positions: Readonly<Record<SplitDimension, number>> = {
  filters: dimensions.filter,
  windows: dimensions.window,
  channels: dimensions.channel,
};

/** `linalg.generic` on the linearised input has it as its first operand. */
const inputOperand = 0;

/**
 * The schedule that a plan stands for. Its root is the convolution; it yields the microkernels and the loops, six a
 * fragment (N, N_c, two outer, two inner).
 */
export const sconvSchedule = (plan: Plan, edges: Edges): Schedule =>
  schedule((recorder) => {
    const linearized = recorder.stage('linearize', () => {
      const { transformed } = generalizeOp({ target: recorder.root });
      return linearizeOp({ target: transformed }).linearized;
    });
    const fragments = recorder.stage('split', () => splitAll(splitTree(plan, edges), linearized));
    const sliced = fragments.filter(({ fragment }) => fragment.microkernel !== undefined);
    const outer = recorder.stage('tile-outer', () => sliced.map((each) => tileOuter(plan, each)));
    const inner = recorder.stage('tile-inner', () => outer.map(tileInner));
    recorder.stage('swap', () => {
      if (plan.schedule === 'is') for (const tile of inner) swapInductionVarsOp({ outer: tile.loops[4]! });
    });
    const packed = recorder.stage('pack', () => inner.map(({ handle }) => pack(handle)));
    const packings = recorder.stage('multipack', () => packed.map((each) => multipackMoving(plan, each)));
    recorder.stage('delinearize', () => {
      for (const target of packings) delinearizeOp({ target });
    });
    const somewhere = fragments[0]!.handle;
    return [
      joined(
        packed.map(({ microkernel }) => microkernel),
        somewhere,
      ),
      joined(
        inner.flatMap(({ loops }) => loops),
        somewhere,
      ),
    ];
  });

/** Stage 2. */
const splitAll = (tree: SplitTree, target: Handle): readonly FragmentHandle[] => {
  if (tree.kind === 'fragment') return [{ fragment: tree.fragment, handle: target }];
  const { first, second } = splitOp(
    { target },
    { dimension: positions[tree.dimension], staticChunkSizes: tree.at },
  );
  return [...splitAll(tree.low, first), ...splitAll(tree.high, second)];
};

/** Stage 3a: loops over N, N_c, then the sets of K3 and of K2 tiles. The input is gathered first, and stays unsliced. */
const tileOuter = (plan: Plan, { fragment, handle }: FragmentHandle): Tile => {
  const { gathering } = gatherOperandOp({ target: handle }, { operand: inputOperand });
  const { tile } = fragment;
  const order = matching(plan.schedule)
    .with('is', () => ['windows', 'filters'] as const)
    .with('ws', () => ['filters', 'windows'] as const)
    .exhaustive();
  const { tiledLinalgOp, loops } = tileUsingForOp(
    { target: gathering },
    {
      staticSizes: [1, tile.filters, tile.windows, tile.channels, 0, 0],
      interchange: [dimensions.batch, positions.channels, ...order.map((dimension) => positions[dimension])],
    },
  );
  return { fragment, handle: tiledLinalgOp, loops };
};

/** Stage 3b: loops over the filter tiles and window tiles of a set, filters outside. */
const tileInner = ({ fragment, handle, loops: outer }: Tile): Tile => {
  const { windows, filters } = fragment.microkernel!;
  const { tiledLinalgOp, loops } = tileUsingForOp({ target: handle }, { staticSizes: [0, filters, windows] });
  return { fragment, handle: tiledLinalgOp, loops: [...outer, ...loops] };
};

interface PackedTile {
  readonly windows: Handle;
  readonly filters: Handle;
  readonly microkernel: Handle;
}

/** Stage 4a. */
const pack = (target: Handle): PackedTile => {
  const withWindows = packWindowsOp({ target });
  const withFilters = packFiltersOp({ target: withWindows.packed });
  const { microkernel } = formMicrokernelOp({ target: withFilters.packed });
  return { windows: withWindows.packing, filters: withFilters.packing, microkernel };
};

/** Stage 4b: the operand that moves in the inner loops is packed K2 tiles at once. The packing of the windows. */
const multipackMoving = (plan: Plan, { windows, filters }: PackedTile): Handle =>
  matching(plan.schedule)
    .with('is', () => {
      multipackOp({ target: filters });
      return windows;
    })
    .with('ws', () => multipackOp({ target: windows }).multipacking)
    .exhaustive();

/** One handle for several; for none, a match of nothing in what `somewhere` stands for. */
const joined = (handles: readonly Handle[], somewhere: Handle): Handle =>
  handles.length > 0 ? mergeHandles({ handles }).result : match({ target: somewhere }, { ops: [] }).results;
