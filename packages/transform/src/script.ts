/** What a script's text and code have in common: its entry point, and the names of what belongs together. */
import type { Location } from '@sconv/diagnostics';

/** The symbol that the interpreter starts from. */
export const entryPoint = '__transform_main';

/** The names that the location of an op carries, the outermost first: the groups, such as stages, that it belongs to. */
export const groupNames = (location: Location): readonly string[] =>
  location.kind === 'name' ? [location.name, ...groupNames(location.child)] : [];

/** A location in groups of these names, the outermost first. */
export const inGroups = (names: readonly string[], location: Location): Location =>
  names.reduceRight<Location>((child, name) => Object.freeze({ kind: 'name', name, child }), location);
