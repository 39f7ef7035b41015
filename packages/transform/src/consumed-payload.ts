/** Consuming handles: what their payload must satisfy, and which other handles it invalidates. */
import type { Failed, Note } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';
import type { Id, Operation, Value } from '@sconv/ir';
import { operationsIn } from '@sconv/ir';
import { noteAt } from './inspect.ts';
import { isTransformOp } from './is-transform-op.ts';
import type { Payload } from './payload.ts';
import { idsIn } from './payload.ts';
import type { LocatedValue } from './resolve-payload.ts';
import { placeOf, valuesWith } from './resolve-payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** The error of payload that would already be gone when its turn comes. */
export const consumedProblem = (
  run: ScheduleRun,
  operation: Operation,
  consumed: readonly Value[],
): Failed | undefined => {
  const definition = run.context.registry.operations.get(operation.name);
  const mayRepeat =
    definition !== undefined && isTransformOp(definition) && definition.transform.allowsRepeatedPayload;
  const repeated = mayRepeat ? undefined : repeatedPayload(run, consumed);
  if (repeated !== undefined) {
    const position = operation.operands.findIndex((operand) => operand.id === consumed[0]?.id);
    const message =
      `a handle passed as operand #${position} and consumed by this operation points to a payload ` +
      'entity more than once';
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

/** Why a handle is invalid: an op consumed it, or consumed its payload through another handle. */
export interface Consumption {
  /** Follows "invalidated by this transform op that consumes its operand #n". */
  readonly also: string;
  /** Where the consumed payload was. */
  readonly notes: readonly Note[];
}

/** Consumed payload: the handles to it or to its ancestors, and its own location. */
interface Gone {
  readonly outer: Operation;
  readonly inner: Operation;
  /** The value that was consumed, if it was a value handle. */
  readonly through?: LocatedValue;
}

const entities =
  ' and invalidates all handles to payload IR entities associated with this operand and entities nested in them';
const sameValues = ' and invalidates handles to the same values as associated with it';

/** The script values that refer to the payload of `consumed`, or to anything nested in it. */
export const invalidatedBy = (run: ScheduleRun, consumed: readonly Value[]): ReadonlyMap<Id, Consumption> => {
  if (consumed.length === 0) return new Map();
  const gone = new Map<Id, Gone>();
  const addBelow = (outer: Operation, through?: LocatedValue): void => {
    for (const inner of operationsIn(outer)) {
      // Most operations below are in no handle.
      const add = (id: Id): void => {
        if (run.isHeld(id)) gone.set(id, { outer, inner, ...(through === undefined ? {} : { through }) });
      };
      add(inner.id);
      for (let i = 0, { length } = inner.results; i < length; i += 1) add(inner.results[i]!.id);
      for (let i = 0, { length } = inner.regions; i < length; i += 1)
        for (const block of inner.regions[i]!.blocks) for (const { id } of block.arguments) add(id);
    }
  };
  for (const value of consumed) {
    const payload = run.payloadOf(value);
    if (payload.kind === 'operations') for (const outer of run.operations(payload.ids)) addBelow(outer);
    if (payload.kind !== 'values') continue;
    for (const located of valuesWith(run.payload, payload.ids)) {
      for (const outer of operationsOf(located)) addBelow(outer, located);
      gone.set(located.value.id, { outer: located.operation, inner: located.operation, through: located });
    }
  }
  const consumptions = new Map<Id, Consumption>();
  for (const id of [...run.holdersOf(gone.keys()), ...consumed.map((value) => value.id)]) {
    const payload = run.now.handles.get(id)?.payload;
    const found = payload && idsIn(payload).find((each) => gone.has(each));
    if (payload === undefined || found === undefined) consumptions.set(id, { also: '', notes: [] });
    else consumptions.set(id, consumptionOf(payload, found, gone.get(found)!));
  }
  return consumptions;
};

/** The operations that a value belongs to: its definition, or those of the block that it is an argument of. */
const operationsOf = ({ value, operation }: LocatedValue): readonly Operation[] => {
  if (operation.results.some(({ id }) => id === value.id)) return [operation];
  const blocks = operation.regions.flatMap((region) => region.blocks);
  return blocks.find((block) => block.arguments.some(({ id }) => id === value.id))?.operations ?? [];
};

const consumptionOf = (payload: Payload, id: Id, { outer, inner, through }: Gone): Consumption => {
  const passed =
    through === undefined ? [] : [noteAt('consumed handle points to this payload value', through.operation)];
  if (payload.kind !== 'values')
    return {
      also: entities,
      notes: [noteAt('ancestor payload op', outer), noteAt('nested payload op', inner), ...passed],
    };
  if (through?.value.id === id) return { also: sameValues, notes: [noteAt('payload value', inner)] };
  return {
    also: entities,
    notes: [
      noteAt('ancestor op associated with the consumed handle', outer),
      noteAt(`op defining the value as ${placeOf(id, inner)}`, inner),
      noteAt('payload value', inner),
    ],
  };
};

const operationIds = (run: ScheduleRun, values: readonly Value[]): readonly Id[] => {
  const found: Id[] = [];
  for (const value of values) {
    const payload = run.payloadOf(value);
    if (payload.kind === 'operations') found.push(...payload.ids);
  }
  return found;
};
/** A payload operation that occurs twice in the consumed payload. */
const repeatedPayload = (run: ScheduleRun, consumed: readonly Value[]): Operation | undefined => {
  const seen = new Set<Id>();
  for (const id of operationIds(run, consumed)) {
    if (seen.has(id)) return run.operations([id])[0];
    seen.add(id);
  }
  return undefined;
};

/** Consumed payload operations of which one precedes another that is nested in it. */
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
