/** What `sconv explain --bisect` says in the end. */
import type { Bisection } from '@sconv/explain';

/** One line: how much was searched, and the step that was found. */
export const bisectionSummary = ({ fault, changes, executions, failure, failedStep }: Bisection): string => {
  const change = `${changes} ${changes === 1 ? 'step' : 'steps'}`;
  const changing = `${changes === 1 ? 'changes' : 'change'} the payload`;
  const executed = `${executions} ${executions === 1 ? 'execution' : 'executions'}`;
  const found =
    fault === undefined
      ? 'no step changes what it computes'
      : `step ${fault.number} is the first whose result is wrong`;
  if (failure === undefined) return `${change} ${changing}; ${executed}: ${found}`;
  const failing =
    failedStep === undefined ? 'the schedule fails' : `the schedule fails at step ${failedStep}`;
  return changes === 0
    ? `${failing}; no step before it changes the payload`
    : `${failing}; ${change} before it ${changing}; ${executed}: ${found}`;
};
