/** Where payloads and steps come from: what the oracle, the statistics and the minimiser need of a generator. */
import type { Subject } from './execution.ts';
import type { Random } from './random.ts';
import type { Step } from './script.ts';
import type { Session } from './session.ts';

/** A way to draw payloads, of some form `P`, and steps for them. */
export interface Distribution<P> {
  readonly payload: (random: Random) => P;
  readonly subject: (payload: P) => Subject;
  /** Payloads that are a little smaller, the best first. */
  readonly smaller: (payload: P) => Iterable<P>;
  /** How many steps are drawn for a payload. */
  readonly length: (random: Random, payload: P) => number;
  /** The next step, `isLast` if none will follow; undefined where nothing can be drawn. Names are never used twice. */
  readonly step: (random: Random, session: Session, fresh: () => string, isLast: boolean) => Step | undefined;
  /** What is notable of a payload, for statistics. */
  readonly features: (payload: P) => readonly string[];
}
