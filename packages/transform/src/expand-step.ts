/** The step of an op that stands for a schedule of smaller ones: that of each target in turn. */
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { findSequence } from './find-sequence.ts';
import { addReplacements, followPayload, noReplacements } from './follow-payload.ts';
import type { Payload } from './payload.ts';
import { idsIn, joinPayloads, operationsPayload } from './payload.ts';
import type { Expansion } from './run-options.ts';
import type { ScheduleRun } from './schedule-run.ts';
import { entryPoint } from './script.ts';

/** Runs the expansion of each target, all or none; the payload of the results, joined. */
export const expandStep = (
  run: ScheduleRun,
  operation: Operation,
  definition: TransformOpDefinition,
): Diagnosed<readonly Payload[]> => {
  const before = run.state;
  const replaced = noReplacements();
  const joined = operation.results.map((): Payload[] => []);
  const expansions: Expansion[] = [];
  for (const id of run.idsOf(operation.operands[0]!)) {
    const [target] = run.operations(idsIn(followPayload(operationsPayload([id]), replaced)));
    if (target === undefined) continue;
    const { edits } = run.state;
    const result = expandOne(run, operation, definition, target);
    if (result.status !== 'success') {
      // Warnings stay: they may say why it failed.
      run.restore({ ...before, warnings: run.state.warnings });
      return result;
    }
    addReplacements(replaced, run.state.edits, edits);
    expansions.push(result.value.expansion);
    result.value.yielded.forEach((payload, i) => joined[i]?.push(payload));
  }
  run.follow(operation, replaced);
  for (const expansion of expansions) run.options.onExpand?.(expansion);
  return success(
    joined.map((payloads, i) => followPayload(joinPayloads(operation.results[i]!.type, payloads), replaced)),
  );
};

const expandOne = (
  run: ScheduleRun,
  operation: Operation,
  definition: TransformOpDefinition,
  target: Operation,
): Diagnosed<{ readonly expansion: Expansion; readonly yielded: readonly Payload[] }> => {
  const attributes = definition.transform.readAttributes(operation);
  const expanded = definition.transform.behaviour.expand!(target, attributes, run.payload);
  if (expanded.status !== 'success') return run.relocated(operation, expanded);
  run.warnAll(run.relocatedAll(operation, expanded.diagnostics));
  const schedule = expanded.value;
  const body = bodyOf(findSequence(schedule.module, entryPoint)!);
  const result = run.runExpansion(operation, schedule.module, (expansion) => {
    expansion.bind(body.arguments[0]!, operationsPayload([target.id]));
    return expansion.runBlock(body);
  });
  return result.status === 'success'
    ? success({ expansion: { operation, target, schedule }, yielded: result.value })
    : result;
};
