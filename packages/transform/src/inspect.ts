/** For ops that look at the payload and change nothing of it. */
import type { Note } from '@sconv/diagnostics';
import type { DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { edit } from '@sconv/ir';
import type { LocatedValue } from './resolve-payload.ts';
import { valuesWith } from './resolve-payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** What an edit knows of the payload; nothing is changed through it. */
export type Inspector = Pick<Rewriter, 'definingOperation' | 'owningBlock' | 'users' | 'registry'>;

/** Looks at the payload operations that a script's value stands for, with all that is around them. */
export const inspect = <T>(
  run: ScheduleRun,
  value: Value,
  look: (operations: readonly DraftOperation[], inspector: Inspector) => T,
): T =>
  edit(run.payload, run.context, (rewriter) =>
    look(
      run.idsOf(value).map((id) => rewriter.find(id)),
      rewriter,
    ),
  ).results;

/** Looks at the payload values that a script's value stands for, with all that is around them. */
export const inspectValues = <T>(
  run: ScheduleRun,
  value: Value,
  look: (values: readonly LocatedValue[], inspector: Inspector) => T,
): T =>
  edit(run.payload, run.context, (rewriter) => {
    const values = valuesWith(run.payload, run.idsOf(value));
    // What defines and uses the values of a function is known once that was looked into.
    for (const { operation } of values) rewriter.find(operation.id).thaw();
    return look(values, rewriter);
  }).results;

/** A note at a payload operation. */
export const noteAt = (message: string, { location }: Pick<Operation, 'location'>): Note => ({
  message,
  location,
});
