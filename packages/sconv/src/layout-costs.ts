/**
 * What a convolution costs in a layout, and what a change of layouts costs, in cycles: a model with few figures, which
 * differ less between machines of one kind than layers differ from one another. They were measured on one core (AMD
 * EPYC with AVX2), natively and on WebAssembly: 100 layers of seven networks and 31 depthwise ones, each as it is given
 * and with operands that are in blocks already, in turns.
 */
import { convolutionDimensions, depthwiseConv2dNchwChw, structured } from '@sconv/dialects/linalg';
import type { Operation, Registry } from '@sconv/ir';
import { convolutionShape } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { blockedTile } from './blocked-tile.ts';
import type { Blocks } from './nchwc-schedule.ts';
import { laneRegisters } from './nchwc-schedule.ts';

/** Share of the most multiply-adds of a cycle that a plan on packed panels reaches, packing aside. */
const slicedShare = 0.9;
/** Cycles of packing an element of the windows. */
const packingCycles = 0.35;
/** How much longer a kernel on blocks takes whose filters come from behind the second cache for each few windows. */
const farFilters = 1.2;
/** Cycles of moving an element from one layout to another. */
const repackingCycles = 3;

/** What differs between kinds of code. */
interface Figures {
  /** Share of the most steps of a cycle that a kernel on blocks reaches: those of `blockedTile`. */
  readonly blockedShare: number;
  /** Cycles of a multiply-add of a depthwise convolution, with windows side by side, and with others. */
  readonly depthwise: { readonly dense: LayoutCosts; readonly strided: LayoutCosts };
}

const native: Figures = {
  blockedShare: 1.35,
  depthwise: { dense: { asGiven: 0.31, blocked: 0.26 }, strided: { asGiven: 0.63, blocked: 0.35 } },
};

const webAssembly: Figures = {
  blockedShare: 0.99,
  depthwise: { dense: { asGiven: 0.65, blocked: 0.9 }, strided: { asGiven: 1.2, blocked: 1.2 } },
};

const figuresOf = ({ microkernel }: Target): Figures =>
  microkernel.generation === 'wasm' ? webAssembly : native;

/** Cycles of a convolution as it is given, and in blocks; of the whole, groups included. */
export interface LayoutCosts {
  readonly asGiven: number;
  readonly blocked: number;
}

/** What one of static shape, that can be blocked, costs either way. */
export const layoutCosts = (operation: Operation, blocks: Blocks, target: Target): LayoutCosts => {
  const { machine } = target;
  const { blockedShare } = figuresOf(target);
  const found = convolutionShape(operation);
  if (found.status !== 'success') return { asGiven: 0, blocked: Infinity };
  const { shape, groups } = found.value;
  const units = machine.vector?.units ?? 1;
  const { lanes, registers } = laneRegisters(target);
  const taps = shape.inputChannels * shape.filterHeight * shape.filterWidth;
  const windows = shape.batch * shape.outputHeight * shape.outputWidth;
  const [images, products] = [shape.batch * groups, windows * shape.filters * taps * groups];
  const { cost, vectors } = blockedTile(
    {
      rows: shape.outputHeight,
      columns: shape.outputWidth,
      blocks: Math.ceil(shape.filters / blocks.filters),
    },
    registers,
  );
  const isFar = taps * vectors * lanes * 4 > (machine.cache.l2?.bytes ?? Infinity) / 2;
  return {
    asGiven: products / (lanes * units * slicedShare) + windows * taps * groups * packingCycles,
    blocked: ((cost * images * taps) / (units * blockedShare)) * (isFar ? farFilters : 1),
  };
};

/** What a depthwise convolution of static shape costs either way; nothing for any other op. */
export const depthwiseCosts = (operation: Operation, target: Target, registry: Registry): LayoutCosts => {
  const view = depthwiseConv2dNchwChw.is(operation) ? structured(registry, operation) : undefined;
  const dimensions = view && convolutionDimensions(view);
  if (view === undefined || dimensions === undefined) return { asGiven: 0, blocked: 0 };
  const { dense, strided } = figuresOf(target).depthwise;
  const products = view.loopRanges.reduce((product, range) => product * range, 1);
  const { asGiven, blocked } = dimensions.strides.every((stride) => stride === 1) ? dense : strided;
  return { asGiven: products * asGiven, blocked: products * blocked };
};

/** Cycles of moving so many elements from one layout to another. */
export const repackingCost = (elements: number): number => elements * repackingCycles;
