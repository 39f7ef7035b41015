/** Matchers require a handle to a single operation. */
import type { Diagnosed, Failed, Note } from '@sconv/diagnostics';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import type { ScheduleRun } from './schedule-run.ts';

/** The failure of a matcher that does not match its target. */
export const noMatch = ({ location }: Operation, message: string, notes: readonly Note[] = []): Failed =>
  silenceable(error('transform/match-failed', message, location, notes));

/** The failures common to all single-operation matchers. */
export const singleOperationFailures = {
  'transform/match-single': { mode: 'definite', when: 'the handle is empty, or refers to several' },
  'transform/match-failed': { mode: 'silenceable', when: 'the operation does not match' },
} as const;

/** The only payload operation of an op's first operand. */
export const singleOperation = (run: ScheduleRun, operation: Operation): Diagnosed<Operation> => {
  const [only, ...others] = run.operations(run.idsOf(operation.operands[0]!));
  if (only !== undefined && others.length === 0) return success(only);
  const message = 'SingleOpMatchOpTrait requires the operand handle to point to a single payload op';
  return definite(error('transform/match-single', message, operation.location));
};
