/** Runs an op that expands to a schedule of smaller ones, for each target in turn. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, success } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { bodyOf, failingInexact } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { findSequence } from './find-sequence.ts';
import { addReplacements, followPayload, noReplacements } from './follow-payload.ts';
import type { Payload } from './payload.ts';
import { idsIn, joinPayloads, operationsPayload } from './payload.ts';
import type { EditList } from './run-state.ts';
import type { ScheduleRun } from './schedule-run.ts';
import { entryPoint } from './script.ts';

/** Runs the expansion of each target, all or none; returns the joined payload of the results. */
export const expandStep = (
  run: ScheduleRun,
  operation: Operation,
  definition: TransformOpDefinition,
): Diagnosed<readonly Payload[]> => {
  const { payload, edits: start } = run;
  const replaced = noReplacements();
  const joined = operation.results.map((): Payload[] => []);
  for (const id of run.idsOf(operation.operands[0]!)) {
    const [target] = run.operations(idsIn(followPayload(operationsPayload([id]), replaced)));
    if (target === undefined) continue;
    const { edits } = run;
    const result = expandOne(run, operation, definition, target);
    if (result.status !== 'success') {
      // Handles are unchanged so far; warnings stay, since they may explain the failure.
      run.takeBack(payload, start);
      return result;
    }
    addReplacements(replaced, result.value.edits, edits);
    result.value.yielded.forEach((payload, i) => joined[i]?.push(payload));
  }
  run.follow(operation, replaced);
  return success(
    joined.map((payloads, i) => followPayload(joinPayloads(operation.results[i]!.type, payloads), replaced)),
  );
};

const expandOne = (
  run: ScheduleRun,
  operation: Operation,
  definition: TransformOpDefinition,
  target: Operation,
): Diagnosed<{ readonly yielded: readonly Payload[]; readonly edits: EditList | undefined }> => {
  const attributes = definition.transform.readAttributes(operation);
  const { expand } = definition.transform.behaviour;
  const expanded = failingInexact('transform/arithmetic', target.location, () =>
    expand!(target, attributes, run.payload),
  );
  if (expanded.status !== 'success') return run.relocated(operation, expanded);
  run.warnAll(run.relocatedAll(operation, expanded.diagnostics));
  const schedule = expanded.value;
  const body = bodyOf(findSequence(schedule.module, entryPoint)!);
  const expansion = { operation, target, schedule };
  return run.group({ role: 'expansion', name: target.name, expansion }, () =>
    mapSuccess(
      run.runExpansion(operation, schedule.module, (expansion) => {
        expansion.bind(body.arguments[0]!, operationsPayload([target.id]));
        return expansion.runBlock(body);
      }),
      ({ value, edits }) => ({ yielded: value, edits }),
    ),
  );
};
