/** How a sequence handles silenceable failures. */
import { enumAttribute } from '@sconv/dialects';

/**
 * `propagate`: the sequence fails likewise. `suppress`: the failure is silent, changes so far stay, the op's results
 * are empty, and the next op runs.
 */
export type FailureMode = (typeof failureModes)[number];

const failureModes = ['propagate', 'suppress'] as const;

/** Upstream's `FailurePropagationMode`, which starts at 1. */
export const failureModeAttribute = enumAttribute(failureModes, 32, 1);
