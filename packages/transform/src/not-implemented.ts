/** What is read, verified and printed, and not done. */
import type { Failed, Location } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';

/** The failure of a part of upstream's dialect that has text but no behaviour here; `what` names it. */
export const notImplemented = (what: string, location: Location): Failed =>
  definite(error('transform/not-implemented', `${what} is not implemented`, location));
