/** Fuzzes one payload. */
import type { Distribution } from './distribution.ts';
import type { Fault } from './fault.ts';
import { finish } from './finish.ts';
import type { Subject } from './execution.ts';
import type { Random } from './random.ts';
import { randomOf } from './random.ts';
import type { Step } from './script.ts';
import { Session } from './session.ts';

/** The outcome of a drawn step. */
export interface StepRecord {
  readonly step: Step;
  readonly status: 'applied' | 'refused' | 'fault';
  readonly codes: readonly string[];
}

/** The outcome of a payload. */
export interface PayloadResult<P> {
  readonly payload: P;
  readonly records: readonly StepRecord[];
  readonly fault?: Fault;
  /** What was printed at the end. */
  readonly texts: readonly string[];
  readonly notOnWasm?: string;
}

const names = (): (() => string) => {
  let next = 0;
  return () => `h${next++}`;
};

/** Draws payload `index` of a seed and its steps, and checks everything. */
export const fuzzPayload = <P>(
  distribution: Distribution<P>,
  seed: number,
  index: number,
): PayloadResult<P> => {
  const random = randomOf(seed, index);
  const payload = distribution.payload(random);
  const session = Session.start(distribution.subject(payload));
  if (!(session instanceof Session)) return { payload, records: [], fault: session, texts: [] };
  const records = takeSteps(distribution, random, payload, session);
  const last = records.at(-1);
  if (last !== undefined && 'fault' in last) return { payload, records, fault: last.fault, texts: [] };
  return { payload, records, ...finish(session, { hoistAllocations: random.chance(0.5) }) };
};

interface FaultyRecord extends StepRecord {
  readonly fault: Fault;
}

const takeSteps = <P>(
  distribution: Distribution<P>,
  random: Random,
  payload: P,
  session: Session,
): readonly (StepRecord | FaultyRecord)[] => {
  const fresh = names();
  const length = distribution.length(random, payload);
  const records: (StepRecord | FaultyRecord)[] = [];
  for (let i = 0; i < length; i++) {
    const step = distribution.step(random, session, fresh, i === length - 1);
    if (step === undefined) break;
    const attempt = session.attempt(step);
    const { status } = attempt;
    if (status === 'fault') {
      records.push({ step, status, codes: [], fault: attempt.fault });
      break;
    }
    records.push({ step, status, codes: status === 'refused' ? attempt.codes : [] });
  }
  return records;
};

/** The fault that a payload and steps show, at a step or at the end; refused steps are skipped. */
export const faultOf = (subject: Subject, steps: readonly Step[]): Fault | undefined => {
  const session = Session.start(subject);
  if (!(session instanceof Session)) return session;
  for (const step of steps) {
    const attempt = session.attempt(step);
    if (attempt.status === 'fault') return attempt.fault;
  }
  return finish(session).fault ?? finish(session, { hoistAllocations: false }).fault;
};
