import type { Edges } from './edges.ts';
import type { Hierarchy, SlicedConvolution, Tiling } from './tiling.ts';

/**
 * - `sc`: SC §4.1.1, Eqs. 6-14 as printed, with real division.
 * - `reference`: the formulas of the authors' implementation, for reproduction.
 * - `traffic`: reuse distances in all parts of the plan, edges included (TT §5.2).
 */
export type CostModelName = 'sc' | 'reference' | 'traffic';

export const costModelNames: readonly CostModelName[] = ['sc', 'reference', 'traffic'];

/** What a model predicts for the whole convolution. */
export interface Cost {
  /** Latencies of all loads and stores added up, as if none overlapped. */
  readonly cycles: number;
  /**
   * Accesses that each level serves: lines where the level is behind another one, single accesses for `l1`.
   * `sc` leaves `l1` out (0).
   */
  readonly accesses: {
    readonly l1: number;
    readonly l2: number;
    readonly l3: number;
    readonly memory: number;
  };
}

/**
 * A cost model: pure, and defined for every tiling, whether its constraints hold or not. `sc` and `reference` price what
 * the papers document, the full tiles, as if there were no remainders; `traffic` all of the plan with such edges.
 */
export type CostModel = (sliced: SlicedConvolution, tiling: Tiling, caches: Hierarchy, edges?: Edges) => Cost;

/** Accesses, priced by the latency of the level that serves them. Eq. 6 (SC §4.1.1), with L1. */
export const priced = (accesses: Cost['accesses'], { latency }: Hierarchy): Cost => ({
  cycles:
    accesses.l1 * latency.l1 +
    accesses.l2 * latency.l2 +
    accesses.l3 * latency.l3 +
    accesses.memory * latency.memory,
  accesses,
});
