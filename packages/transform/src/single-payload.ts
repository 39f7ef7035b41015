/** What matchers ask of a handle: that it stands for one operation. */
import type { Diagnosed, Failed, Note } from '@sconv/diagnostics';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import type { ScheduleRun } from './schedule-run.ts';

/** The failure of a matcher that does not take what it is applied to. */
export const noMatch = ({ location }: Operation, message: string, notes: readonly Note[] = []): Failed =>
  silenceable(error('transform/match-failed', message, location, notes));

/** The failures that each matcher of one operation may end in. */
export const singleOperationFailures = {
  'transform/match-single': { mode: 'definite', when: 'the handle stands for none or several' },
  'transform/match-failed': { mode: 'silenceable', when: 'the operation is not as asked' },
} as const;

/** The only operation that the first operand of an op stands for. */
export const singleOperation = (run: ScheduleRun, operation: Operation): Diagnosed<Operation> => {
  const [only, ...others] = run.operations(run.idsOf(operation.operands[0]!));
  if (only !== undefined && others.length === 0) return success(only);
  const message = 'SingleOpMatchOpTrait requires the operand handle to point to a single payload op';
  return definite(error('transform/match-single', message, operation.location));
};
