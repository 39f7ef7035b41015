/** Minimizes a reproducer: fewer steps, then a smaller payload, while the same fault shows. */
import type { Distribution } from './distribution.ts';
import type { Subject } from './execution.ts';
import type { Fault } from './fault.ts';
import { signatureOf } from './fault.ts';
import { faultOf } from './fuzz-payload.ts';
import type { Step } from './script.ts';

/** A payload and steps, with the fault that they show. */
export interface Reproducer<P> {
  readonly payload: P;
  readonly steps: readonly Step[];
  readonly fault: Fault;
}

/** The steps without one and its transitive users. */
const withoutStep = (steps: readonly Step[], gone: number): readonly Step[] => {
  const missing = new Set<string>();
  return steps.filter((step, i) => {
    const isKept = i !== gone && step.operands.every(({ name }) => !missing.has(name));
    if (!isKept) for (const { name } of step.results) missing.add(name);
    return isKept;
  });
};

/** Maximum attempts; each runs the whole oracle. */
const maxAttempts = 400;

/** A smaller reproducer, by greedy search. */
export const minimize = <P>(
  { subject, smaller }: Distribution<P>,
  payload: P,
  steps: readonly Step[],
  fault: Fault,
  check: (subject: Subject, steps: readonly Step[]) => Fault | undefined = faultOf,
): Reproducer<P> => {
  const wanted = signatureOf(fault);
  let attempts = 0;
  let best: Reproducer<P> = { payload, steps, fault };
  const isBetter = (candidate: Pick<Reproducer<P>, 'payload' | 'steps'>): boolean => {
    attempts += 1;
    const found = check(subject(candidate.payload), candidate.steps);
    if (found === undefined || signatureOf(found) !== wanted) return false;
    best = { ...candidate, fault: found };
    return true;
  };
  const fewerSteps = (): boolean => {
    for (let i = best.steps.length - 1; i >= 0; i--) {
      if (attempts < maxAttempts && isBetter({ ...best, steps: withoutStep(best.steps, i) })) return true;
    }
    return false;
  };
  const smallerPayload = (): boolean => {
    for (const candidate of smaller(best.payload)) {
      if (attempts >= maxAttempts) return false;
      if (isBetter({ ...best, payload: candidate })) return true;
    }
    return false;
  };
  while (fewerSteps() || smallerPayload());
  return best;
};
