/** Runs an op that changes the payload itself: all its targets in one edit. */
import type { Diagnosed, Diagnostic, Location } from '@sconv/diagnostics';
import { success, warning } from '@sconv/diagnostics';
import type { Attribute, Operation, Rewriter, Value } from '@sconv/ir';
import { failingInexact, tryEdit } from '@sconv/ir';
import type { ApplyContext, PayloadLists, TransformOpDefinition } from './define-transform-op.ts';
import { operandGroups } from './effects.ts';
import { HandleTracking } from './handle-tracking.ts';
import type { Payload, PayloadItem } from './payload.ts';
import { idsIn, operationsPayload, paramsPayload, payloadKindOf, valuesPayload } from './payload.ts';
import { draftItems } from './resolve-payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** Applies the op; returns the payload of its results. */
export const applyStep = (
  run: ScheduleRun,
  operation: Operation,
  definition: TransformOpDefinition,
): Diagnosed<readonly Payload[]> => {
  const { apply } = definition.transform.behaviour;
  const { payload } = run;
  const groups = operandGroups(definition, operation);
  const warnings: Diagnostic[] = [];
  const { location } = run.expanded ?? operation;
  // Before the edit takes the draft of the payload, in which operations are found at once.
  const target = targetLocation(run, operation);
  const edited = tryEdit(payload, run.context, (rewriter) => {
    const inputs: Record<string, PayloadLists | undefined> = {};
    definition.operandSpecs.forEach((spec, i) => {
      const lists = groups[i]!.map((value) => draftItems(payload, run.payloadOf(value), rewriter));
      inputs[spec.name] = spec.arity === 'variadic' ? lists : lists[0];
    });
    const context: ApplyContext = {
      rewriter,
      operation,
      location: operation.location,
      resultCount: operation.results.length,
      warn: (code, message, notes = []) => warnings.push(warning(code, message, location, notes)),
    };
    const tracking = new HandleTracking(rewriter);
    const result = rewriter.listening(tracking, () =>
      failingInexact('transform/arithmetic', target, () =>
        apply!(context, inputs, definition.transform.readAttributes(operation)),
      ),
    );
    if (result.status !== 'success') return result;
    const payloads = resultPayloads(definition, operation, result.value, rewriter);
    return success({ payloads, successors: tracking.successors() }, result.diagnostics);
  });
  if (edited.status !== 'success') return run.relocated(operation, edited);
  run.warnAll([...warnings, ...run.relocatedAll(operation, edited.diagnostics)]);
  const { module, forward, results } = edited.value;
  run.changed(operation, module, { forward, successors: results.successors });
  return success(results.payloads);
};

/** Where the payload of the first operand is; where the op is if there is none. */
const targetLocation = (run: ScheduleRun, { operands, location }: Operation): Location => {
  const payload = operands[0] && run.payloadOf(operands[0]);
  const [target] = payload?.kind === 'operations' ? run.operations(idsIn(payload).slice(0, 1)) : [];
  return target?.location ?? location;
};

/** The payload of each result. */
const resultPayloads = (
  definition: TransformOpDefinition,
  operation: Operation,
  given: Readonly<Record<string, PayloadLists>>,
  rewriter: Rewriter,
): readonly Payload[] => {
  const lists: (readonly PayloadItem[])[] = [];
  for (const { name, arity } of definition.resultSpecs) {
    const items = given[name] ?? [];
    if (arity === 'optional' && lists.length === operation.results.length) continue;
    if (arity !== 'variadic') lists.push(items as readonly PayloadItem[]);
    else lists.push(...(items as readonly (readonly PayloadItem[])[]));
  }
  return lists.map((items, i) => {
    const { type } = operation.results[i]!;
    // A later target may have replaced what an earlier one created.
    switch (payloadKindOf(type)) {
      case 'operations':
        return operationsPayload((items as readonly Operation[]).flatMap((each) => rewriter.standsFor(each)));
      case 'values':
        return valuesPayload((items as readonly Value[]).flatMap((each) => rewriter.standsForValue(each)));
      case 'params':
        return paramsPayload(items as readonly Attribute[]);
    }
  });
};
