/** Locations of a trace's JSON data. */
import type { Location, LocationDocument } from '@sconv/diagnostics';
import { locationDocument } from '@sconv/diagnostics';

/** As a field, which is absent where nothing is known. */
export const withLocation = (location: Location): { readonly location?: LocationDocument } => {
  const known = locationDocument(location);
  return known === null ? {} : { location: known };
};

/** `file:line:column`, or `file` alone where it is about all of it. */
export const printLocationDocument = (location: LocationDocument): string => {
  if ('name' in location) return location.name;
  const { file, line, column } = location;
  return line === 0 ? file : `${file}:${line}:${column}`;
};
