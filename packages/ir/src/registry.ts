/**
 * A registry is a value: which dialects, and so which operations, a parser, verifier or interpreter knows.
 */
import type { OpDefinition } from './define-op.ts';
import type { Trait } from './op-spec.ts';
import type { Operation } from './operation.ts';

/** A named set of operation definitions. */
export interface Dialect {
  readonly name: string;
  readonly operations: readonly OpDefinition[];
  /** The text of an attribute of this dialect as upstream prints it, from one with one blank after each comma. */
  readonly attributeBody?: (body: string) => string;
}

/** Dialects and operations by name. */
export interface Registry {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly operations: ReadonlyMap<string, OpDefinition>;
}

/** A registry of these dialects and their operations. */
export const createRegistry = (dialects: readonly Dialect[]): Registry => ({
  dialects: new Map(dialects.map((dialect) => [dialect.name, dialect])),
  operations: new Map(
    dialects.flatMap((dialect) =>
      dialect.operations.map((operation) => [operation.name, operation] as const),
    ),
  ),
});

/** Whether an operation is known to have a trait; one that the registry does not know has none. */
export const hasTrait = (registry: Registry, { name }: Operation, trait: Trait): boolean =>
  registry.operations.get(name)?.traits.has(trait) === true;

/** `registry` with more operations for existing or new dialects; later definitions win. */
export const extendRegistry = (registry: Registry, dialects: readonly Dialect[]): Registry => {
  const merged = new Map(registry.dialects);
  for (const dialect of dialects) {
    const known = merged.get(dialect.name);
    merged.set(
      dialect.name,
      known === undefined
        ? dialect
        : { ...known, ...dialect, operations: [...known.operations, ...dialect.operations] },
    );
  }
  return createRegistry([...merged.values()]);
};
