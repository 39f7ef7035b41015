/** In which layouts the convolutions of models are computed. */
import type { Target } from '@sconv/targets';
import type { CompileOptions, LayoutsName } from '../compile-payload.ts';

/** What decides how convolutions are computed, besides the target. */
type Decisions = { readonly [Name in 'threads' | 'planner' | 'tuned']?: CompileOptions[Name] | undefined };

/**
 * Those of a target if nothing is said: chosen where that was measured to be faster, with vectors of 256 bits. Threads
 * share out convolutions as they are given only, and given plans are for these.
 */
export const layoutsFor = (
  { machine }: Target,
  { threads = 1, planner, tuned }: Decisions = {},
): LayoutsName => {
  const isPlanned = planner !== undefined || tuned !== undefined;
  return machine.vector?.bits === 256 && threads === 1 && !isPlanned ? 'chosen' : 'as-given';
};
