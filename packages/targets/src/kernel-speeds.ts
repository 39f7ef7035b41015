/** Measured microkernel speeds: for choosing plans and for dividing tiles into register tiles. */

import type { StepSpeeds, TileShape } from './register-tiles.ts';
import { divideTile, stepOf, vectorCount } from './register-tiles.ts';
import { expectList, expectRecord } from './target-error.ts';

/** Measured speeds of the register tiles for which a machine's code generator emits good code. */
export interface KernelSpeeds extends StepSpeeds {
  /** Elements per vector, along the windows. */
  readonly lanes: number;
  /** Cycles of a pass besides its steps: per output vector, and fixed. */
  readonly passCycles: {
    readonly each: number;
    readonly always: number;
    /** Per output vector too, if lanes are filters: the tile is transposed. Absent: 0. */
    readonly transposed?: number;
  };
  /** Cycles of a scalar multiply-add. */
  readonly scalarCycles: number;
  /** Cycles to pack a vector of windows; absent: not counted. */
  readonly packCycles?: number;
  /**
   * Cycles until a vector of filters has been read from beyond L2: filters that exceed it are read again for each run
   * of window tiles of one width. Absent: not counted.
   */
  readonly streamCycles?: number;
  /** Cycles per run of each further part of a plan; absent: WebAssembly's amortized compile time. */
  readonly partCycles?: number;
  /**
   * k steps per call: more amortize overhead better, fewer leave more room in the caches. Panels may exceed L1, since
   * vectors streamed from L2 are as fast. Absent: as many as fit L1.
   */
  readonly steps?: number;
  /**
   * The faster schedule by measurement: input or weight stationary. SC's model counts neither how outputs are spread
   * over pages nor what packing several window tiles at once saves. Absent: the cost model decides.
   */
  readonly schedule?: 'is' | 'ws';
  /**
   * Prefers it only for convolutions of at most so many k steps (channels of a group times filter taps). Absent: for
   * all.
   */
  readonly scheduleUpToSteps?: number;
  /** What was measured, and where. */
  readonly source: string;
}

/** A tile, and the dimension of its lanes; default `windows`. */
interface VectorizedTile extends TileShape {
  readonly vectorized?: 'windows' | 'filters';
}

/** Predicted cycles of one microkernel call with `steps` k steps, divided as code for it is. */
export const tileCycles = (speeds: KernelSpeeds, tile: VectorizedTile, steps: number): number => {
  expectRecord('speeds', speeds, 'passCycles');
  expectList('speeds.stepCycles', speeds.stepCycles);
  expectRecord('tile', tile);
  const { lanes, lastWindowCycles = 0 } = speeds;
  const { each, always, transposed = 0 } = speeds.passCycles;
  const { vectorized: along = 'windows', ...shape } = tile;
  const { passes } = divideTile(speeds, shape, { lanes, along });
  /** What is beside other tiles is measured as if these were divided without it. */
  const beside = passes.flatMap((pass) => (pass.beside === undefined ? [] : [pass.beside]));
  if (beside.length > 0) {
    const without = tileCycles(speeds, { ...tile, windows: tile.windows - 1 }, steps);
    return without + beside.length * (steps * lastWindowCycles + each + transposed) + always;
  }
  return passes.reduce((sum, { windows, filters }) => {
    const [vectorized, others, ofVector] =
      along === 'windows' ? [windows, filters, each] : [filters, windows, each + transposed];
    const ofSteps = steps * stepOf(speeds, lanes, vectorized, others);
    return sum + ofSteps + ofVector * vectorCount(speeds, lanes, vectorized) * others + always;
  }, 0);
};
