/** The order of functions along the call graph. */

/** Functions in an order in which each follows those that it calls. */
export interface CallOrder<F> {
  /** All of them, unless there is recursion. */
  readonly ordered: readonly F[];
  /** The first function that is recursive, or calls a recursive one; undefined if there is none. */
  readonly recursive: F | undefined;
}

/**
 * Orders functions callees first. `calleesOf` gives those of `functions` that one of them calls, perhaps repeatedly.
 */
export const calleesFirst = <F>(
  functions: readonly F[],
  calleesOf: (caller: F) => Iterable<F>,
): CallOrder<F> => {
  const waitingFor = new Map(functions.map((caller) => [caller, new Set(calleesOf(caller))]));
  const callers = new Map<F, F[]>(functions.map((callee) => [callee, []]));
  for (const [caller, callees] of waitingFor) for (const callee of callees) callers.get(callee)?.push(caller);
  const ordered = functions.filter((each) => waitingFor.get(each)?.size === 0);
  // The list grows during iteration.
  for (const callee of ordered) {
    for (const caller of callers.get(callee) ?? []) {
      const waiting = waitingFor.get(caller);
      if (waiting?.delete(callee) === true && waiting.size === 0) ordered.push(caller);
    }
  }
  return { ordered, recursive: functions.find((each) => waitingFor.get(each)?.size !== 0) };
};
