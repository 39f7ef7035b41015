import type { Failed, Location } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';

/** The failure of a compilation whose signal is aborted. */
export const aborted = (location: Location): Failed =>
  definite(error('sconv/aborted', 'the caller stopped the compilation', location));
