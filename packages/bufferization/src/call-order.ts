/** The functions of a module in post-order of the call graph: callees first. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';
import { symbolNameOf } from '@sconv/ir';
import { hasTensors } from './sound/tensor-facts.ts';

/** The symbol name of a function, or of the callee of a call. */
export const functionName = (operation: DraftOperation): string | undefined => {
  const { callee } = operation.attributes;
  return symbolNameOf(operation) ?? (callee?.kind === 'symbol-ref' ? callee.root : undefined);
};

/** A function and the operations below it. */
export interface FunctionBody {
  readonly operation: DraftOperation;
  readonly operations: readonly DraftOperation[];
}

/** Orders functions callees first, considering only calls that pass tensors; fails on recursion. */
export const calleesFirst = (functions: readonly FunctionBody[]): Diagnosed<readonly FunctionBody[]> => {
  const byName = new Map(functions.map((each) => [functionName(each.operation), each]));
  const waitingFor = new Map<FunctionBody, Set<FunctionBody>>();
  const callers = new Map<FunctionBody, FunctionBody[]>(functions.map((each) => [each, []]));
  for (const caller of functions) {
    const calls = caller.operations.filter(({ name }) => name === 'func.call').filter(hasTensors);
    const callees = calls.flatMap((call) => byName.get(functionName(call)) ?? []);
    waitingFor.set(caller, new Set(callees));
    for (const callee of new Set(callees)) callers.get(callee)!.push(caller);
  }
  const ordered = functions.filter((each) => waitingFor.get(each)!.size === 0);
  // The list grows during iteration.
  for (const callee of ordered) {
    for (const caller of callers.get(callee)!) {
      const waiting = waitingFor.get(caller)!;
      waiting.delete(callee);
      if (waiting.size === 0) ordered.push(caller);
    }
  }
  const stuck = functions.find((each) => waitingFor.get(each)!.size > 0);
  if (stuck === undefined) return success(ordered);
  return definite(
    error(
      'bufferize/recursive-call',
      `@${functionName(stuck.operation) ?? ''} passes tensors to recursive functions`,
      stuck.operation.location,
    ),
  );
};
