/** What a script's text and code have in common: its entry point, and the names of what belongs together. */
import type { Location } from '@sconv/diagnostics';
import type { Module, Operation, Value } from '@sconv/ir';
import { walk } from '@sconv/ir';

/** The symbol that the interpreter starts from. */
export const entryPoint = '__transform_main';

/** The names that the location of an op carries, the outermost first: the groups, such as stages, that it belongs to. */
export const groupNames = (location: Location): readonly string[] =>
  location.kind === 'name' ? [location.name, ...groupNames(location.child)] : [];

/** A location in groups of these names, the outermost first. */
export const inGroups = (names: readonly string[], location: Location): Location =>
  names.reduceRight<Location>((child, name) => Object.freeze({ kind: 'name', name, child }), location);

/** The op of a script that a value is a result of. */
export const definitionIn = (script: Module, value: Value): Operation | undefined =>
  [...walk(script.root)].find(({ results }) => results.some(({ id }) => id === value.id));
