/** What consuming handles asks of their payload, and which handles it takes with it. */
import type { Failed } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';
import type { Id, Operation, Value } from '@sconv/ir';
import { operationsIn } from '@sconv/ir';
import { idsIn } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** What is wrong with the payload of what an op consumes: it would be gone when its turn comes. */
export const consumedProblem = (
  run: ScheduleRun,
  operation: Operation,
  consumed: readonly Value[],
): Failed | undefined => {
  const repeated = repeatedPayload(run, consumed);
  if (repeated !== undefined) {
    const message = 'a handle passed as consumed operand points to a payload op more than once';
    const note = { message: 'repeated payload op', location: repeated.location };
    return definite(error('transform/repeated-payload', message, operation.location, [note]));
  }
  const inner = nestedPayload(run, consumed);
  if (inner !== undefined) {
    const message = 'a handle passed as consumed operand points to a payload op inside of another one';
    const note = { message: 'nested payload op', location: inner.location };
    return definite(error('transform/nested-payload', message, operation.location, [note]));
  }
  return undefined;
};

/** The values of the script that stand for the payload of `consumed`, or for what is below it. */
export const invalidatedBy = (run: ScheduleRun, consumed: readonly Value[]): ReadonlySet<Id> => {
  if (consumed.length === 0) return new Set();
  const gone = new Set<Id>();
  for (const value of consumed) {
    const payload = run.payloadOf(value);
    for (const id of idsIn(payload)) gone.add(id);
    if (payload.kind !== 'operations') continue;
    for (const operation of run.operations(payload.ids)) {
      for (const each of operationsIn(operation)) {
        gone.add(each.id);
        for (const { id } of each.results) gone.add(id);
        for (const { blocks } of each.regions) {
          for (const block of blocks) for (const { id } of block.arguments) gone.add(id);
        }
      }
    }
  }
  const values = new Set(run.holdersOf(gone));
  for (const { id } of consumed) values.add(id);
  return values;
};

const operationIds = (run: ScheduleRun, values: readonly Value[]): readonly Id[] => {
  const found: Id[] = [];
  for (const value of values) {
    const payload = run.payloadOf(value);
    if (payload.kind === 'operations') found.push(...payload.ids);
  }
  return found;
};
/** A payload operation that stands twice in what is consumed. */
const repeatedPayload = (run: ScheduleRun, consumed: readonly Value[]): Operation | undefined => {
  const seen = new Set<Id>();
  for (const id of operationIds(run, consumed)) {
    if (seen.has(id)) return run.operations([id])[0];
    seen.add(id);
  }
  return undefined;
};

/** A payload operation of what is consumed that stands below another. */
const nestedPayload = (run: ScheduleRun, consumed: readonly Value[]): Operation | undefined => {
  const ids = new Set(operationIds(run, consumed));
  if (ids.size < 2) return undefined;
  for (const operation of run.operations([...ids])) {
    for (const below of operationsIn(operation)) {
      if (below.id !== operation.id && ids.has(below.id)) return below;
    }
  }
  return undefined;
};
