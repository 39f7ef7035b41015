/**
 * Families of microkernels whose operands lie where they are (TT §5.1): how fast each is, and which are worth
 * combining.
 */
import { expectRecord } from './target-error.ts';
import type { Machine, VectorUnit } from './machine.ts';
import { kernelRegisters, modelledSpeeds } from './register-tiles.ts';

/** Steps of a dimension that is summed over that are code of their own; 1: a loop. */
export interface KernelUnroll {
  readonly channels: number;
  /** TT's r. */
  readonly tapRows: number;
  /** TT's s. */
  readonly tapColumns: number;
}

/** Kernels that differ in their height alone (TT §5.1): combinations of two cover a dimension. */
export interface KernelClass {
  readonly unroll: KernelUnroll;
  /** Vectors of filters: TT's α, along k. */
  readonly vectors: number;
  /** Windows, such as rows of the output: TT's β, along h. Ascending, without gaps only where none was too slow. */
  readonly heights: readonly number[];
}

/** The kernels of a machine that are worth combining. */
export interface KernelFamily {
  /** Elements of a vector. */
  readonly lanes: number;
  readonly classes: readonly KernelClass[];
  /** What measured them, or by what rule they are chosen. */
  readonly source: string;
}

/** The kernels of one unrolling. */
export interface KernelGrid {
  readonly unroll: KernelUnroll;
  /** The speed of each kernel as a share of the best of all grids: by vectors, then by height, both from 1. */
  readonly shares: readonly (readonly number[])[];
}

/** How fast the kernels of a machine are, each alone. */
export interface KernelShares {
  /** Elements of a vector. */
  readonly lanes: number;
  readonly grids: readonly KernelGrid[];
  /** What measured them, and how; or by what rule they are estimated. */
  readonly source: string;
  /** The processor, and what made the code, that they were measured with; absent: estimated. */
  readonly fingerprint?: string;
}

/** Kept are kernels above this share of the best (TT §5.1). */
export const keptShare = 0.85;

const looped: KernelUnroll = { channels: 1, tapRows: 1, tapColumns: 1 };

/** TT's four classes, plain and with taps unrolled along s, r, and both; and plain ones with channels unrolled. */
export const kernelUnrolls = (taps: readonly number[]): readonly KernelUnroll[] => [
  looped,
  ...[2, 4].map((channels) => ({ ...looped, channels })),
  ...taps.flatMap((tap) => [
    { ...looped, tapColumns: tap },
    { ...looped, tapRows: tap },
    { ...looped, tapRows: tap, tapColumns: tap },
  ]),
];

/** The kernels above a share of the best, in classes; classes without any are left out. */
export const keptKernels = (
  { lanes, grids, source }: Pick<KernelShares, 'lanes' | 'grids' | 'source'>,
  least = keptShare,
): KernelFamily => ({
  lanes,
  classes: grids.flatMap(({ unroll, shares }) =>
    shares.flatMap((byHeight, i) => {
      const heights = byHeight.flatMap((share, j) => (share >= least ? [j + 1] : []));
      return heights.length === 0 ? [] : [{ unroll, vectors: i + 1, heights }];
    }),
  ),
  source,
});

type Unit = Pick<VectorUnit, 'bits' | 'registers' | 'units' | 'loads' | 'latency' | 'fused'>;

/** Cycles of a step of each kernel that the registers hold, by the bounds of the unit: by vectors, then by height. */
export const kernelCycles = (unit: Unit): readonly (readonly number[])[] =>
  modelledSpeeds({ ...unit, registers: kernelRegisters(unit) }).stepCycles;

/** The shares of f32 kernels by the bounds of a unit: its multiply-adds, its loads, and the latency of a sum. */
const estimated = (unit: Unit): KernelShares => {
  const cycles = kernelCycles(unit);
  const speeds = cycles.map((byHeight, i) => byHeight.map((each, j) => ((i + 1) * (j + 1)) / each));
  const best = Math.max(...speeds.flat());
  const shares = speeds.map((byHeight) => byHeight.map((speed) => Number((speed / best).toPrecision(3))));
  return {
    lanes: unit.bits / 32,
    grids: kernelUnrolls([3, 5, 7]).map((unroll) => ({ unroll, shares })),
    source: 'estimated by multiply-adds and loads per cycle, latency and registers; not measured',
  };
};

/** What of a target says how fast its kernels are. */
interface WithKernels {
  readonly machine: Pick<Machine, 'vector'>;
  readonly kernels?: KernelShares;
}

/** How fast the f32 kernels of a target are: measured, or estimated. Undefined without a vector unit. */
export const kernelShares = (target: WithKernels): KernelShares | undefined => {
  expectRecord('target', target, 'machine');
  const { vector } = target.machine;
  return target.kernels ?? (vector && estimated(vector));
};

/** The kernels of a target that are worth combining; undefined without a vector unit. */
export const kernelFamily = (target: WithKernels): KernelFamily | undefined => {
  const shares = kernelShares(target);
  return shares && keptKernels(shares);
};
