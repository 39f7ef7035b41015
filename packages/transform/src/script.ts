/** Shared by scripts as text and as code: the entry point, and group names. */
import type { Location } from '@sconv/diagnostics';
import type { Module, Operation, Value } from '@sconv/ir';
import { walk } from '@sconv/ir';

/** The symbol of the interpreter's entry point. */
export const entryPoint = '__transform_main';

/** The names in an op's location, outermost first: the groups that it belongs to, such as stages. */
export const groupNames = (location: Location): readonly string[] =>
  location.kind === 'name' ? [location.name, ...groupNames(location.child)] : [];

/** A location inside groups with these names, outermost first. */
export const inGroups = (names: readonly string[], location: Location): Location =>
  names.reduceRight<Location>((child, name) => Object.freeze({ kind: 'name', name, child }), location);

/** The script op that defines a value. */
export const definitionIn = (script: Module, value: Value): Operation | undefined =>
  [...walk(script.root)].find(({ results }) => results.some(({ id }) => id === value.id));
