/** What consuming handles asks of their payload, and which handles it takes with it. */
import type { Failed } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';
import type { Id, Operation, Value } from '@sconv/ir';
import { operationsIn } from '@sconv/ir';
import { noteAt } from './inspect.ts';
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
    const position = operation.operands.findIndex((operand) => operand.id === consumed[0]?.id);
    const message = `a handle passed as operand #${position} and consumed by this operation points to a payload entity more than once`;
    const note = { message: 'repeated target op', location: repeated.location };
    return definite(error('transform/repeated-payload', message, operation.location, [note]));
  }
  const nested = nestedPayload(run, consumed);
  if (nested !== undefined) {
    const message =
      'transform operation consumes a handle pointing to an ancestor payload operation before its descendant';
    const why =
      'the ancestor is likely erased or rewritten before the descendant is accessed, leading to undefined behavior';
    return definite(
      error('transform/nested-payload', message, operation.location, [
        { message: why, location: operation.location },
        noteAt('ancestor payload op', nested.outer),
        noteAt('descendant payload op', nested.inner),
      ]),
    );
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

/** Payload operations of what is consumed, of which one comes before another that stands below it. */
const nestedPayload = (
  run: ScheduleRun,
  consumed: readonly Value[],
): { readonly outer: Operation; readonly inner: Operation } | undefined => {
  const ids = operationIds(run, consumed);
  if (ids.length < 2) return undefined;
  const places = new Map(ids.map((id, i) => [id, i]));
  for (const outer of run.operations(ids)) {
    const inner = operationsIn(outer).find(({ id }) => (places.get(id) ?? -1) > places.get(outer.id)!);
    if (inner !== undefined) return { outer, inner };
  }
  return undefined;
};
