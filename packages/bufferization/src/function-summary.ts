/** What a function does with its tensor arguments, for the analysis of its callers. */

export interface FunctionSummary {
  /** By argument: whether its content is read. */
  readonly reads: readonly boolean[];
  /** By argument: whether its buffer is written. */
  readonly writes: readonly boolean[];
  /** By result: the arguments whose memory it may share. */
  readonly aliases: readonly (readonly number[])[];
  /** By result: the argument whose buffer it is, if it is certainly one. */
  readonly same: readonly (number | undefined)[];
}

/** Of a function without a body: it may do anything. */
export const unknownFunction = (inputs: number, results: number): FunctionSummary => {
  const all = Array.from({ length: inputs }, (_, i) => i);
  return {
    reads: all.map(() => true),
    writes: all.map(() => true),
    aliases: Array.from({ length: results }, () => all),
    same: Array.from({ length: results }, () => undefined),
  };
};

/** Of a function whose boundary stays tensors: a call reads its operands and gives new tensors. */
export const tensorFunction = (inputs: number, results: number): FunctionSummary => ({
  reads: Array.from({ length: inputs }, () => true),
  writes: Array.from({ length: inputs }, () => false),
  aliases: Array.from({ length: results }, () => []),
  same: Array.from({ length: results }, () => undefined),
});
