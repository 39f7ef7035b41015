/** Def-use information of a function, for deciding before lowering which packings can be kept. */
import { isBufferValue, viewLike } from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait, modelOf } from '@sconv/ir';

export interface Uses {
  readonly definitions: ReadonlyMap<Id, Operation>;
  /** The use list of a value: an operation appears once per use as an operand. */
  readonly users: ReadonlyMap<Id, readonly Operation[]>;
  readonly parents: ReadonlyMap<Id, Operation>;
  /** By function: the arguments that it only reads; all others may be kept, or passed on. */
  readonly readByCall: (callee: string) => ReadonlySet<number> | undefined;
}

/** The uses in a function, given its operations. */
export const usesIn = (all: readonly Operation[], readByCall: Uses['readByCall'] = () => undefined): Uses => {
  const definitions = new Map<Id, Operation>();
  const users = new Map<Id, Operation[]>();
  const parents = new Map<Id, Operation>();
  for (const operation of all) {
    for (const result of operation.results) definitions.set(result.id, operation);
    for (const { id } of operation.operands) {
      const known = users.get(id);
      if (known === undefined) users.set(id, [operation]);
      else known.push(operation);
    }
    for (const { blocks } of operation.regions) {
      for (const { operations } of blocks) for (const child of operations) parents.set(child.id, operation);
    }
  }
  return { definitions, users, parents, readByCall };
};

/** The operations that read and that write a buffer, directly or through views. */
export interface Accesses {
  readonly readers: readonly Operation[];
  readonly writers: readonly Operation[];
}

/** The accesses of a buffer; undefined if a use is unknown. */
export const accessesOf = (registry: Registry, uses: Uses, buffer: Value): Accesses | undefined => {
  const readers: Operation[] = [];
  const writers: Operation[] = [];
  const pending = [buffer];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const user of uses.users.get(next.id) ?? []) {
      const usage = usageOf(registry, uses, user, next);
      if (usage === undefined) return undefined;
      if (usage === 'view') pending.push(...user.results);
      else (usage === 'read' ? readers : writers).push(user);
    }
  }
  return { readers, writers };
};

/** How an operation uses a buffer; undefined if the buffer may escape or the operation is unknown. */
const usageOf = (
  registry: Registry,
  { readByCall }: Uses,
  user: Operation,
  buffer: Value,
): 'view' | 'read' | 'write' | undefined => {
  if (call.is(user)) {
    const read = readByCall(call.attributes(user).callee);
    return user.operands.every(({ id }, i) => id !== buffer.id || read?.has(i)) ? 'read' : undefined;
  }
  if (modelOf(registry, viewLike, user)?.source(user).id === buffer.id) return 'view';
  const effects = effectsOf(registry, user);
  if (effects === undefined || passesOn(registry, user)) return undefined;
  const writes = effects.filter(({ kind }) => kind === 'write');
  if (writes.some(({ value }) => value === undefined)) return undefined;
  return writes.some(({ value }) => value?.id === buffer.id) ? 'write' : 'read';
};

/** Whether an operation may alias a buffer: as a result, a block argument, or a value passed to its parent. */
const passesOn = (registry: Registry, operation: Operation): boolean =>
  hasTrait(registry, operation, 'terminator') ||
  operation.results.some(isBufferValue) ||
  operation.regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isBufferValue)));
