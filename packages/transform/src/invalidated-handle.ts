/** What a use of a consumed or lost handle reports. */
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import type { Module, Operation, Value } from '@sconv/ir';
import { noteAt } from './inspect.ts';
import { payloadKindOf } from './payload.ts';
import type { Invalidation } from './run-state.ts';
import { definitionIn } from './script.ts';

/** The error of an op that uses an invalid handle. */
export const invalidHandleError = (
  script: Module,
  { location }: Operation,
  operand: Value,
  { reason, note, notes }: Invalidation,
): Diagnostic => {
  if (reason === 'consumed') {
    const what = notes.length === 0 ? 'a handle associated with empty payload and' : 'a handle';
    const message = `op uses ${what} invalidated by a previously executed transform op`;
    const handle =
      payloadKindOf(operand.type) === 'values' ? 'invalidated handle' : 'handle to invalidated ops';
    const made = notes.length === 0 ? undefined : definitionIn(script, operand);
    return error('transform/invalidated-handle', message, location, [
      ...(made === undefined ? [] : [noteAt(handle, made)]),
      note,
      ...notes,
    ]);
  }
  // Located at the op that replaced the payload, as in upstream, which looks ahead for uses.
  const message = 'tracking listener failed to find replacement op during application of this transform op';
  const use = { message: 'the handle is used here', location };
  return error('transform/lost-payload', message, note.location, [...notes, use]);
};

/** The note at the op that consumed a handle. */
export const invalidatedMessage = (position: number): string =>
  `invalidated by this transform op that consumes its operand #${position}`;
