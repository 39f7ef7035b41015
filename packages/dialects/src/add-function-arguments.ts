/** Arguments that a pass adds to a function. */
import type { DraftOperation, Rewriter, Type, Value } from '@sconv/ir';
import { functionType, functionTypeOf, typeAttribute } from '@sconv/ir';

/** Adds arguments to a function with a body, behind its own; its callers have to pass them. */
export const addFunctionArguments = <T extends readonly Type[]>(
  rewriter: Rewriter,
  operation: DraftOperation,
  types: readonly [...T],
): { readonly [K in keyof T]: Value } => {
  const { inputs, results } = functionTypeOf(operation.attributes['function_type'])!;
  rewriter.setAttribute(
    operation,
    'function_type',
    typeAttribute(functionType([...inputs, ...types], results)),
  );
  const entry = operation.regions[0]!.blocks[0]!;
  return types.map((type) => rewriter.addArgument(entry, type)) as { [K in keyof T]: Value };
};
