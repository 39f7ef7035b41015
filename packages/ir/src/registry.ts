/** A registry is a value: the dialects, and so the operations, that a parser, verifier or interpreter knows. */
import { expectList, expectObject } from '@sconv/diagnostics';
import type { OpDefinition } from './define-op.ts';
import type { PassDefinition } from './define-pass.ts';
import type { Attachment, OpInterface } from './op-interface.ts';
import type { Trait } from './op-spec.ts';
import type { Operation } from './operation.ts';

/** A named set of operation definitions. */
export interface Dialect {
  readonly name: string;
  readonly operations: readonly OpDefinition[];
  /** Whether unregistered operations of this dialect are accepted; nothing is assumed about them. */
  readonly allowsUnknownOperations?: boolean;
  /** Attachments to its own or other operations. */
  readonly attachments?: readonly Attachment[];
  /** Normalizes an attribute of this dialect to upstream's text, given one with one space after each comma. */
  readonly attributeBody?: (body: string) => string;
}

/** Dialects and operations by name, and attachments to operations. */
export interface Registry {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly operations: ReadonlyMap<string, OpDefinition>;
  /** Implementations by interface, then by operation name. */
  readonly attachments: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** Passes by name. */
  readonly passes: ReadonlyMap<string, PassDefinition>;
}

/** A pass, as `definePass` returns it. */
interface Declared {
  readonly definition: PassDefinition;
}

/**
 * A registry of these dialects and their operations, with these attachments and passes; later ones win. Throws a
 * TypeError for lists with something else in them.
 */
export const createRegistry = (
  dialects: readonly Dialect[],
  attachments: readonly Attachment[] = [],
  passes: readonly Declared[] = [],
): Registry => {
  const merged = dialectsByName(dialects);
  expectList('a list of attachments', attachments, isAttachment);
  const operations = [...merged.values()].flatMap((dialect) => dialect.operations);
  return {
    dialects: merged,
    operations: new Map(operations.map((operation) => [operation.name, operation])),
    attachments: joined(new Map(), [...attachmentsOf(dialects), ...attachments]),
    passes: byName(passes),
  };
};

/** Untyped callers may pass anything. */
const hasName = (given: unknown): boolean => isObject(given) && typeof given['name'] === 'string';

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  (typeof given === 'object' || typeof given === 'function') && given !== null;

const isDialect = (given: unknown): boolean =>
  isObject(given) && hasName(given) && Array.isArray(given['operations']);

const isAttachment = (given: unknown): boolean =>
  isObject(given) && hasName(given['interface']) && typeof given['operation'] === 'string';

/** Dialects of the same name are merged. */
const dialectsByName = (dialects: readonly Dialect[]): ReadonlyMap<string, Dialect> => {
  expectList('a list of dialects', dialects, isDialect);
  const merged = new Map<string, Dialect>();
  for (const dialect of dialects) {
    const { name } = dialect;
    expectList(`a list of operations as those of '${name}'`, dialect.operations, hasName);
    const known = merged.get(name);
    const all = [...(known?.operations ?? []), ...dialect.operations];
    const operations = [...new Map(all.map((operation) => [operation.name, operation])).values()];
    merged.set(name, { ...known, ...dialect, operations });
  }
  return merged;
};

const byName = (passes: readonly Declared[]): Registry['passes'] => {
  expectList('a list of passes', passes, (pass) => isObject(pass) && hasName(pass['definition']));
  return new Map(passes.map(({ definition }) => [definition.name, definition]));
};

const attachmentsOf = (dialects: readonly Dialect[]): readonly Attachment[] =>
  dialects.flatMap((dialect) => dialect.attachments ?? []);

const joined = (known: Registry['attachments'], more: readonly Attachment[]): Registry['attachments'] => {
  const all = new Map([...known].map(([name, models]) => [name, new Map(models)]));
  for (const { interface: asked, operation, model } of more) {
    const models = all.get(asked.name) ?? new Map<string, unknown>();
    all.set(asked.name, models.set(operation, model));
  }
  return all;
};

/** The part of an operation that determines its definition. */
type Named = Pick<Operation, 'name'>;

/** The definition of an operation; undefined for an unregistered one, about which nothing may be assumed. */
export const definitionOf = (registry: Registry, { name }: Named): OpDefinition | undefined =>
  registry.operations.get(name);

/** An operation's implementation of an interface: an attached one, else its definition's. */
export const modelOf = <Model>(
  registry: Registry,
  asked: OpInterface<Model>,
  operation: Named,
): Model | undefined => {
  const attached = registry.attachments.get(asked.name)?.get(operation.name);
  // Only `attach` and `implement` store models, with the interface's type.
  return (attached ?? definitionOf(registry, operation)?.models.get(asked.name)) as Model | undefined;
};

/** Whether an operation has a trait; an unregistered one has none. */
export const hasTrait = (registry: Registry, operation: Named, trait: Trait): boolean =>
  definitionOf(registry, operation)?.traits.has(trait) === true;

/** `registry` with more operations for existing or new dialects, more attachments and passes; later ones win. */
export const extendRegistry = (
  registry: Registry,
  dialects: readonly Dialect[],
  attachments: readonly Attachment[] = [],
  passes: readonly Declared[] = [],
): Registry => {
  expectObject('a registry, as createRegistry() makes it', registry);
  expectList('a list of dialects', dialects, isDialect);
  return {
    ...createRegistry([...registry.dialects.values(), ...dialects], attachments),
    attachments: joined(registry.attachments, [...attachmentsOf(dialects), ...attachments]),
    passes: new Map([...registry.passes, ...byName(passes)]),
  };
};
