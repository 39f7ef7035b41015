/**
 * What a convolution costs in a layout, and what a change of layouts costs, in cycles: a model with three figures that
 * were measured on one core (AMD EPYC with AVX2, `sconv bench --schedulers` of layers of ResNet-18, MobileNetV2 and
 * SqueezeNet), which differ less between machines of one kind than layers differ from one another.
 */
import type { Operation } from '@sconv/ir';
import { convolutionShape } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { blockedTile } from './blocked-tile.ts';
import type { Blocks } from './nchwc-schedule.ts';

/** Share of the most multiply-adds of a cycle that a plan on packed panels reaches, packing aside. */
const slicedShare = 0.9;
/** Cycles of packing an element of the windows. */
const packingCycles = 0.75;
/** Share of the most steps of a cycle that a kernel on blocks reaches: those of `blockedTile`. */
const blockedShare = 1.15;
/** How much longer a kernel on blocks takes whose filters come from behind the second cache for each few windows. */
const farFilters = 1.5;
/** Cycles of moving an element from one layout to another. */
const repackingCycles = 3;

/** Cycles of a convolution as it is given, and in blocks; of the whole, groups included. */
export interface LayoutCosts {
  readonly asGiven: number;
  readonly blocked: number;
}

/** What one of static shape, that can be blocked, costs either way. */
export const layoutCosts = (operation: Operation, blocks: Blocks, { machine }: Target): LayoutCosts => {
  const found = convolutionShape(operation);
  if (found.status !== 'success') return { asGiven: 0, blocked: Infinity };
  const { shape, groups } = found.value;
  const { units, bits } = { units: machine.vector?.units ?? 1, bits: machine.vector?.bits ?? 128 };
  const lanes = bits / 32;
  const taps = shape.inputChannels * shape.filterHeight * shape.filterWidth;
  const windows = shape.batch * shape.outputHeight * shape.outputWidth;
  const [images, products] = [shape.batch * groups, windows * shape.filters * taps * groups];
  const { cost, vectors } = blockedTile({
    rows: shape.outputHeight,
    columns: shape.outputWidth,
    blocks: Math.ceil(shape.filters / blocks.filters),
  });
  const isFar = taps * vectors * (bits / 8) > (machine.cache.l2?.bytes ?? Infinity) / 2;
  return {
    asGiven: products / (lanes * units * slicedShare) + windows * taps * groups * packingCycles,
    blocked: ((cost * images * taps) / (units * blockedShare)) * (isFar ? farFilters : 1),
  };
};

/** Cycles of moving so many elements from one layout to another. */
export const repackingCost = (elements: number): number => elements * repackingCycles;
