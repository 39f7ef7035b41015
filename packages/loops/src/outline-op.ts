/** Outlines a loop into a function: upstream's `transform.loop.outline`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { constant } from '@sconv/dialects/arith';
import { call, funcOp, returnOp } from '@sconv/dialects/func';
import { executeRegion, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { bodyOf, closestParent, functionType, symbolNameOf } from '@sconv/ir';

/** The function, and the call that replaces the loop. */
export interface Outlined {
  readonly function: DraftOperation;
  readonly call: DraftOperation;
}

/**
 * Moves a single-region op into a new function before its own and calls that, inside an `scf.execute_region`. Captured
 * values become arguments; constant indices are cloned. The function gets `name`, with a number appended if that is
 * taken.
 */
export const outlineOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  name: string,
): Diagnosed<Outlined> => {
  const around = closestParent(operation, (parent) => funcOp.is(parent));
  const table = around?.block;
  if (operation.regions.length !== 1 || around === undefined || table === undefined)
    return silenceableError('outline/failed', 'failed to outline', operation);
  const captures = capturesOf(rewriter, operation);
  const inputs = captures.map(({ type }) => type);
  const outputs = operation.results.map(({ type }) => type);
  const taken = new Set(table.operations.flatMap((each) => symbolNameOf(each) ?? []));
  let symbol = name;
  for (let i = 0; taken.has(symbol); i++) symbol = `${name}_${i}`;

  // 1. Put the call in the op's place.
  rewriter.setInsertionPointBefore(operation);
  const region = rewriter.create(
    executeRegion.state<Rewriter>({
      resultTypes: outputs,
      location: operation.location,
      bodies: [
        {
          build: (body) => {
            const { results } = body.create(
              call.state({
                operands: { operands: captures },
                attributes: { callee: symbol },
                resultTypes: outputs,
              }),
            );
            body.create(yieldOp.state({ operands: { results } }));
          },
        },
      ],
    }),
  );
  operation.results.forEach((result, i) => {
    rewriter.replaceAllUsesWith(result, region.results[i]!);
  });

  // 2. Move the op into the function.
  rewriter.setInsertionPointBefore(around);
  const made = rewriter.create(
    funcOp.state<Rewriter>({
      attributes: { symName: symbol, functionType: functionType(inputs, outputs) },
      location: operation.location,
      bodies: [
        {
          argumentTypes: inputs,
          build: (body) => {
            const end = body.create(returnOp.state({ operands: { operands: operation.results } }));
            body.moveBefore(operation, end);
          },
        },
      ],
    }),
  );
  const entry = bodyOf(made);
  captures.forEach((value, i) => {
    const source = rewriter.definingOperation(value);
    rewriter.setInsertionPointToStart(entry);
    const inside =
      source !== undefined && isConstantIndex(source)
        ? rewriter.clone(source).results[0]!
        : entry.arguments[i]!;
    rewriter.replaceUsesIf(value, inside, (user) => rewriter.isWithin(user, operation));
  });
  return success({ function: made, call: bodyOf(region).operations[0]! });
};

const isConstantIndex = (operation: DraftOperation): boolean =>
  constant.is(operation) && operation.results[0]?.type.kind === 'index';

/**
 * The values that an op and those nested in it capture, in the order of upstream's `getUsedValuesDefinedAbove`: inner
 * ops first.
 */
const capturesOf = (rewriter: Rewriter, operation: DraftOperation): readonly Value[] => {
  const captured = new Map<Id, Value>();
  const visit = (at: DraftOperation): void => {
    for (const { blocks } of at.regions)
      for (const { operations } of blocks) for (const each of operations) visit(each);
    for (const value of at.operands)
      if (rewriter.isDefinedOutside(value, operation)) captured.set(value.id, value);
  };
  visit(operation);
  return [...captured.values()];
};
