/** For ops that only inspect the payload. */
import type { Note } from '@sconv/diagnostics';
import type { DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { edit } from '@sconv/ir';
import type { LocatedValue } from './resolve-payload.ts';
import { valuesWith } from './resolve-payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** The read-only part of a rewriter. */
export type Inspector = Pick<Rewriter, 'definingOperation' | 'owningBlock' | 'users' | 'registry'>;

/** Inspects the payload operations of a script value, in context. */
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

/** Inspects the payload values of a script value, in context. */
export const inspectValues = <T>(
  run: ScheduleRun,
  value: Value,
  look: (values: readonly LocatedValue[], inspector: Inspector) => T,
): T =>
  edit(run.payload, run.context, (rewriter) => {
    const values = valuesWith(run.payload, run.idsOf(value));
    // Definitions and uses of a function's values are only known once it is thawed.
    for (const { operation } of values) rewriter.find(operation.id).thaw();
    return look(values, rewriter);
  }).results;

/** A note at a payload operation. */
export const noteAt = (message: string, { location }: Pick<Operation, 'location'>): Note => ({
  message,
  location,
});
