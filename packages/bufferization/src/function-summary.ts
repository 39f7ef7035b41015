/** How a function treats its tensor arguments, for the analysis of its callers. */

export interface FunctionSummary {
  /** The arguments whose contents are read. */
  readonly reads: ReadonlySet<number>;
  /** The arguments whose buffers are written. */
  readonly writes: ReadonlySet<number>;
  /** By argument: the results that may alias it. */
  readonly aliases: ReadonlyMap<number, readonly number[]>;
  /** By result: the argument whose buffer it is known to be. */
  readonly same: ReadonlyMap<number, number>;
}

/** For a function that keeps tensors at its boundary: a call reads its operands and returns new tensors. */
export const tensorFunction = (inputs: number): FunctionSummary => ({
  reads: new Set(Array.from({ length: inputs }, (_, i) => i)),
  writes: new Set(),
  aliases: new Map(),
  same: new Map(),
});
