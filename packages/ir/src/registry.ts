/**
 * A registry is a value: which dialects, and so which operations, a parser, verifier or interpreter knows.
 */
import type { OpDefinition } from './define-op.ts';
import type { PassDefinition } from './define-pass.ts';
import type { Attachment, OpInterface } from './op-interface.ts';
import type { Trait } from './op-spec.ts';
import type { Operation } from './operation.ts';

/** A named set of operation definitions. */
export interface Dialect {
  readonly name: string;
  readonly operations: readonly OpDefinition[];
  /** Whether operations of its name that are not among them are taken as they are, and nothing is assumed of them. */
  readonly allowsUnknownOperations?: boolean;
  /** What it attaches to operations, its own or others. */
  readonly attachments?: readonly Attachment[];
  /** The text of an attribute of this dialect as upstream prints it, from one with one blank after each comma. */
  readonly attributeBody?: (body: string) => string;
}

/** Dialects and operations by name, and what is attached to operations. */
export interface Registry {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly operations: ReadonlyMap<string, OpDefinition>;
  /** The models of each interface by the name of the operation. */
  readonly attachments: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** Passes by name. */
  readonly passes: ReadonlyMap<string, PassDefinition>;
}

/** A pass as `definePass` gives it. */
interface Declared {
  readonly definition: PassDefinition;
}

/** A registry of these dialects and their operations, with these attachments and passes; later ones win. */
export const createRegistry = (
  dialects: readonly Dialect[],
  attachments: readonly Attachment[] = [],
  passes: readonly Declared[] = [],
): Registry => {
  const merged = dialectsByName(dialects);
  const operations = [...merged.values()].flatMap((dialect) => dialect.operations);
  return {
    dialects: merged,
    operations: new Map(operations.map((operation) => [operation.name, operation])),
    attachments: joined(new Map(), [...attachmentsOf(dialects), ...attachments]),
    passes: byName(passes),
  };
};

/** Those of one name are one dialect, with the operations of all. */
const dialectsByName = (dialects: readonly Dialect[]): ReadonlyMap<string, Dialect> => {
  const merged = new Map<string, Dialect>();
  for (const dialect of dialects) {
    const known = merged.get(dialect.name);
    const operations = [...(known?.operations ?? []), ...dialect.operations];
    merged.set(dialect.name, { ...known, ...dialect, operations });
  }
  return merged;
};

const byName = (passes: readonly Declared[]): Registry['passes'] =>
  new Map(passes.map(({ definition }) => [definition.name, definition]));

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

/** What of an operation says what it is. */
type Named = Pick<Operation, 'name'>;

/** The definition of an operation; undefined where the registry has none: then nothing may be assumed of it. */
export const definitionOf = (registry: Registry, { name }: Named): OpDefinition | undefined =>
  registry.operations.get(name);

/** What an operation answers to an interface: what is attached to it, else what its definition implements. */
export const modelOf = <Model>(
  registry: Registry,
  asked: OpInterface<Model>,
  operation: Named,
): Model | undefined => {
  const attached = registry.attachments.get(asked.name)?.get(operation.name);
  // Only `attach` and `implement` put a model there, and they take one of the interface's type.
  return (attached ?? definitionOf(registry, operation)?.models.get(asked.name)) as Model | undefined;
};

/** Whether an operation is known to have a trait; one that the registry does not know has none. */
export const hasTrait = (registry: Registry, operation: Named, trait: Trait): boolean =>
  definitionOf(registry, operation)?.traits.has(trait) === true;

/** `registry` with more operations for existing or new dialects, more attachments and passes; later ones win. */
export const extendRegistry = (
  registry: Registry,
  dialects: readonly Dialect[],
  attachments: readonly Attachment[] = [],
  passes: readonly Declared[] = [],
): Registry => ({
  ...createRegistry([...registry.dialects.values(), ...dialects]),
  attachments: joined(registry.attachments, [...attachmentsOf(dialects), ...attachments]),
  passes: new Map([...registry.passes, ...byName(passes)]),
});
