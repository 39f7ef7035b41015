/** A generator of payloads and steps, as the oracle, the statistics and the minimiser use it. */
import type { Subject } from './execution.ts';
import type { Random } from './random.ts';
import type { Step } from './script.ts';
import type { Session } from './session.ts';

/** A generator of payloads of some form `P`, and of steps for them. */
export interface Distribution<P> {
  readonly payload: (random: Random) => P;
  readonly subject: (payload: P) => Subject;
  /** Slightly smaller payloads, the best first. */
  readonly smaller: (payload: P) => Iterable<P>;
  /** The number of steps for a payload. */
  readonly length: (random: Random, payload: P) => number;
  /** The next step; `isLast`: none will follow. Undefined if nothing can be drawn. Names are never reused. */
  readonly step: (random: Random, session: Session, fresh: () => string, isLast: boolean) => Step | undefined;
  /** Notable features of a payload, for statistics. */
  readonly features: (payload: P) => readonly string[];
}
