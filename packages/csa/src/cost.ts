import type { Edges } from './edges.ts';
import type { Hierarchy, SlicedConvolution, Tiling } from './tiling.ts';

/**
 * - `sc`: SC §4.1.1, Eqs. 6-14 as printed, with real division.
 * - `reference`: the formulas of the authors' implementation, for reproduction.
 * - `traffic`: reuse distances over the whole plan, edges included (TT §5.2).
 */
export type CostModelName = 'sc' | 'reference' | 'traffic';

export const costModelNames: readonly CostModelName[] = ['sc', 'reference', 'traffic'];

/** What a model predicts for the whole convolution. */
export interface Cost {
  /** Sum of the latencies of all loads and stores, without overlap. */
  readonly cycles: number;
  /** Accesses that each level serves: in lines, for `l1` in single accesses. `sc` does not count `l1` (0). */
  readonly accesses: {
    readonly l1: number;
    readonly l2: number;
    readonly l3: number;
    readonly memory: number;
  };
}

/**
 * A cost model: pure, and defined for every tiling, also where constraints are violated. `sc` and `reference` price
 * full tiles only, as the papers do; `traffic` prices the whole plan with the given edges.
 */
export type CostModel = (sliced: SlicedConvolution, tiling: Tiling, caches: Hierarchy, edges?: Edges) => Cost;

/** Accesses weighted by the latency of the serving level. Eq. 6 (SC §4.1.1), with L1. */
export const priced = (accesses: Cost['accesses'], { latency }: Hierarchy): Cost => ({
  cycles:
    accesses.l1 * latency.l1 +
    accesses.l2 * latency.l2 +
    accesses.l3 * latency.l3 +
    accesses.memory * latency.memory,
  accesses,
});
