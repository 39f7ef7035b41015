/** What becomes of a silenceable failure in a sequence of ops. */
import { enumAttribute } from '@sconv/dialects';

/**
 * `propagate`: the sequence ends and fails likewise. `suppress`: nothing is said, what was done stays, the results of the op
 * stand for nothing, and the next op is run.
 */
export type FailureMode = (typeof failureModes)[number];

const failureModes = ['propagate', 'suppress'] as const;

/** Upstream's `FailurePropagationMode`, which counts from 1. */
export const failureModeAttribute = enumAttribute(failureModes, 32, 1);
