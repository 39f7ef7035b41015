/** How a function treats its tensor arguments, for the analysis of its callers. */

export interface FunctionSummary {
  /** By argument: whether its contents are read. */
  readonly reads: readonly boolean[];
  /** By argument: whether its buffer is written. */
  readonly writes: readonly boolean[];
  /** By result: the arguments that it may alias. */
  readonly aliases: readonly (readonly number[])[];
  /** By result: the argument whose buffer it is known to be. */
  readonly same: readonly (number | undefined)[];
}

/** For an external function: it may do anything. */
export const unknownFunction = (inputs: number, results: number): FunctionSummary => {
  const all = Array.from({ length: inputs }, (_, i) => i);
  return {
    reads: all.map(() => true),
    writes: all.map(() => true),
    aliases: Array.from({ length: results }, () => all),
    same: Array.from({ length: results }, () => undefined),
  };
};

/** For a function that keeps tensors at its boundary: a call reads its operands and returns new tensors. */
export const tensorFunction = (inputs: number, results: number): FunctionSummary => ({
  reads: Array.from({ length: inputs }, () => true),
  writes: Array.from({ length: inputs }, () => false),
  aliases: Array.from({ length: results }, () => []),
  same: Array.from({ length: results }, () => undefined),
});
