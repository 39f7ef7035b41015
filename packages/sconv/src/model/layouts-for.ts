/** In which layouts the convolutions of models are computed. */
import type { Target } from '@sconv/targets';
import type { LayoutsName } from '../compile-payload.ts';

/**
 * Those of a target if nothing is said: chosen where that was measured to be faster, with vectors of 256 bits. Threads
 * share out convolutions as they are given only.
 */
export const layoutsFor = ({ machine }: Target, threads = 1): LayoutsName =>
  machine.vector?.bits === 256 && threads === 1 ? 'chosen' : 'as-given';
