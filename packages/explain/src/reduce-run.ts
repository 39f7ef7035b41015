/** Makes a failing run smaller: drops steps of the schedule and functions of the payload as long as it fails alike. */
import type { Diagnostic } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { DraftOperation, Module, Operation, Registry } from '@sconv/ir';
import { children, hasTrait, symbolNameOf, tryEdit, verify, walk } from '@sconv/ir';
import { entryPoint } from '@sconv/transform';

/** A schedule and its payload. */
export interface RunInput {
  readonly script: Module;
  readonly payload: Module;
}

export interface ReduceOptions {
  readonly registry: Registry;
  /** What is wrong with a run; undefined if nothing is. */
  readonly problemOf: (input: RunInput) => Diagnostic | undefined;
  /** The most runs that are tried; default 500. */
  readonly mostRuns?: number;
}

/** A smaller run that fails with the same code and message; undefined if the run does not fail. */
export const reduceRun = (
  input: RunInput,
  { registry, problemOf, mostRuns = 500 }: ReduceOptions,
): (RunInput & { readonly problem: Diagnostic }) | undefined => {
  const problem = problemOf(input);
  if (problem === undefined) return undefined;
  let runs = 0;
  let best = { ...input, problem };
  const tryInput = (smaller: RunInput): boolean => {
    if (runs >= mostRuns) return false;
    runs += 1;
    const found = problemOf(smaller);
    if (found?.code !== problem.code || found.message !== problem.message) return false;
    best = { ...smaller, problem: found };
    return true;
  };
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const id of droppable(best.payload).toReversed()) {
      const payload = without(best.payload, id, registry);
      if (payload !== undefined && tryInput({ ...best, payload })) isSmaller = true;
    }
    // From the end: what follows the fault goes first, and what uses a handle before what makes it.
    for (const id of steps(best.script, registry).toReversed()) {
      const script = without(best.script, id, registry);
      if (script !== undefined && tryInput({ ...best, script })) isSmaller = true;
    }
  }
  return best;
};

/** Functions, and what else the payload's module has. */
const droppable = ({ root }: Module): readonly number[] => children(root).map(({ id }) => id);

/** Steps, and sequences but for the entry point. */
const steps = ({ root }: Module, registry: Registry): readonly number[] =>
  [...walk(root)]
    .filter((operation) => operation.id !== root.id && symbolNameOf(operation) !== entryPoint)
    .filter((operation) => !isEntry(operation) && !hasTrait(registry, operation, 'terminator'))
    .map(({ id }) => id);

const isEntry = (operation: Operation): boolean =>
  [...walk(operation)].some((inner) => symbolNameOf(inner) === entryPoint);

/** Undefined where something else needs it. */
const without = (module: Module, id: number, registry: Registry): Module | undefined => {
  const edited = tryEdit(module, { registry }, (rewriter) => {
    const operation: DraftOperation | undefined = rewriter.lookup(id);
    if (operation === undefined || operation.results.some((result) => rewriter.hasUses(result)))
      return success(false);
    rewriter.eraseOperation(operation);
    return success(true);
  });
  if (edited.status !== 'success' || !edited.value.results) return undefined;
  const { module: smaller } = edited.value;
  return verify(smaller, registry).length === 0 ? smaller : undefined;
};
