/**
 * Data tiling (IREE slides, "Selecting a Data Layout"): a convolution in NCHWc, with filters in FCHWcf, whose
 * microkernel reads both where they lie. `c` and `f` are as long as the target's vectors. NHWC is the case `c = C`,
 * which is read as it is.
 *
 *     for images, blocks of filters, rows, columns:
 *       kernel: a few windows of a few vectors of filters, summed over all channels and taps
 */
import { applyPatterns } from '@sconv/canonicalization/transforms';
import { andThen, mapSuccess } from '@sconv/diagnostics';
import { kernelAttributeName } from '@sconv/dialects';
import { conv2dNhwcHwcf } from '@sconv/dialects/linalg';
import type { Module, Operation } from '@sconv/ir';
import { dictionaryAttribute, stringAttribute, walk } from '@sconv/ir';
import { generalize } from '@sconv/normalization/transforms';
import { lowerPack, lowerUnpack, pack, packTranspose } from '@sconv/packing/transforms';
import { convolutionShape, recordGroups, slicedAs } from '@sconv/slicing';
import { split } from '@sconv/splitting/transforms';
import type { Target } from '@sconv/targets';
import { tileUsingFor } from '@sconv/tiling/transforms';
import type { Handle, Recorder } from '@sconv/transform';
import {
  annotate,
  callSite,
  getProducerOfOperand,
  runSchedule,
  schedule,
  splitHandle,
} from '@sconv/transform';
import type { BlockedConvolution } from './blocked-convolution.ts';
import { blockedConvolution } from './blocked-convolution.ts';
import { defaultRegistry } from './default-registry.ts';
import type { Scheduler } from './scheduler.ts';
import { planTarget } from './target-schedule.ts';

/** The convolutions that are packed; grouped ones within a loop over their groups, channels last as they are. */
const convolutionNames = [
  'linalg.conv_2d_nchw_fchw',
  'linalg.conv_2d_nhwc_hwcf',
  'linalg.conv_2d_ngchw_fgchw',
  'linalg.conv_2d_ngchw_gfchw',
] as const;

type Script = Recorder<'builtin.module'>;
type Generic = Handle<'linalg.generic'>;

/** The location of generated ops. */
const here = callSite();

/** Elements of 32 bits in a vector. */
const lanesOf = ({ machine }: Target): number => Math.floor((machine.vector?.bits ?? 128) / 32);

/** How many channels a block has: the largest divisor of all of them that is no more than a vector; all if few. */
const blockOf = (channels: number, lanes: number): number => {
  for (let size = lanes; size > 1; size -= 1) if (channels % size === 0) return size;
  return channels <= 2 * lanes ? channels : lanes;
};

interface Matched {
  readonly operation: Operation;
  /** Channels and filters of a block; undefined if the op is left as it is. */
  readonly blocks: { readonly channels: number; readonly filters: number } | undefined;
}

/** The convolutions of a module with the blocks that they get, in program order. */
const matchedIn = (module: Module, lanes: number): readonly Matched[] =>
  [...walk(module.root)]
    .filter(({ name }) => convolutionNames.some((each) => each === name))
    .map((operation) => {
      const found = convolutionShape(operation);
      const shape =
        found.status === 'success' && operation.results.length > 0 ? found.value.shape : undefined;
      // Elements narrower than the sums are converted where they are packed.
      if (shape === undefined || shape.unpackedBytes !== undefined) return { operation, blocks: undefined };
      const blocks = {
        channels: blockOf(shape.inputChannels, lanes),
        filters: Math.min(lanes, shape.filters),
      };
      return { operation, blocks };
    });

/** Records the packing of each. */
const recordPackings = ($: Script, matched: readonly Matched[]): void => {
  const { results } = splitHandle(
    { handle: $.match(...convolutionNames) },
    {},
    { resultCount: matched.length },
  );
  results.forEach((target, i) => {
    const { operation, blocks } = matched[i]!;
    if (blocks === undefined) return;
    const { form } = slicedAs(operation)!;
    const convolution = form.kind === 'dense' ? target : recordGroups(target, form).convolution;
    const { transformed } = generalize({ target: convolution });
    if (conv2dNhwcHwcf.is(operation)) return;
    const packed = pack(
      { target: transformed, packedSizes: [] },
      { staticPackedSizes: [0, blocks.filters, 0, 0, blocks.channels, 0, 0] },
    ).packedOp;
    // FCHWfc to FCHWcf: vectors are along filters.
    const { producer } = getProducerOfOperand({ target: packed }, { operandNumber: 1 });
    packTranspose({ targetPackOrUnPackOp: producer, targetLinalgOp: packed }, { innerPerm: [1, 0] });
  });
  applyPatterns({ target: $.root }, ['linalg.tiling_canonicalization']);
  lowerPack({ target: $.match('tensor.pack') });
  lowerUnpack({ target: $.match('tensor.unpack') });
};

/** Accumulators and other vectors that a kernel keeps in registers, at least. */
const registers = 16;
/** Multiply-adds that hide the latency of one another. */
const pipelined = 8;
/** The most windows of a kernel: each is code of its own. */
const mostWindows = 56;

/** What a step of a kernel with so many windows and vectors costs: multiply-adds, and loads of which two are one. */
const costOf = (windows: number, vectors: number): number => {
  let least = Infinity;
  for (let v = 1; v <= vectors; v += 1)
    for (let w = 1; w <= windows && v * w + v + 1 <= registers; w += 1) {
      const passes = Math.ceil(vectors / v) * Math.ceil(windows / w);
      least = Math.min(least, passes * (Math.max(v * w, pipelined) + (v + w) / 2));
    }
  return least;
};

const divisors = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => i + 1).filter((each) => count % each === 0);

/** The sizes of a kernel's tile. */
interface Tile {
  readonly rows: number;
  readonly columns: number;
  /** Vectors of filters. */
  readonly vectors: number;
}

/** The tile with the least cost for all windows and filters. */
const tileOf = ({ rows, columns, filterBlocks, filters }: BlockedConvolution, lanes: number): Tile => {
  const blocks = filterBlocks?.extent ?? Math.max(1, Math.floor(filters.extent / lanes));
  let best: (Tile & { readonly cost: number }) | undefined;
  for (const vectors of divisors(blocks).filter((each) => each <= 4))
    for (let width = 1; width <= Math.min(columns.extent, mostWindows); width += 1)
      for (const height of divisors(rows.extent)) {
        if (height * width > mostWindows || (height > 1 && width < columns.extent)) continue;
        const rest = columns.extent % width;
        const ofRow = Math.floor(columns.extent / width) * costOf(height * width, vectors);
        const ofRest = rest === 0 ? 0 : costOf(height * rest, vectors);
        const cost = ((ofRow + ofRest) * (rows.extent / height) * blocks) / vectors;
        if (best === undefined || cost < best.cost) best = { rows: height, columns: width, vectors, cost };
      }
  return best ?? { rows: 1, columns: 1, vectors: 1 };
};

/** Consecutive parts of a dimension: whole tiles, and the rest. */
const partsOf = (
  target: Generic,
  dimension: number,
  extent: number,
  size: number,
): readonly (readonly [Generic, number])[] => {
  const whole = extent - (extent % size);
  if (whole === extent || whole === 0) return [[target, Math.min(size, extent)]];
  const { first, second } = split({ target }, { dimension, staticChunkSizes: whole, exact: true });
  return [
    [first, size],
    [second, extent - whole],
  ];
};

/** Records the loops around the kernel of one. */
const recordKernel = (target: Generic, convolution: BlockedConvolution, lanes: number): void => {
  const { batch, rows, columns, filterBlocks, filters, rank } = convolution;
  const tile = tileOf(convolution, lanes);
  const ofFilters = filterBlocks === undefined ? tile.vectors * lanes : tile.vectors;
  const shared = filterBlocks ?? filters;
  for (const [some, filterSize] of partsOf(target, shared.position, shared.extent, ofFilters))
    for (const [part, width] of partsOf(some, columns.position, columns.extent, tile.columns)) {
      const sizes = new Array<number>(rank).fill(0);
      sizes[batch.position] = 1;
      sizes[shared.position] = filterSize;
      sizes[rows.position] = tile.rows;
      sizes[columns.position] = width;
      const order = [batch, shared, rows, columns].map(({ position }) => position);
      const others = Array.from({ length: rank }, (_, i) => i).filter((each) => !order.includes(each));
      const { tiledLinalgOp } = tileUsingFor(
        { target: part },
        { staticSizes: sizes, interchange: [...order, ...others], exact: true },
      );
      const decisions = dictionaryAttribute({ lanes: stringAttribute(`d${filters.position}`) });
      annotate(
        { target: tiledLinalgOp, param: target.recorder.param(decisions) },
        { name: kernelAttributeName },
      );
    }
};

/** Records the kernels of the blocked convolutions of a module. */
const recordKernels = ($: Script, module: Module, lanes: number): void => {
  const generics = [...walk(module.root)].filter(({ name }) => name === 'linalg.generic');
  const found = generics.map((operation) => blockedConvolution(operation));
  if (found.every((each) => each === undefined)) return;
  const { results } = splitHandle(
    { handle: $.match('linalg.generic') },
    {},
    { resultCount: generics.length },
  );
  results.forEach((target, i) => {
    const convolution = found[i];
    if (convolution !== undefined) recordKernel(target, convolution, lanes);
  });
};

/**
 * Convolutions of elements of one type, in NCHW, NCHWc and NHWC, in tiles that are read in place, NCHW ones packed to
 * NCHWc before; the target's own schedule for all else.
 */
export const nchwc: Scheduler = (payload, target, planning = {}, form = 'expanded') => {
  const lanes = lanesOf(target);
  const registry = planning.registry ?? defaultRegistry;
  const matched = matchedIn(payload, lanes);
  const packing = ($: Script): void => {
    if (matched.some(({ blocks }) => blocks !== undefined))
      $.at(here, () => $.stage('pack', () => recordPackings($, matched)));
  };
  const run = (module: Module, record: ($: Script) => void) =>
    mapSuccess(
      runSchedule(
        schedule(($) => {
          record($);
          return undefined;
        }).module,
        module,
        { registry },
      ),
      (result) => result.module,
    );
  return andThen(run(payload, packing), (packed) => {
    const tiling = ($: Script): void =>
      $.at(here, () => $.stage('tile', () => recordKernels($, packed, lanes)));
    return andThen(run(packed, tiling), (tiled) =>
      mapSuccess(planTarget(tiled, target, planning, form), ({ plans, record }) => ({
        ...schedule(($) => {
          packing($);
          tiling($);
          record($);
          return undefined;
        }),
        plans,
      })),
    );
  });
};
