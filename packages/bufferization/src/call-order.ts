/** The functions of a module in post-order of the call graph. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';
import { symbolNameOf } from '@sconv/ir';
import { calleesFirst } from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import { hasTensors } from './op-model.ts';

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
export const inCallOrder = (functions: readonly FunctionBody[]): Diagnosed<readonly FunctionBody[]> => {
  const byName = new Map(functions.map((each) => [functionName(each.operation), each]));
  const { ordered, recursive } = calleesFirst(functions, ({ operations }) =>
    operations
      .filter((each) => call.is(each) && hasTensors(each))
      .flatMap((each) => byName.get(functionName(each)) ?? []),
  );
  if (recursive === undefined) return success(ordered);
  return definite(
    error(
      'bufferize/recursive-call',
      `@${functionName(recursive.operation) ?? ''} passes tensors to recursive functions`,
      recursive.operation.location,
    ),
  );
};
