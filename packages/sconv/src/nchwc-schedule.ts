/**
 * Data tiling (IREE slides, "Selecting a Data Layout"): a convolution in NCHWc, with filters in FCHWcf, whose
 * microkernel reads both where they lie. `c` and `f` are as long as the target's vectors. NHWC is the case `c = C`,
 * which is read as it is.
 *
 *     for images, blocks of filters, rows, columns:
 *       kernel: a few windows of a few vectors of filters, summed over all channels and taps
 */
import { applyPatterns } from '@sconv/canonicalization/transforms';
import { kernelAttributeName } from '@sconv/dialects';
import { conv2dNhwcHwcf, transpose } from '@sconv/dialects/linalg';
import type { Id, Module, Operation, Registry, Value } from '@sconv/ir';
import { dictionaryAttribute, stringAttribute, walk } from '@sconv/ir';
import { generalize } from '@sconv/normalization/transforms';
import { lowerPack, lowerUnpack, pack, packTranspose } from '@sconv/packing/transforms';
import type { LaneRegisters } from '@sconv/kernels';
import { convolutionShape } from '@sconv/slicing';
import { split } from '@sconv/splitting/transforms';
import type { Target } from '@sconv/targets';
import { kernelRegisters } from '@sconv/targets';
import { fuseEpilogue, gatherOperand, tileUsingFor } from '@sconv/tiling/transforms';
import type { Handle } from '@sconv/transform';
import { annotate, getProducerOfOperand } from '@sconv/transform';
import type { BlockedConvolution } from './blocked-convolution.ts';
import { blockedConvolution } from './blocked-convolution.ts';
import { blockedTile } from './blocked-tile.ts';
import { defaultRegistry } from './default-registry.ts';
import { epiloguesOf } from './epilogues.ts';
import { recordEpilogue } from './record-epilogue.ts';
import type { Stage } from './recorded-convolutions.ts';
import { matchEach, operationsOf, recordOneGroup, scheduleBehind } from './recorded-convolutions.ts';
import type { Scheduler } from './scheduler.ts';

/** The convolutions that are packed; grouped ones within a loop over their groups, channels last as they are. */
export const blockedNames = [
  'linalg.conv_2d_nchw_fchw',
  'linalg.conv_2d_nhwc_hwcf',
  'linalg.conv_2d_ngchw_fgchw',
  'linalg.conv_2d_ngchw_gfchw',
] as const;

type Generic = Handle<'linalg.generic'>;

/** The vectors of a machine that tells of none. */
const anyUnit = { bits: 128, registers: 16, fused: true };

/** A target's vectors of elements of 32 bits. */
export const laneRegisters = ({ machine }: Target): LaneRegisters => {
  const unit = machine.vector ?? anyUnit;
  return { lanes: Math.floor(unit.bits / 32), registers: kernelRegisters(unit) };
};

/** How many channels a block has: the largest divisor of all of them that is no more than a vector; 0 of fewer. */
const blockOf = (channels: number, lanes: number): number => {
  if (channels < lanes) return 0;
  for (let size = lanes; size > 1; size -= 1) if (channels % size === 0) return size;
  return channels <= 2 * lanes ? channels : lanes;
};

/** Channels and filters of a block. */
export interface Blocks {
  /** 0 where the input is read as it is given. */
  readonly channels: number;
  readonly filters: number;
}

/** The blocks that a convolution gets for a target; undefined if it is left as it is. */
export const blocksOf = (operation: Operation, target: Target): Blocks | undefined => {
  const found = convolutionShape(operation);
  const shape = found.status === 'success' && operation.results.length > 0 ? found.value.shape : undefined;
  // Elements narrower than the sums are converted where they are packed.
  if (shape === undefined || shape.unpackedBytes !== undefined) return undefined;
  const { lanes } = laneRegisters(target);
  return { channels: blockOf(shape.inputChannels, lanes), filters: Math.min(lanes, shape.filters) };
};

/** Says of the convolutions of `blockedNames` which are packed, and how. */
export type Blocking = (operation: Operation) => Blocks | undefined;

/** The packing of the convolutions of a module that get blocks; `propagates` moves packings until they meet. */
export const packingStage = (module: Module, blocking: Blocking, propagates = false): Stage | undefined => {
  const matched = operationsOf(module, blockedNames).map((operation) => ({
    operation,
    blocks: blocking(operation),
  }));
  if (matched.every(({ blocks }) => blocks === undefined)) return undefined;
  return [
    'pack',
    ($) => {
      matchEach($, blockedNames, matched.length, (target, i) => {
        const { operation, blocks } = matched[i]!;
        if (blocks !== undefined) recordPacking(target, operation, blocks);
      });
      if (propagates)
        applyPatterns({ target: $.root }, [
          'linalg.data_layout_propagation',
          'linalg.further_data_layout_propagation',
          'canonicalization',
        ]);
      applyPatterns({ target: $.root }, ['linalg.tiling_canonicalization']);
      lowerPack({ target: $.match('tensor.pack') });
      lowerUnpack({ target: $.match('tensor.unpack') });
      // Drops paddings by nothing.
      applyPatterns({ target: $.root }, ['canonicalization']);
    },
  ];
};

/** Records the packing of one. */
const recordPacking = (
  target: Handle<(typeof blockedNames)[number]>,
  operation: Operation,
  { channels, filters }: Blocks,
): void => {
  const { transformed } = generalize({ target: recordOneGroup(target, operation) });
  if (conv2dNhwcHwcf.is(operation)) return;
  const packed = pack(
    { target: transformed, packedSizes: [] },
    { staticPackedSizes: [0, filters, 0, 0, channels, 0, 0] },
  ).packedOp;
  if (channels === 0) return;
  // FCHWfc to FCHWcf: vectors are along filters.
  const { producer } = getProducerOfOperand({ target: packed }, { operandNumber: 1 });
  packTranspose({ targetPackOrUnPackOp: producer, targetLinalgOp: packed }, { innerPerm: [1, 0] });
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
const recordKernel = (
  target: Generic,
  convolution: BlockedConvolution,
  { lanes, registers }: LaneRegisters,
): void => {
  const { batch, rows, columns, filterBlocks, filters, rank } = convolution;
  const blocks = filterBlocks?.extent ?? Math.max(1, Math.floor(filters.extent / lanes));
  const tile = blockedTile({ rows: rows.extent, columns: columns.extent, blocks }, registers);
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

/** What a packed value is made of, past reshapes and paddings. */
const originOf = (definitions: ReadonlyMap<Id, Operation>, { id }: Value): Operation | undefined => {
  const definition = definitions.get(id);
  return definition !== undefined && reshapes.has(definition.name)
    ? originOf(definitions, definition.operands[0]!)
    : definition;
};
const reshapes: ReadonlySet<string> = new Set(['tensor.pad', 'tensor.expand_shape']);

/**
 * The packings of filters and constants as gathers, which backends recognise: those of weights are kept from call to
 * call.
 */
export const gatheringStage = (module: Module): Stage | undefined => {
  const operations = [...walk(module.root)];
  const definitions = new Map(
    operations.flatMap((operation) => operation.results.map(({ id }) => [id, operation] as const)),
  );
  const filters = new Set(
    operations.flatMap((each) => (blockedConvolution(each) === undefined ? [] : [each.operands[1]!.id])),
  );
  const isKept = operations
    .filter((each) => transpose.is(each))
    .map(
      ({ operands, results }) =>
        originOf(definitions, operands[0]!)?.name === 'arith.constant' ||
        results.some(({ id }) => filters.has(id)),
    );
  if (!isKept.includes(true)) return undefined;
  return [
    'gather',
    ($) =>
      matchEach($, ['linalg.transpose'], isKept.length, (target, i) => {
        if (isKept[i]) gatherOperand({ target: generalize({ target }).transformed }, { operand: 0 });
      }),
  ];
};

/** The loops around the kernels of the blocked convolutions of a module; what follows one is fused into them. */
export const tilingStage = (module: Module, target: Target, registry: Registry): Stage | undefined => {
  const generics = operationsOf(module, ['linalg.generic']);
  const found = generics.map((operation) => blockedConvolution(operation));
  if (found.every((each) => each === undefined)) return undefined;
  const convolutions = generics.filter((_, i) => found[i] !== undefined);
  const { before } = epiloguesOf(module, convolutions, registry);
  return [
    'tile',
    ($) =>
      matchEach($, ['linalg.generic'], found.length, (generic, i) => {
        const convolution = found[i];
        if (convolution === undefined) return;
        const epilogue = before.has(generics[i]!) ? recordEpilogue(generic) : undefined;
        recordKernel(generic, convolution, laneRegisters(target));
        if (epilogue !== undefined) fuseEpilogue({ target: epilogue });
      }),
  ];
};

/**
 * Convolutions of elements of one type, in NCHW, NCHWc and NHWC, in tiles that are read in place, NCHW ones packed to
 * NCHWc before; the target's own schedule for all else.
 */
export const nchwc: Scheduler = (payload, target, planning = {}, form = 'expanded') =>
  scheduleBehind({ payload, target, planning, form }, [
    (module) => packingStage(module, (operation) => blocksOf(operation, target)),
    gatheringStage,
    (module) => tilingStage(module, target, planning.registry ?? defaultRegistry),
  ]);
