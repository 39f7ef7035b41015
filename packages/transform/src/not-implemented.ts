/** Ops that are parsed, verified and printed, but not implemented. */
import type { Failed, Location } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';

/** The failure of an unimplemented part of upstream's dialect; `what` names it. */
export const notImplemented = (what: string, location: Location): Failed =>
  definite(error('transform/not-implemented', `${what} is not implemented`, location));
