/** Presents failures of an op's core to the user: first the transform op, then the payload op. */
import type { Diagnostic, Failed, Note } from '@sconv/diagnostics';
import { definite, silenceable } from '@sconv/diagnostics';
import type { Module, Operation, Registry } from '@sconv/ir';
import { printOperation } from '@sconv/ir';
import { groupNames } from './script.ts';

/** The location that a user should look at first. */
export interface StepPlace {
  readonly operation: Operation;
  /**
   * The user's op whose expansion `operation` is part of; the expansion's own locations are meaningless to the user.
   */
  readonly expanded: Operation | undefined;
  /** The payload before the step, and the step's targets. */
  readonly payload: Module;
  readonly targets: readonly Operation[];
  readonly registry: Registry;
}

/** A failure of a step. */
export const relocated = (place: StepPlace, failed: Failed): Failed => {
  const diagnostics = relocatedAll(place, failed.diagnostics);
  return failed.status === 'silenceable' ? silenceable(...diagnostics) : definite(...diagnostics);
};

/** The diagnostics of a step. */
export const relocatedAll = (
  { operation, expanded, payload, targets, registry }: StepPlace,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const { location } = expanded ?? operation;
  const step = [`in step '${operation.name}'`, ...groupNames(operation.location).slice(0, 1)].join(
    ' of stage ',
  );
  return diagnostics.map((diagnostic) => {
    // Parts of one op share its location, which is then ambiguous.
    const [target, ...others] = targets.filter((each) => each.location === diagnostic.location);
    const isOfStep = diagnostic.location === operation.location && location.kind !== 'unknown';
    return {
      ...diagnostic,
      location,
      notes: [
        ...(expanded === undefined ? [] : [{ message: step, location }]),
        ...(isOfStep ? [] : [{ message: 'payload op', location: diagnostic.location }]),
        ...diagnostic.notes,
        ...(target === undefined || others.length > 0 || diagnostic.severity !== 'error'
          ? []
          : [asItIsNow(target, payload, registry)]),
      ],
    };
  });
};

/** A note that shows a payload operation as it looks now. */
const asItIsNow = (operation: Operation, payload: Module, registry: Registry): Note => ({
  message: `as it is now: ${printOperation(operation, { registry }, payload.root)}`,
  location: operation.location,
});
